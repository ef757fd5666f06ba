internal import AppleExport
package import HealthModel

/// A sample of an export as it is remembered between two exports: whether it is there, and how
/// often it was gone before (R45).
struct SnapshotRecord {
  let sample: PackedSample
  /// 0 for a sample that was never gone. A sample that comes back is another one to readers,
  /// because to them a deletion is final.
  let generation: Int
  /// Whether the last export did not have it.
  let isGone: Bool

  /// Words of a record in a file.
  static let wordCount = PackedSample.wordCount + 1

  init(_ sample: PackedSample, generation: Int = 0, isGone: Bool = false) {
    (self.sample, self.generation, self.isGone) = (sample, generation, isGone)
  }

  init(words: ArraySlice<UInt64>) {
    sample = PackedSample(words: words)
    let state = words[words.startIndex + PackedSample.wordCount]
    (generation, isGone) = (Int(state >> 1), state & 1 == 1)
  }

  func append(to words: inout [UInt64]) {
    sample.append(to: &words)
    words.append(UInt64(generation) << 1 | (isGone ? 1 : 0))
  }

  /// What the newer of two exports makes of a record: kept, gone or back.
  static func merged(_ old: SnapshotRecord?, isThere: Bool, _ sample: PackedSample)
    -> SnapshotRecord
  {
    guard let old else { return SnapshotRecord(sample) }
    guard isThere else {
      return SnapshotRecord(sample, generation: old.generation, isGone: true)
    }
    return SnapshotRecord(sample, generation: old.generation + (old.isGone ? 1 : 0))
  }
}

/// A sample of an export in the words of a stream.
package struct SnapshotSample: Hashable, Sendable {
  package let kind: SampleKind
  package let start: Int
  package let end: Int
  /// As HealthKit has it: a fraction for a percentage, the raw value of a category. As written, where
  /// the unit can't be converted.
  package let value: Double
  /// HealthKit's spelling; empty for a category, and `?` where it can't be converted.
  package let unit: String
  package let source: String
  package let hardware: String
  package let isUserEntered: Bool
  /// A UUID made of all of these, of the number among samples that say the same, and of the
  /// generation (R45), in lower case.
  package let id: String

  init?(_ record: SnapshotRecord, _ sources: [ExportSource]) {
    guard let kind = SampleKind(rawValue: UInt8(record.sample.kind)) else { return nil }
    let quantity = record.sample.quantity
    let number = quantity.source / 2
    guard sources.indices.contains(number) else { return nil }
    let source = sources[number]
    (self.kind, start, end) = (kind, quantity.start, quantity.end)
    (self.source, hardware) = (source.name, source.hardware)
    isUserEntered = quantity.source % 2 == 1
    switch kind {
    case _ where !record.sample.isConvertible:
      (value, unit) = (quantity.quantity, kind.isCategory ? "" : SampleUnit.unknown.rawValue)
    case .appleStandHour:
      // Counted as 1 where somebody stood, which HealthKit writes as 0.
      let stood = quantity.quantity > 0 ? StandValue.stood : .idle
      (value, unit) = (Double(stood.rawValue), "")
    case .sleepAnalysis, .mindfulSession: (value, unit) = (quantity.quantity, "")
    case _ where kind.unit == .percent:
      (value, unit) = (quantity.quantity / 100, SampleUnit.percent.rawValue)
    default: (value, unit) = (quantity.quantity, kind.unit.rawValue)
    }
    let entry = record.sample.number == 0 ? "" : "\u{1F}entry \(record.sample.number + 1)"
    let generation = record.generation == 0 ? "" : "\u{1F}\(record.generation)"
    id =
      SampleIdentity(
        type: kind.identifier, source: source.name, hardware: source.hardware,
        start: Int64(start), end: Int64(end), value: "\(value)",
        unit: unit + (isUserEntered ? "\u{1F}by hand" : "") + entry + generation
      ).uuid
  }
}
