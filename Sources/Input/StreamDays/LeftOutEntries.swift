package import HealthModel

/// How many entries were not counted, and why.
package struct LeftOutEntries: Hashable, Sendable {
  /// By type, for types of which no metric is made.
  package private(set) var types: [String: Int] = [:]
  /// Those that last too long.
  package private(set) var tooLong = 0
  /// Those that begin before 2000 or after their receipt.
  package private(set) var time = 0
  /// Categories with a value that is not known.
  package private(set) var category = 0
  /// Samples that the counting left out, by its reasons.
  package private(set) var samples: [LeftOut: Int] = [:]

  package init() {}

  mutating func add(_ fault: TypedSample.Fault) {
    switch fault {
    case .type(let type): types[type, default: 0] += 1
    case .tooLong: tooLong += 1
    case .time: time += 1
    }
  }

  /// Counts a category's value that is not known.
  mutating func addCategory() { category += 1 }

  mutating func add(_ counts: [LeftOut: Int]) { samples.merge(counts, uniquingKeysWith: +) }

  /// Adds those of another day.
  package mutating func add(_ other: LeftOutEntries) {
    types.merge(other.types, uniquingKeysWith: +)
    (tooLong, time) = (tooLong + other.tooLong, time + other.time)
    category += other.category
    add(other.samples)
  }

  /// A sentence for each reason, for people.
  package var words: [String] {
    var words: [String] = []
    let unknown = types.values.reduce(0, +)
    if unknown > 0 {
      let names = types.keys.sorted().joined(separator: ", ")
      words.append("\(Self.samples(unknown)) of types that no metric is made of: \(names)")
    }
    if tooLong > 0 { words.append("\(Self.samples(tooLong)) longer than 28 hours not counted") }
    if time > 0 {
      words.append("\(Self.samples(time)) dated before 2000 or after their receipt not counted")
    }
    if category > 0 { words.append("\(Self.samples(category)) with an unknown category value") }
    for (reason, text) in Self.reasons {
      if let count = samples[reason], count > 0 {
        words.append("\(Self.samples(count)) \(text)")
      }
    }
    return words
  }

  private static func samples(_ count: Int) -> String {
    count == 1 ? "1 sample" : "\(count) samples"
  }

  private static let reasons: [(LeftOut, String)] = [
    (.unit, "in a unit that can't be converted"), (.value, "with a value out of range not counted"),
    (.unpaired, "of a blood pressure without its other half not counted"),
  ]
}
