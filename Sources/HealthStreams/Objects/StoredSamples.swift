package import HealthModel

/// The samples of one stored batch with what days are counted by, in little memory: servers keep many.
package struct StoredSamples: Sendable {
  package struct Sample: Sendable {
    /// The sample's own id, or the one made of its members.
    package let id: UInt128
    /// Milliseconds since 1970.
    fileprivate let startMilliseconds: Int
    fileprivate let endMilliseconds: Int
    /// 0 for a deletion.
    package let value: Double
    /// Places among the words.
    package let type: UInt16
    package let unit: UInt16
    package let source: UInt16
    package let hardware: UInt16
    /// The feed that the sample names, else that of its batch.
    package let feed: UInt16
    fileprivate let marks: Marks

    package var start: Timestamp { EntryMoment(milliseconds: startMilliseconds).timestamp }
    package var end: Timestamp { EntryMoment(milliseconds: endMilliseconds).timestamp }
    package var isDeletion: Bool { marks.contains(.isDeletion) }
    package var isUserEntered: Bool { marks.contains(.isUserEntered) }
    /// Whether the id is the sample's own (`StreamEntry.hasNativeID`).
    package var hasNativeID: Bool { marks.contains(.hasNativeID) }
  }

  fileprivate struct Marks: OptionSet, Sendable {
    let rawValue: UInt8
    static let isDeletion = Marks(rawValue: 1)
    static let isUserEntered = Marks(rawValue: 2)
    static let hasNativeID = Marks(rawValue: 4)
    /// Members that need not be there.
    static let hasEnd = Marks(rawValue: 8)
    static let hasSource = Marks(rawValue: 16)
    static let hasHardware = Marks(rawValue: 32)
    /// The bytes are kept, because the rest does not say them.
    static let hasBytes = Marks(rawValue: 64)
  }

  package let deviceID: String
  /// Where the batch came from.
  package let feed: String
  package let receivedAt: Timestamp
  package private(set) var samples: [Sample] = []
  /// Types, units, sources and the like; the first is empty.
  package private(set) var words = [""]
  /// The bytes of samples that say more than the rest, by their places.
  private var bytes: [Int: [UInt8]] = [:]

  /// About how many bytes of memory it takes.
  package var cost: Int {
    let others = bytes.values.reduce(0) { $0 + $1.count + 64 }
    return 512 + samples.count * MemoryLayout<Sample>.stride + words.count * 64 + others
  }

  /// A text that a sample names by its place.
  package func word(_ place: UInt16) -> String { words[Int(place)] }

  /// The entry's canonical bytes.
  package func entry(_ place: Int) -> [UInt8] {
    if let kept = bytes[place] { return kept }
    let sample = samples[place]
    var members: [String: JSONValue] = [
      "sample_type": .string(word(sample.type)),
      "timestamp": .string(EntryMoment(milliseconds: sample.startMilliseconds).text),
    ]
    if sample.marks.contains(.hasEnd) {
      members["end_timestamp"] = .string(EntryMoment(milliseconds: sample.endMilliseconds).text)
    }
    if sample.marks.contains(.hasSource) { members["source"] = .string(word(sample.source)) }
    if sample.marks.contains(.hasHardware) { members["hardware"] = .string(word(sample.hardware)) }
    if sample.isUserEntered { members["user_entered"] = .bool(true) }
    if sample.hasNativeID { members["uuid"] = .string(UUIDText.text(sample.id)) }
    if sample.isDeletion {
      members["deleted"] = .bool(true)
    } else {
      members["unit"] = .string(word(sample.unit))
      members["value"] = .number(sample.value)
    }
    return JSONValue.object(members).canonicalBytes
  }

  // MARK: - Making

  private init(deviceID: String, feed: String, receivedAt: Timestamp) {
    (self.deviceID, self.feed, self.receivedAt) = (deviceID, feed, receivedAt)
  }

  /// Those of a batch that was read whole. Entries of other streams are none.
  package init(_ batch: StoredBatch) {
    self.init(
      deviceID: batch.request.deviceID, feed: batch.feed, receivedAt: batch.receivedAt)
    var words = Words(self.words)
    for entry in batch.entries where entry.stream == .healthKit { add(entry, &words) }
    self.words = words.all
  }

  /// Those of canonical entries in a text, each between two places.
  ///
  /// - Parameter next: where an entry lies after the end of another one, which may be less than to the
  ///   end of what it returns.
  /// - Returns: nil if an entry is not a valid sample in canonical bytes.
  init?(
    _ text: [UInt8], _ next: (_ after: Int?) -> Range<Int>?, deviceID: String, feed: String,
    receivedAt: Timestamp, count: Int
  ) {
    self.init(deviceID: deviceID, feed: feed, receivedAt: receivedAt)
    samples.reserveCapacity(count)
    var words = Words(self.words)
    var scan = SampleScan(text, in: 0..<text.count)
    var (written, last): ([UInt8], Int?) = ([], nil)
    while let place = next(last) {
      written.removeAll(keepingCapacity: true)
      scan.move(to: place.lowerBound)
      var end = place.upperBound
      if let sample = scan.next(into: &written), scan.json.offset <= end {
        end = scan.json.offset
        add(sample, text, written, &words)
      } else {
        guard let found = StreamEntry.sample(in: text, at: place.lowerBound, before: end) else {
          return nil
        }
        (end, written) = (found.end, found.entry.bytes)
        add(found.entry, &words)
      }
      guard text[place.lowerBound..<end].elementsEqual(written) else { return nil }
      last = end
    }
    self.words = words.all
  }

  /// Those of one entry.
  private mutating func add(
    _ sample: ScannedSample, _ text: [UInt8], _ written: [UInt8], _ words: inout Words
  ) {
    var marks: Marks = []
    if sample.isDeletion { marks.insert(.isDeletion) }
    if sample.isUserEntered { marks.insert(.isUserEntered) }
    if sample.uuid != nil { marks.insert(.hasNativeID) }
    if sample.hasEnd { marks.insert(.hasEnd) }
    if sample.source != nil { marks.insert(.hasSource) }
    if sample.hardware != nil { marks.insert(.hasHardware) }
    if sample.hasOthers {
      marks.insert(.hasBytes)
      bytes[samples.count] = written
    }
    let type = words.place(of: sample.type, in: text, .type)
    let unit = words.place(of: sample.unit, in: text, .unit)
    let source = words.place(of: sample.source, in: text, .source)
    let id =
      sample.uuid
      ?? UUIDText.value(
        Array(
          StreamEntry.madeID(
            type: words.all[Int(type)], source: words.all[Int(source)],
            start: EntryMoment(milliseconds: sample.start),
            end: EntryMoment(milliseconds: sample.end), unit: words.all[Int(unit)]
          ).utf8)[...]) ?? 0
    samples.append(
      Sample(
        id: id, startMilliseconds: sample.start, endMilliseconds: sample.end, value: sample.value,
        type: type, unit: unit, source: source,
        hardware: words.place(of: sample.hardware, in: text, .hardware),
        feed: sample.feed.map { words.place(of: $0, in: text, .feed) } ?? words.place(of: feed),
        marks: marks))
  }

  private mutating func add(_ entry: StreamEntry, _ words: inout Words) {
    var marks: Marks = .hasBytes
    if entry.isDeletion { marks.insert(.isDeletion) }
    if entry.hasNativeID { marks.insert(.hasNativeID) }
    let members = try? JSONValue(parsing: entry.bytes)
    if members?["user_entered"] == .bool(true) { marks.insert(.isUserEntered) }
    func word(_ name: String) -> UInt16 { words.place(of: members?[name]?.stringValue ?? "") }
    bytes[samples.count] = entry.bytes
    samples.append(
      Sample(
        id: UUIDText.value(Array(entry.id.utf8)[...]) ?? 0,
        startMilliseconds: entry.start.secondsSince1970 * 1000,
        endMilliseconds: entry.end.secondsSince1970 * 1000,
        value: members?["value"]?.numberValue ?? 0, type: words.place(of: entry.sampleType ?? ""),
        unit: word("unit"), source: word("source"), hardware: word("hardware"),
        feed: words.place(of: members?["feed"]?.stringValue ?? feed), marks: marks))
  }
}

