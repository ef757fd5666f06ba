public import HealthModel
import ObjectStore

/// What an inspection of a stream has read.
public struct StreamInspection: Hashable, Sendable {
  /// The objects that are batches.
  public var batches = 0
  /// Their entries.
  public var entries = 0
  /// Their packed bytes.
  public var bytes = 0

  /// Nothing read yet.
  public init() {}
}

extension StreamStore {
  /// How old a marker may be before it is a finding, in seconds.
  public static let maximumMarkerAge = 86_400

  /// Reads every batch of a stream on some UTC dates, and reports what is wrong, device by device in
  /// order of date. Memory is bounded by one date of one device.
  ///
  /// - Parameters:
  ///   - stream: the stream to read.
  ///   - dates: the first and the last date; nil for all.
  ///   - device: only this device; nil for all.
  ///   - advance: called after each object, on the caller's actor.
  ///   - report: gets each finding, there too.
  public nonisolated(nonsending) func inspect(
    _ stream: StreamName, on dates: ClosedRange<CalendarDate>? = nil, device: String? = nil,
    advance: () -> Void = {}, report: (StreamFinding) -> Void
  ) async throws(StreamError) -> StreamInspection {
    let listing =
      if let device { try await batches(of: stream, device: device, on: dates) } else {
        try await batches(of: stream, on: dates)
      }
    for entry in listing.foreign {
      let message =
        entry.obstacle.map { "can't be read: \($0.message)" } ?? "is not a batch of the stream"
      report(StreamFinding(code: .foreign, message: message, stream: stream, key: entry.key))
    }
    var inspection = StreamInspection()
    var rest = listing.batches[...]
    var (device, rhythm): (String?, RhythmCheck?) = (nil, nil)
    while let first = rest.first {
      // Keys are in order of device and date.
      let day = rest.prefix {
        $0.place.deviceID == first.place.deviceID && $0.place.date == first.place.date
      }
      rest = rest.dropFirst(day.count)
      if first.place.deviceID != device {
        (device, rhythm) = (first.place.deviceID, RhythmCheck(stream))
      }
      var tally = EntryTally()
      for try await reading in readings(of: Array(day)) {
        if let batch = inspect(reading, report) {
          inspection.batches += 1
          inspection.entries += batch.entries.count
          inspection.bytes += reading.listed.size
          tally.add(batch)
        }
        advance()
      }
      func finding(_ code: StreamFinding.Code, _ message: String) -> StreamFinding {
        StreamFinding(
          code: code, message: message, stream: stream, deviceID: device, date: first.place.date)
      }
      if tally.duplicates > 0 {
        report(
          finding(
            .duplicates,
            tally.duplicates == 1
              ? "1 entry is stored more than once"
              : "\(tally.duplicates) entries are stored more than once"))
      }
      for gap in rhythm?.gaps(in: tally.entries) ?? [] {
        var found = finding(.gap, "nothing from \(gap.lowerBound) to \(gap.upperBound)")
        found.gap = gap
        report(found)
      }
    }
    return inspection
  }

  /// The batch of a reading; nil if it is not a batch, which is reported.
  private func inspect(
    _ reading: BatchReading, _ report: (StreamFinding) -> Void
  ) -> StoredBatch? {
    let place = reading.listed.place
    func finding(_ code: StreamFinding.Code, _ message: String) -> StreamFinding {
      StreamFinding(
        code: code, message: message, stream: place.stream, deviceID: place.deviceID,
        date: place.date, key: reading.listed.key.rawValue)
    }
    switch reading.result {
    case .success(let batch): return batch
    case .failure(let fault): report(finding(.notABatch(fault.code), fault.message))
    case nil: report(finding(.vanished, "the object was listed, and is gone"))
    }
    return nil
  }

  /// Reports objects and folders beside the folders of the streams and of what derives days from
  /// them. The key of a folder ends in `/`.
  ///
  /// - Parameter report: gets each finding, at most `maximumDevices` with a key.
  public nonisolated(nonsending) func inspectRoot(
    report: (StreamFinding) -> Void
  ) async throws(StreamError) {
    var count = 0
    for entry in try await shallow(layout.rootPrefix, maximum: 2 * Self.maximumDevices) {
      let name = entry.key.dropFirst(layout.rootPrefix.count)
      let isFolder = name.last == "/"
      guard !StreamLayout.holds(String(isFolder ? name.dropLast() : name), isFolder: isFolder)
      else { continue }
      count += 1
      guard count <= Self.maximumDevices else {
        return report(
          StreamFinding(code: .foreign, message: "there are more objects that belong to no stream"))
      }
      report(StreamFinding(code: .foreign, message: "belongs to no stream", key: entry.key))
    }
  }

  /// Reports markers that are older than a day, and what is not a marker, by its key or its content.
  ///
  /// - Parameters:
  ///   - now: the time by the store's clock.
  ///   - report: gets each finding.
  public nonisolated(nonsending) func inspectMarkers(
    now: Timestamp, report: (StreamFinding) -> Void
  ) async throws(StreamError) {
    let listing = try await markers()
    for entry in listing.foreign {
      report(
        StreamFinding(
          code: .foreignMarker, message: "is not a marker of a batch", key: entry.key))
    }
    for marker in listing.markers {
      switch try await read(marker) {
      case nil: continue
      case .failure(let fault):
        report(
          StreamFinding(
            code: .foreignMarker, message: fault.message, key: marker.key.rawValue))
        continue
      case .success: break
      }
      guard let modified = marker.lastModified,
        now.secondsSince1970 - modified > Self.maximumMarkerAge
      else { continue }
      let since = Timestamp(secondsSince1970: modified)
      report(
        StreamFinding(
          code: .oldMarker, message: "a batch of \(since) may not be in the days yet",
          key: marker.key.rawValue))
    }
  }
}

