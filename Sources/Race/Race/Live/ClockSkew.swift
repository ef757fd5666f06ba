package import HealthModel
import Synchronization

/// How wrong the clock of a writer's machine is.
package enum ClockSkew: String, Codable, CaseIterable, Hashable, Sendable {
  case none
  case quarterAhead = "15 minutes ahead"
  case tenYearsBehind = "10 years behind"
  case backwards = "running backwards"
  case quarterBehind = "15 minutes behind"
  case tenYearsAhead = "10 years ahead"
}

/// A machine's clock with an error.
package final class SkewedClock: Sendable {
  private let skew: ClockSkew
  private let start: Timestamp
  private let readings = Counter()
  private let machine: @Sendable () -> Timestamp

  package init(_ skew: ClockSkew, machine: @escaping @Sendable () -> Timestamp) {
    (self.skew, self.machine) = (skew, machine)
    start = machine()
  }

  /// The time that it shows. If it runs backwards, each reading is a second before the previous
  /// one.
  package func now() -> Timestamp {
    switch skew {
    case .none: machine()
    case .quarterAhead: machine().adding(seconds: 900)
    case .quarterBehind: machine().adding(seconds: -900)
    case .tenYearsAhead: machine().adding(seconds: 10 * Self.year)
    case .tenYearsBehind: machine().adding(seconds: -10 * Self.year)
    case .backwards: start.adding(seconds: -readings.next())
    }
  }

  private static let year = 31_556_952
}

/// A number that several tasks increment.
final class Counter: Sendable {
  private let value = Atomic(0)

  /// The next number, from 0.
  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// Sets the number and returns the old one.
  func exchange(_ new: Int) -> Int { value.exchange(new, ordering: .relaxed) }
}
