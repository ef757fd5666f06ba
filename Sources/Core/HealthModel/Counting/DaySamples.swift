/// The samples that bear on one day, by kind and in the order of their starts.
package struct DaySamples {
  private var counted: [[QuantitySample]]
  private var unconvertible: [[QuantitySample]]
  private var count = 0
  /// By kind, the latest end of samples for which there was no room.
  private var overflow: [Int]

  /// Most samples of one day, of all kinds: 13 MB. A watch writes some ten thousand.
  package static let capacity = 400_000

  package init() {
    overflow = Array(repeating: .min, count: SampleKind.allCases.count)
    counted = Array(repeating: [], count: SampleKind.allCases.count)
    unconvertible = counted
  }

  /// The samples of a kind, in the unit in which it is counted.
  package subscript(kind: SampleKind) -> [QuantitySample] { counted[Int(kind.rawValue)] }

  /// The samples of a kind whose unit can't be converted.
  package func unconvertible(_ kind: SampleKind) -> [QuantitySample] {
    unconvertible[Int(kind.rawValue)]
  }

  /// True where samples of a kind found no room: no number can be had from the others.
  package func isOverfull(_ kind: SampleKind) -> Bool { overflow[Int(kind.rawValue)] != .min }

  /// Whether there is, or was, any sample of a kind.
  package func holds(_ kind: SampleKind) -> Bool {
    let kind = Int(kind.rawValue)
    return !counted[kind].isEmpty || !unconvertible[kind].isEmpty || overflow[kind] != .min
  }

  package var isEmpty: Bool { count == 0 }

  /// - Parameter kind: the number of its kind.
  package mutating func add(_ sample: QuantitySample, kind: Int, isConvertible: Bool) {
    guard count < Self.capacity else {
      overflow[kind] = max(overflow[kind], sample.extent.upperBound)
      return
    }
    count += 1
    if isConvertible {
      counted[kind].append(sample)
    } else {
      unconvertible[kind].append(sample)
    }
  }

  /// Lets go of what ends with the day, and of sleep that ends with the night.
  package mutating func drop(endingBy end: Int, sleepEndingBy evening: Int) {
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
  package var sleep: [SleepSample] {
    self[.sleepAnalysis].compactMap(\.sleep)
  }
}

extension QuantitySample {
  /// The sample as one of sleep; nil where its number is not a `SleepValue`.
  package var sleep: SleepSample? {
    SleepValue(rawValue: Int(quantity)).map {
      SleepSample(value: $0, range: start..<end, source: source)
    }
  }
}

/// One sample of a quantity, in the unit in which its metric is counted.
package struct QuantitySample {
  /// Seconds since 1970.
  package let start: Int
  /// Seconds since 1970; never before `start`.
  package let end: Int
  /// 0 or more.
  package let quantity: Double
  /// Which of the sources in the order that goes with the samples.
  package let source: Int

  @inlinable
  package init(start: Int, end: Int, quantity: Double, source: Int) {
    (self.start, self.end, self.quantity, self.source) = (start, end, quantity, source)
  }

  /// Seconds since 1970 that a sample may begin at: the years 1900 to 2199.
  package static let starts = -2_208_988_800..<7_258_118_400

  /// Longest stretch that a sample may span; samples of 12 days have been seen.
  package static let longestStretch = 31 * 86_400

  /// More than a day can hold in any unit; larger ones could add up to infinity.
  package static let greatestQuantity = 1e12

  /// The seconds that the sample stands for: a sample of a single moment stands for its minute.
  package var extent: Range<Int> {
    if end > start { return start..<end }
    let minute = start.dividedDown(by: 60) * 60
    return minute..<minute + 60
  }

  /// The second that decides the day of an average.
  package var middle: Int { start + (end - start) / 2 }
}

/// Finds the blood pressures that have their other half.
///
/// Systolic and diastolic pressure are two records of one measurement: of the same source, start and
/// end. One without the other is half a measurement, and counts in no mean (R18).
package struct PressureHalves {
  /// What the two records of one measurement share, whatever of them was typed in by hand.
  private struct Measurement: Hashable {
    let start: Int
    let end: Int
    let source: Int

    init(_ sample: QuantitySample) {
      (start, end, source) = (sample.start, sample.end, sample.source / 2)
    }
  }

  // Two sets, and not a search of all: a hostile file may have a million in one moment.
  private var halves: [Int: Set<Measurement>] = [:]

  package static let systolic = Int(SampleKind.bloodPressureSystolic.rawValue)
  package static let diastolic = Int(SampleKind.bloodPressureDiastolic.rawValue)

  package init() {}

  private static func isPressure(_ kind: Int) -> Bool { kind == systolic || kind == diastolic }

  /// Adds a sample, if it is one of the two.
  package mutating func add(_ sample: QuantitySample, kind: Int) {
    if Self.isPressure(kind) { halves[kind, default: []].insert(Measurement(sample)) }
  }

  /// Whether a sample counts: its other half was added, or it is not of a blood pressure.
  package func isPaired(_ sample: QuantitySample, kind: Int) -> Bool {
    let other = kind == Self.systolic ? Self.diastolic : Self.systolic
    return !Self.isPressure(kind) || halves[other]?.contains(Measurement(sample)) ?? false
  }
}

/// Who wrote samples. A writer has two numbers: an even one for what was measured, and the next for what was
/// typed in.
package struct SampleWriters: Sendable {
  private struct Writer: Hashable, Comparable {
    let name: String
    let hardware: String

    static func < (a: Writer, b: Writer) -> Bool { (a.name, a.hardware) < (b.name, b.hardware) }
  }

  private var writers: [Writer] = []
  private var numbers: [Writer: Int] = [:]
  /// Most samples are of the writer of the one before.
  private var last = 0
  /// By number.
  package private(set) var order: [SourcePriority] = []

  package init() {}

  /// Those of some samples, by numbers that do not depend on the order of these.
  package init(of samples: [TypedSample]) {
    for sample in samples { _ = number(of: sample) }
    let sorted = writers.sorted()
    self = SampleWriters()
    for writer in sorted { add(writer) }
  }

  /// The number of a sample's writer, who is new or known.
  package mutating func number(of sample: TypedSample) -> Int {
    let isLast =
      last < writers.count && writers[last].name == sample.source
      && writers[last].hardware == sample.hardware
    if !isLast {
      let writer = Writer(name: sample.source, hardware: sample.hardware)
      last = numbers[writer] ?? writers.count
      if last == writers.count { add(writer) }
    }
    return last * 2 + (sample.isUserEntered ? 1 : 0)
  }

  private mutating func add(_ writer: Writer) {
    numbers[writer] = writers.count
    writers.append(writer)
    order += [false, true].map {
      SourcePriority(
        name: writer.name, hardware: writer.hardware, isUserEntered: $0, preferred: [])
    }
  }

  /// What the label `source` says of a number.
  package func label(_ number: Int) -> String {
    let writer = writers[number / 2]
    return SourceLabel.text(
      name: writer.name, hardware: writer.hardware, isUserEntered: number % 2 == 1)
  }
}