extension SealedBatch {
  /// The samples, as reading the stored batch gives them; nil if its entries were not checked.
  func samples(feed: String, receivedAt: Timestamp) -> StoredSamples? {
    guard stream == .healthKit, let places else { return nil }
    var rest = places[...]
    return StoredSamples(
      body, { _ in rest.popFirst()?.place }, deviceID: deviceID, feed: feed,
      receivedAt: receivedAt, count: places.count)
  }
}

/// Texts by their places, each once.
private struct Words {
  enum Column: Int { case type, unit, source, hardware, feed }

  private(set) var all: [String]
  private var places: [String: UInt16] = [:]
  /// The last of each column: most samples repeat it.
  private var last: [UInt16] = [0, 0, 0, 0, 0]

  init(_ words: [String]) {
    all = words
    for (place, word) in words.enumerated() { places[word] = UInt16(place) }
  }

  mutating func place(of word: String) -> UInt16 {
    if let place = places[word] { return place }
    // A batch has at most 5000 entries of five words each.
    let place = UInt16(all.count)
    all.append(word)
    places[word] = place
    return place
  }

  mutating func place(of range: Range<Int>?, in text: [UInt8], _ column: Column) -> UInt16 {
    guard let range else { return 0 }
    let known = last[column.rawValue]
    if all[Int(known)].utf8.count == range.count,
      all[Int(known)].utf8.elementsEqual(text[range])
    {
      return known
    }
    let place = place(of: String(decoding: text[range], as: UTF8.self))
    last[column.rawValue] = place
    return place
  }
}
