internal import AppleExport
internal import DayCounting
internal import HealthSamples

/// A sample in three words, so that millions fit in little memory; the value is in the unit in
/// which its kind is counted.
///
/// In order of start, kind and source, so that equal records follow one another whatever the order
/// of the file.
struct PackedSample: Comparable {
  /// From the top: 36 bits of start, 7 of kind, 16 of source, typed by hand, unit unknown.
  private let head: UInt64
  /// Seconds from start to end.
  private let length: UInt64
  private let value: UInt64

  /// Words of one sample in a spool.
  static let wordCount = 3

  /// Seconds since 1970 that a sample may begin at: the years 1900 to 2199.
  static let starts = QuantitySample.starts

  /// `start` within `starts`, `length` of 0 to `QuantitySample.longestStretch`.
  init(
    start: Int, length: Int, kind: SampleKind, source: UInt16, isUserEntered: Bool,
    isConvertible: Bool, value: Double
  ) {
    head =
      UInt64(start - Self.starts.lowerBound) << 28 | UInt64(kind.rawValue) << 21
      | UInt64(source) << 5 | (isUserEntered ? 1 << 4 : 0) | (isConvertible ? 0 : 1 << 3)
    self.length = UInt64(length)
    self.value = value.bitPattern
  }

  var start: Int { Int(head >> 28) + Self.starts.lowerBound }
  var kind: Int { Int(head >> 21 & 127) }
  var isConvertible: Bool { head >> 3 & 1 == 0 }

  /// As a sample of a source's typed or measured values (`SourceTable`).
  var quantity: QuantitySample {
    QuantitySample(
      start: start, end: start + Int(length), quantity: Double(bitPattern: value),
      source: Int(head >> 4 & 0x1FFFF))
  }

  static func < (a: PackedSample, b: PackedSample) -> Bool {
    if a.head != b.head { return a.head < b.head }
    if a.length != b.length { return a.length < b.length }
    return a.value < b.value
  }

  init(words: ArraySlice<UInt64>) {
    head = words[words.startIndex]
    length = words[words.startIndex + 1]
    value = words[words.startIndex + 2]
  }

  func append(to words: inout [UInt64]) {
    words.append(head)
    words.append(length)
    words.append(value)
  }
}

extension LeftOut: Error {}

extension PackedSample {
  /// A sample of an export in the unit in which it is counted, or why it does not count.
  ///
  /// - Parameter source: the number of its source, if not the export's own.
  static func packing(
    _ sample: ExportSample, source: UInt16? = nil
  ) -> Result<PackedSample, LeftOut> {
    let (start, end) = (Int(sample.start), Int(sample.end))
    do throws(SampleFault) {
      let quantity = try sample.kind.checked(
        sample.value, in: sample.unit, from: start, to: end)
      return .success(
        PackedSample(
          start: start, length: end - start, kind: sample.kind, source: source ?? sample.source,
          isUserEntered: sample.isUserEntered, isConvertible: quantity != nil,
          value: quantity ?? sample.value))
    } catch {
      return .failure(LeftOut(error))
    }
  }
}

extension LeftOut {
  fileprivate init(_ fault: SampleFault) {
    self =
      switch fault {
      case .date: .date
      case .endsBeforeStart: .endsBeforeStart
      case .tooLong: .tooLong
      case .value: .value
      }
  }
}
