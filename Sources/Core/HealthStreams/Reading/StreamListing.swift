public import HealthModel
public import ObjectStore

/// A batch's key as listed; the object was not read.
public struct ListedBatch: Hashable, Sendable {
  /// Its key.
  public let key: ObjectKey
  /// The stream, device, UTC date and id that the key names.
  public let place: StreamLayout.BatchPlace
  /// The packed size in bytes.
  public let size: Int
  /// When it was stored, by the store's clock, in seconds since 1970. Copying a bucket resets it.
  public let lastModified: Int?
}

/// What a listing of a stream found.
public struct StreamListing: Hashable, Sendable {
  /// The batches, by device, date and id.
  public var batches: [ListedBatch] = []
  /// Objects that are not batches: conflict copies of synchronised folders, placeholders of files
  /// that are not on this machine, and whatever else somebody put there. Where one is, a batch may
  /// be missing.
  public var foreign: [ListEntry] = []

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
    let prefix = layout.prefix(of: stream, device: device)
    var request = ListRequest(prefix: prefix)
    if let dates {
      // With the final slash: a store that lists folder by folder, as SeaweedFS does, leaves out the
      // whole folder that is named without it.
      request.startAfter = layout.prefix(of: stream, device: device, on: dates.lowerBound)
    }
    // The least text that comes after all keys of the last date.
    let end = dates.map {
      layout.prefix(of: stream, device: device, on: $0.upperBound).dropLast() + "0"
    }
    while true {
      let page = try await list(request)
      for entry in page.entries {
        if let end, !entry.key.utf8.lexicographicallyPrecedes(end.utf8) { return }
        guard listing.batches.count + listing.foreign.count < Self.maximumListed else {
          throw StreamError(
            StoreError(
              .tooLarge, "more than \(Self.maximumListed) objects below \(prefix)",
              remedy: "ask for fewer dates"))
        }
        if entry.obstacle == nil, let key = ObjectKey(entry.key),
          let place = layout.place(entry.key), place.stream == stream, place.deviceID == device
        {
          listing.batches.append(
            ListedBatch(
              key: key, place: place, size: entry.size, lastModified: entry.lastModified))
        } else {
          listing.foreign.append(entry)
        }
      }
      guard let next = page.next else { return }
      request.continuation = next
    }
  }

  func list(_ request: ListRequest) async throws(StreamError) -> ListPage {
    try await StreamError.wrapping { () async throws(StoreError) in
      try await store.list(request)
    }
  }
}
