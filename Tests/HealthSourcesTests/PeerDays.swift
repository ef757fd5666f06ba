import Foundation
import HealthModel
import HealthSources
import TestSupport

/// The numbers of days that an independent counter found (`Tests/Peers/health_days.py`), and the required
/// metrics for which no number can stand.
struct PeerDays: Decodable {
  let days: [String: [String: Double]]
  let unsupported: [String: [String]]

  /// Where our days differ from the peer's, of the metrics that the input has.
  func differences(from ours: [DayReadings], among known: Set<String>? = nil) -> [String] {
    var found: [String] = []
    let own = Dictionary(uniqueKeysWithValues: ours.map { ("\($0.date)", $0.readings) })
    for date in Set(own.keys).union(days.keys).union(unsupported.keys).sorted() {
      let readings = (own[date] ?? [:]).map { ($0.rawValue, $1, $0.isRequired) }
      let numbers = Dictionary(
        uniqueKeysWithValues: readings.compactMap { key, reading, _ in
          known?.contains(key) == false ? nil : reading.number.map { (key, $0) }
        })
      let theirs = (days[date] ?? [:]).filter { known?.contains($0.key) != false }
      for key in Set(numbers.keys).union(theirs.keys).sorted()
      where !Self.isClose(numbers[key], theirs[key], key == "steps" ? 0.500_001 : 0) {
        found.append("\(date) \(key): \(numbers[key] ?? -1), the peer \(theirs[key] ?? -1)")
      }
      let refused = readings.filter { $1 == .unsupported && $2 }.map(\.0).sorted()
      if refused != unsupported[date] ?? [] {
        found.append("\(date): unsupported \(refused), the peer \(unsupported[date] ?? [])")
      }
    }
    return found
  }

  /// Whether two numbers are the same to six decimals of our unit, or nine digits, or there is neither.
  static func isClose(_ one: Double?, _ other: Double?, _ slack: Double = 0) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= max(slack, 2e-6, 1e-9 * abs(other))
  }
}