/// Finds the gaps of one device's stream that samples steadily. Pure.
struct RhythmCheck {
  /// The longest pause, in seconds, that is not a gap; nil for a stream without a rhythm.
  ///
  /// A point every 10 s and a chunk every 28 s; a lost connection or a restart takes a moment.
  static func allowedPause(_ stream: StreamName) -> Int? {
    switch stream {
    case .location: 300
    case .audio: 60
    case .healthKit, .healthAutoExport, .appMessages: nil
    }
  }

  private let pause: Int
  /// Until when there is data.
  private var end: Timestamp?

  /// Nil for a stream without a rhythm.
  init?(_ stream: StreamName) {
    guard let pause = Self.allowedPause(stream) else { return nil }
    self.pause = pause
  }

  /// The gaps before and between entries, which are in order of time and after all earlier ones.
  mutating func gaps(in entries: [StreamEntry]) -> [ClosedRange<Timestamp>] {
    var gaps: [ClosedRange<Timestamp>] = []
    for entry in entries {
      if let end, entry.start.secondsSince1970 - end.secondsSince1970 > pause {
        gaps.append(end...entry.start)
      }
      end = max(end ?? entry.end, entry.end)
    }
    return gaps
  }
}

/// What an inspection of streams found.
public struct StreamFinding: Hashable, Sendable {
  /// What it is.
  public enum Code: Hashable, Sendable, CaseIterable {
    /// An object with a batch's key is not a batch.
    case notABatch(BatchFault.Code)
    /// The batch was listed, and is gone.
    case vanished
    /// An object that is not a batch.
    case foreign
    /// A stream that samples steadily has nothing for a while.
    case gap
    /// Entries are stored more than once. Readers count them once.
    case duplicates
    /// A marker is older than a day: the days of its batch may not have been derived.
    case oldMarker
    /// An object among the markers that is not one.
    case foreignMarker

    /// The faults of batches, then the others, in the order in which reports list them.
    public static let allCases =
      BatchFault.Code.allCases.map(Code.notABatch)
      + [.vanished, .foreign, .gap, .duplicates, .oldMarker, .foreignMarker]

    /// The code for programs.
    public var word: String {
      switch self {
      case .notABatch(let code): code.rawValue
      case .vanished: "vanished_object"
      case .foreign: "foreign_object"
      case .gap: "gap"
      case .duplicates: "duplicate_entries"
      case .oldMarker: "old_marker"
      case .foreignMarker: "foreign_marker"
      }
    }

    /// Whether it is a fault, and not a remark about data that is whole.
    public var isError: Bool {
      switch self {
      case .gap, .duplicates, .oldMarker: false
      default: true
      }
    }
  }

  /// What it is.
  public let code: Code
  /// One clause.
  public let message: String
  /// The stream concerned.
  public var stream: StreamName?
  /// The device concerned.
  public var deviceID: String?
  /// The UTC date concerned.
  public var date: CalendarDate?
  /// The object concerned.
  public var key: String?
  /// From when to when a gap lasts.
  public var gap: ClosedRange<Timestamp>?
}

/// The entries of one UTC date, each counted once (R45). The result depends on what was added, never
/// on the order.
public struct EntryTally: Sendable {
  private struct Counted {
    let entry: StreamEntry
    let order: PreciseMoment
    /// Its place in the batch.
    let place: Int

    /// A deletion is final, because an earlier send of the sample may be retried after it. Else the
    /// newest receipt counts, and of one batch the later entry.
    func replaces(_ other: Counted) -> Bool {
      if entry.isDeletion != other.entry.isDeletion { return entry.isDeletion }
      if order != other.order { return order > other.order }
      if place != other.place { return place > other.place }
      return other.entry.bytes.lexicographicallyPrecedes(entry.bytes)
    }
  }

  private var counted: [EntryIdentity: Counted] = [:]
  /// What was added, each identity with its bytes, as hashes: a day has too few entries for two of
  /// 64 bits to meet.
  private var seen: Set<Int> = []
  /// How many bytes the counted entries have together.
  public private(set) var bytes = 0
  /// How many entries were added that an equal one had been added before.
  public private(set) var duplicates = 0

  /// No entries.
  public init() {}

  /// Adds the entries of a batch.
  public mutating func add(_ batch: StoredBatch) {
    for (place, entry) in batch.entries.enumerated() {
      let identity = EntryIdentity(
        entry, device: batch.request.deviceID, feed: batch.feed)
      let new = Counted(entry: entry, order: batch.order, place: place)
      var hasher = Hasher()
      hasher.combine(identity)
      hasher.combine(entry.bytes)
      if !seen.insert(hasher.finalize()).inserted { duplicates += 1 }
      if let known = counted[identity] {
        guard new.replaces(known) else { continue }
        bytes -= known.entry.bytes.count
      }
      bytes += entry.bytes.count
      counted[identity] = new
    }
  }

  /// The entries that count, without those that were deleted, by start, then by id.
  public var entries: [StreamEntry] {
    counted.values.lazy.map(\.entry).filter { !$0.isDeletion }.sorted { a, b in
      if a.start != b.start { return a.start < b.start }
      if a.id != b.id { return a.id < b.id }
      return a.bytes.lexicographicallyPrecedes(b.bytes)
    }
  }
}
