public import HealthModel
public import ObjectStore

/// A batch's key as listed; the object was not read.
public struct ListedBatch: Hashable, Sendable {
  /// Its key. A batch in a pack has the one that its own object would have.
  public let key: ObjectKey
  /// The stream, device, UTC date and id that the key names.
  public let place: StreamLayout.BatchPlace
  /// The packed size in bytes; in a pack its share of it.
  public let size: Int
  /// When it was stored, by the store's clock, in seconds since 1970. Copying a bucket resets it.
  public let lastModified: Int?
  /// The pack that holds it (R66); nil if it is an object of its own.
  package var pack: ListedPack?

  /// What it is read from, as a name for what was read: a batch that is stored again beside its pack
  /// has another time of receipt.
  package var source: String {
    pack.map { "\(place.id) in \($0.key.rawValue)" } ?? key.rawValue
  }
}

/// What a listing of a stream found.
public struct StreamListing: Hashable, Sendable {
  /// The batches, each once, by device and date; of one date first those that are objects of their
  /// own, by id, then those of each pack (R66).
  public var batches: [ListedBatch] = []
  /// Objects that are not batches: conflict copies of synchronised folders, placeholders of files
  /// that are not on this machine, and whatever else somebody put there. Where one is, a batch may
  /// be missing.
  public var foreign: [ListEntry] = []
  /// The packs that hold batches (R66).
  package var packs: [ListedPack] = []
  /// Packs that can't be used. They are among what is foreign, too: batches are missing.
  package var damaged: [DamagedPack] = []
  /// Objects of batches that stand in packs as well.
  package var spare: [ListedBatch] = []
  /// Batches of which two packs say different things: the first receipt counts.
  package var disputed: [ListedBatch] = []

  /// Nothing found yet.
  public init() {}
}

extension StreamStore {
  /// The most devices of one stream (R43).
  public static let maximumDevices = 64
  /// The most entries of one listing.
  static let maximumListed = 1_000_000

  /// The devices that have batches of a stream, ascending. One request.
  ///
  /// - Throws: `tooManyDevices` if there are more than `maximumDevices`, or as many names that are
  ///   not devices.
  public func devices(of stream: StreamName) async throws(StreamError) -> [String] {
    try await names(of: stream).devices
  }

  /// The batches of a stream on some UTC dates, of all devices.
  ///
  /// - Parameters:
  ///   - stream: the stream to list.
  ///   - dates: the first and the last date; nil for all.
  public func batches(
    of stream: StreamName, on dates: ClosedRange<CalendarDate>? = nil
  ) async throws(StreamError) -> StreamListing {
    let names = try await names(of: stream)
    var listing = StreamListing()
    listing.foreign = names.foreign
    for device in names.devices {
      try await list(stream, device, dates, into: &listing)
    }
    return listing
  }

  /// The batches of a stream and one device on some UTC dates.
  public func batches(
    of stream: StreamName, device: String, on dates: ClosedRange<CalendarDate>? = nil
  ) async throws(StreamError) -> StreamListing {
    var listing = StreamListing()
    try await list(stream, device, dates, into: &listing)
    return listing
  }

  /// The names below a stream: devices, and objects and folders that belong to no device.
  private func names(
    of stream: StreamName
  ) async throws(StreamError) -> (devices: [String], foreign: [ListEntry]) {
    let prefix = layout.prefix(of: stream)
    var (devices, foreign): ([String], [ListEntry]) = ([], [])
    for entry in try await shallow(prefix, maximum: 2 * Self.maximumDevices) {
      let name = entry.key.dropFirst(prefix.count)
      let device = String(name.dropLast())
      if name.last == "/",
        UUIDText.lowercased(device)?.utf8.elementsEqual(device.utf8) == true
      {
        devices.append(device)
      } else {
        foreign.append(entry)
      }
    }
    guard devices.count <= Self.maximumDevices, foreign.count <= Self.maximumDevices else {
      throw StreamError(
        .tooManyDevices,
        "\(stream.rawValue) has more than \(Self.maximumDevices) devices or other names",
        key: prefix)
    }
    return (devices, foreign)
  }

  /// The objects and folders directly below a prefix, by key. The keys of folders end in `/`. One
  /// request for each 1,000, whatever the folders hold; it ends soon after `maximum`.
  func shallow(_ prefix: String, maximum: Int) async throws(StreamError) -> [ListEntry] {
    var request = ListRequest(prefix: prefix)
    request.isShallow = true
    var found: [ListEntry] = []
    while true {
      let page = try await list(request)
      found += page.entries
      found += page.folders.map { ListEntry(key: $0, size: 0, etag: nil, lastModified: nil) }
      guard let next = page.next, found.count <= maximum else { break }
      request.continuation = next
    }
    return found.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private func list(
    _ stream: StreamName, _ device: String, _ dates: ClosedRange<CalendarDate>?,
    into listing: inout StreamListing
  ) async throws(StreamError) {
    for _ in 0..<Self.maximumListings {
      let found = try await filed(stream, device, dates)
      guard
        found.batches.count + found.foreign.count + listing.batches.count
          + listing.foreign.count <= Self.maximumListed
      else { throw Self.tooMany(below: layout.prefix(of: stream, device: device)) }
      if try await merge(found, of: dates, into: &listing) { return }
    }
    throw StreamError(
      StoreError(
        .unavailable, "the packs of \(stream.rawValue) kept changing while they were listed",
        remedy: .retry, isRetryable: true))
  }

  /// How often a listing is begun again because a pack is gone that it shows.
  private static let maximumListings = 5

  static func tooMany(below prefix: String) -> StreamError {
    StreamError(
      StoreError(
        .tooLarge, "more than \(Self.maximumListed) objects below \(prefix)",
        remedy: "ask for fewer dates"))
  }

  func list(_ request: ListRequest) async throws(StreamError) -> ListPage {
    try await StreamError.wrapping { () async throws(StoreError) in
      try await store.list(request)
    }
  }
}
