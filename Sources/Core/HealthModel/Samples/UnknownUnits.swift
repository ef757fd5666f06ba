/// The units of samples that can't be converted, each with its metric and how often it comes, for whoever
/// sent them (R18).
package struct UnknownUnits: Hashable, Sendable {
  private var counts: [String: Int] = [:]
  /// How many there are.
  package private(set) var count = 0

  /// Most units that are kept, most that are named, and the most characters of one.
  private static let (kept, named, longest) = (1000, 10, 40)

  package init() {}

  /// Counts a sample with a unit, as it is spelled.
  package mutating func add(_ unit: String, of kind: SampleKind) {
    let unit = unit.isEmpty ? "no unit" : "'\(unit.prefix(Self.longest))'"
    let metric = DailyMetric.allCases.first { $0.kind == kind }?.rawValue ?? kind.identifier
    add(1, of: "\(unit) of \(metric), which is counted in \(kind.unit.rawValue)")
  }

  private mutating func add(_ number: Int, of name: String) {
    count += number
    guard counts[name] != nil || counts.count < Self.kept else { return }
    counts[name, default: 0] += number
  }

  /// Counts those of another input too.
  package mutating func take(_ other: UnknownUnits) {
    let unnamed = other.count - other.counts.values.reduce(0, +)
    for (name, number) in other.counts.sorted(by: { $0.key < $1.key }) { add(number, of: name) }
    count += unnamed
  }

  /// What they are, and what to do; nil if there are none.
  package var words: String? {
    guard count > 0 else { return nil }
    let sorted = counts.sorted { $0.key < $1.key }
    var names = sorted.prefix(Self.named).map { "\($0.key) (\($0.value))" }
    if sorted.count > names.count { names.append("and \(sorted.count - names.count) more") }
    let samples = count == 1 ? "1 sample" : "\(count) samples"
    return "\(samples) in a unit that can't be converted: " + names.joined(separator: "; ")
      + "; give it in a unit that measures the same"
  }
}
