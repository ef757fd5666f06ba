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
