package import HealthModel

/// Samples with what days are counted by, in little memory, whichever batch has them (R49).
package struct SampleTable: Sendable {
  package struct Sample: Sendable {
    /// The halves of the id: one number of 16 bytes would need a place that is a multiple of them.
    private let high: UInt64
    private let low: UInt64
    /// 0 for a deletion.
    package let value: Double
    /// The start above the 8 bits of the marks. A moment takes 49 bits with its sign, because its
    /// year has four digits.
    private let startAndMarks: Int
    /// The end above the bits of the label's place.
    private let endAndLabel: Int

    /// A batch has at most 5,000 entries, and a label for each of them at most.
    private static let labelBits = 13

    init(
      id: UInt128, startMilliseconds: Int, endMilliseconds: Int, value: Double, label: Int,
      marks: Marks
    ) {
      (high, low) = (UInt64(id >> 64), UInt64(truncatingIfNeeded: id))
      self.value = value
      precondition(label >> Self.labelBits == 0, "a batch has fewer labels")
      startAndMarks = startMilliseconds << 8 | Int(marks.rawValue)
      endAndLabel = endMilliseconds << Self.labelBits | label
    }

    /// Milliseconds since 1970.
    var startMilliseconds: Int { startAndMarks >> 8 }
    var endMilliseconds: Int { endAndLabel >> Self.labelBits }
    /// The place of its label (`StoredSamples.label`): samples of one batch with one place have one
    /// label.
    package var label: Int { endAndLabel & (1 << Self.labelBits - 1) }
    var marks: Marks { Marks(rawValue: UInt8(truncatingIfNeeded: startAndMarks)) }

    /// The sample's own id, or the one made of its members.
    package var id: UInt128 { UInt128(high) << 64 | UInt128(low) }
    package var start: Timestamp { EntryMoment(milliseconds: startMilliseconds).timestamp }
    package var end: Timestamp { EntryMoment(milliseconds: endMilliseconds).timestamp }
    package var isDeletion: Bool { marks.contains(.isDeletion) }
    package var isUserEntered: Bool { marks.contains(.isUserEntered) }
    /// Whether the id is the sample's own (`StreamEntry.hasNativeID`).
    package var hasNativeID: Bool { marks.contains(.hasNativeID) }
  }

  struct Marks: OptionSet, Sendable {
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

  /// What most samples of a batch share, by its places among the words.
  package struct Label: Hashable, Sendable {
    package let type: UInt16
    package let unit: UInt16
    package let source: UInt16
    package let hardware: UInt16
    /// The feed that the sample names, else that of its batch.
    package let feed: UInt16
  }

  private(set) var samples: [Sample] = []
  /// Each once.
  private(set) var labels: [Label] = []
  /// Types, units, sources and the like, each once. The first is empty.
  private(set) var words = ["", ""]
  /// The bytes of samples that say more than the rest, by their places.
  private(set) var bytes: [Int: [UInt8]] = [:]

  /// The place among the words that stands for the feed of the batch.
  static let batchFeed: UInt16 = 1

  /// About how many bytes of memory it takes.
  var cost: Int {
    let others = bytes.values.reduce(0) { $0 + $1.count + 64 }
    return samples.count * MemoryLayout<Sample>.stride
      + labels.count * MemoryLayout<Label>.stride + words.count * 64 + others
  }

  /// Those that begin on a UTC date, in their order.
  func beginning(on date: CalendarDate) -> SampleTable {
    var part = SampleTable()
    (part.words, part.labels) = (words, labels)
    for (place, sample) in samples.enumerated() where sample.start.utcDate == date {
      part.bytes[part.samples.count] = bytes[place]
      part.samples.append(sample)
    }
    part.trim()
    return part
  }

  /// Gives back what growing has taken beyond the samples: servers keep many tables.
  mutating func trim() {
    var exact: [Sample] = []
    exact.reserveCapacity(samples.count)
    exact += samples
    samples = exact
  }
}

extension SampleTable {
  /// A table that entries are added to.
  struct Reading {
    private(set) var table = SampleTable()
    private var words = Words()
    private var labels: [Label: Int] = [:]
    /// Most samples have the label of the one before.
    private var last: (label: Label, place: Int)?

    mutating func reserveCapacity(_ count: Int) { table.samples.reserveCapacity(count) }

    /// Adds a sample.
    ///
    /// - Parameters:
    ///   - text: the bytes that contain its texts; the same for all samples.
    ///   - written: its canonical bytes.
    mutating func add(_ sample: ScannedSample, _ text: [UInt8], _ written: ArraySlice<UInt8>) {
      var marks: Marks = []
      if sample.isDeletion { marks.insert(.isDeletion) }
      if sample.isUserEntered { marks.insert(.isUserEntered) }
      if sample.uuid != nil { marks.insert(.hasNativeID) }
      if sample.hasEnd { marks.insert(.hasEnd) }
      if sample.source != nil { marks.insert(.hasSource) }
      if sample.hardware != nil { marks.insert(.hasHardware) }
      if sample.hasOthers {
        marks.insert(.hasBytes)
        table.bytes[table.samples.count] = Array(written)
      }
      let type = word(sample.type, text, .type)
      let unit = word(sample.unit, text, .unit)
      let source = word(sample.source, text, .source)
      let id =
        sample.uuid
        ?? UUIDText.value(
          Array(
            StreamEntry.madeID(
              type: table.words[Int(type)], source: table.words[Int(source)],
              start: EntryMoment(milliseconds: sample.start),
              end: EntryMoment(milliseconds: sample.end), value: sample.value,
              unit: table.words[Int(unit)]
            ).utf8
          ).span) ?? 0
      table.samples.append(
        Sample(
          id: id, startMilliseconds: sample.start, endMilliseconds: sample.end,
          value: sample.value,
          label: place(
            of: Label(
              type: type, unit: unit, source: source,
              hardware: word(sample.hardware, text, .hardware),
              feed: sample.feed.map { word($0, text, .feed) } ?? SampleTable.batchFeed)),
          marks: marks))
    }

    /// Adds an entry that was read whole.
    mutating func add(_ entry: StreamEntry) {
      var marks: Marks = .hasBytes
      if entry.isDeletion { marks.insert(.isDeletion) }
      if entry.hasNativeID { marks.insert(.hasNativeID) }
      let members = try? JSONValue(parsing: entry.bytes)
      if members?["user_entered"] == .bool(true) { marks.insert(.isUserEntered) }
      func text(_ name: String) -> String { members?[name]?.stringValue ?? "" }
      table.bytes[table.samples.count] = entry.bytes
      table.samples.append(
        Sample(
          id: UUIDText.value(Array(entry.id.utf8).span) ?? 0,
          startMilliseconds: entry.start.secondsSince1970 * 1000,
          endMilliseconds: entry.end.secondsSince1970 * 1000,
          value: members?["value"]?.numberValue ?? 0,
          label: place(
            of: Label(
              type: words.place(of: entry.sampleType ?? "", &table.words),
              unit: words.place(of: text("unit"), &table.words),
              source: words.place(of: text("source"), &table.words),
              hardware: words.place(of: text("hardware"), &table.words),
              feed: members?["feed"]?.stringValue.map { words.place(of: $0, &table.words) }
                ?? SampleTable.batchFeed)),
          marks: marks))
    }

    private mutating func place(of label: Label) -> Int {
      if let last, last.label == label { return last.place }
      let place = labels[label] ?? table.labels.count
      if place == table.labels.count {
        table.labels.append(label)
        labels[label] = place
      }
      last = (label, place)
      return place
    }

    private mutating func word(
      _ range: Range<Int>?, _ text: [UInt8], _ column: Words.Column
    ) -> UInt16 {
      words.place(of: range, in: text, column, &table.words)
    }
  }
}

/// Where texts are among the words of a table.
private struct Words {
  enum Column: Int { case type, unit, source, hardware, feed }

  private var places: [String: UInt16] = ["": 0]
  /// The last of each column: most samples repeat it.
  private var last: [(text: Range<Int>, place: UInt16)] = Array(repeating: (0..<0, 0), count: 5)

  mutating func place(of word: String, _ all: inout [String]) -> UInt16 {
    if let place = places[word] { return place }
    // A batch has at most 5000 entries of five words each.
    let place = UInt16(all.count)
    all.append(word)
    places[word] = place
    return place
  }

  mutating func place(
    of range: Range<Int>?, in text: [UInt8], _ column: Column, _ all: inout [String]
  ) -> UInt16 {
    guard let range else { return 0 }
    let known = last[column.rawValue]
    if text.span.isEqual(known.text, range) { return known.place }
    let place = place(of: String(decoding: text[range], as: UTF8.self), &all)
    last[column.rawValue] = (range, place)
    return place
  }
}

/// When a sample began and ended, to the millisecond, as its entry says it (R44).
package struct SampleTimes: Hashable, Sendable {
  /// Milliseconds since 1970.
  package let start: Int
  /// Milliseconds from the start to `end_timestamp`; nil without one.
  package let length: Int?

  package init(start: Int, length: Int?) { (self.start, self.length) = (start, length) }

  /// Where the sample ends, in whole seconds.
  package var end: Timestamp { EntryMoment(milliseconds: start + (length ?? 0)).timestamp }
}

/// What a queue remembers of a sample, so that it can file its deletion (R47).
package struct RememberedSample: Hashable, Sendable {
  /// The sample's own id.
  package let uuid: UInt128
  package let times: SampleTimes

  /// Reads it from the canonical bytes of an entry of `healthKit`.
  ///
  /// Nil for a sample without an id of its own.
  package init?(_ bytes: [UInt8]) {
    guard let entry = try? JSONValue(parsing: bytes) else { return nil }
    func moment(_ name: String) -> Int? {
      entry[name]?.stringValue.flatMap { EntryMoment($0)?.milliseconds }
    }
    guard let start = moment("timestamp"),
      let uuid = entry["uuid"]?.stringValue.flatMap({ UUIDText.value(Array($0.utf8).span) })
    else { return nil }
    self.uuid = uuid
    times = SampleTimes(start: start, length: moment("end_timestamp").map { $0 - start })
  }
}

extension StreamEntry {
  /// A deletion with the times of the sample that it deletes.
  package func filed(at times: SampleTimes) -> StreamEntry {
    guard case .object(var members)? = try? JSONValue(parsing: bytes) else { return self }
    func text(_ milliseconds: Int) -> JSONValue {
      .string(EntryMoment(milliseconds: milliseconds).text)
    }
    members["timestamp"] = text(times.start)
    members["end_timestamp"] = times.length.map { text(times.start + $0) }
    return (try? StreamEntry(.object(members), of: stream)) ?? self
  }
}
