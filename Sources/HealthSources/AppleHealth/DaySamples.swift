internal import AppleExport
internal import HealthModel
internal import HealthSamples

/// The samples that bear on one day, by kind and in the order of their starts.
struct DaySamples {
  private var counted: [[QuantitySample]]
  private var unconvertible: [[QuantitySample]]
  private var count = 0
  /// By kind, the latest end of samples for which there was no room.
  private var overflow: [Int]

  /// Most samples of one day, of all kinds: 13 MB. A watch writes some ten thousand.
  static let capacity = 400_000

  init() {
    overflow = Array(repeating: .min, count: SampleKind.allCases.count)
    counted = Array(repeating: [], count: SampleKind.allCases.count)
    unconvertible = counted
  }

  /// The samples of a kind, in the unit in which it is counted.
  subscript(kind: SampleKind) -> [QuantitySample] { counted[Int(kind.rawValue)] }

  /// The samples of a kind whose unit can't be converted.
  func unconvertible(_ kind: SampleKind) -> [QuantitySample] { unconvertible[Int(kind.rawValue)] }

  /// True where samples of a kind found no room: no number can be had from the others.
  func isOverfull(_ kind: SampleKind) -> Bool { overflow[Int(kind.rawValue)] != .min }

  /// Whether there is, or was, any sample of a kind.
  func holds(_ kind: SampleKind) -> Bool {
    let kind = Int(kind.rawValue)
    return !counted[kind].isEmpty || !unconvertible[kind].isEmpty || overflow[kind] != .min
  }

  var isEmpty: Bool { count == 0 }

  mutating func add(_ sample: PackedSample) {
    guard count < Self.capacity else {
      overflow[sample.kind] = max(overflow[sample.kind], sample.quantity.extent.upperBound)
      return
    }
    count += 1
    if sample.isConvertible {
      counted[sample.kind].append(sample.quantity)
    } else {
      unconvertible[sample.kind].append(sample.quantity)
    }
  }

  /// Lets go of what ends with the day, and of sleep that ends with the night.
  mutating func drop(endingBy end: Int, sleepEndingBy evening: Int) {
    count = 0
    for kind in counted.indices {
      let last = kind == Int(SampleKind.sleepAnalysis.rawValue) ? evening : end
      counted[kind].removeAll { $0.end <= last }
      unconvertible[kind].removeAll { $0.end <= last }
      count += counted[kind].count + unconvertible[kind].count
      if overflow[kind] <= last { overflow[kind] = .min }
    }
  }

  /// The sleep samples as intervals.
  var sleep: [SleepSample] {
    self[.sleepAnalysis].compactMap(\.sleep)
  }

  /// The sleep samples that begin in a night, as they are, in the order of their starts.
  func segments(of night: Range<Int>, _ sources: SourceTable) -> [SleepSegment] {
    var segments: [SleepSegment] = []
    for sample in self[.sleepAnalysis] where night.contains(sample.start) {
      guard let value = sample.sleep?.value else { continue }
      segments.append(SleepSegment(value, sample, from: sources.source(sample.source)))
    }
    segments.sort { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    // What was also typed in by hand is the same but for that mark.
    return segments.enumerated()
      .filter { $0.offset == 0 || segments[$0.offset - 1].id != $0.element.id }.map(\.element)
  }
}

extension QuantitySample {
  /// The sample as one of sleep; nil where its number is no `SleepValue`.
  var sleep: SleepSample? {
    SleepValue(rawValue: Int(quantity)).map {
      SleepSample(value: $0, range: start..<end, source: source)
    }
  }
}
