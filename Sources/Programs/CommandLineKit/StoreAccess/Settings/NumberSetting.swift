import HealthLedger

/// A whole number of the settings, and the origin of that setting.
package struct NumberSetting: Hashable, Sendable {
  /// What the number counts.
  package struct Kind: Sendable {
    let name: String
    /// The numbers that are allowed.
    package let allowed: ClosedRange<Int>
    let remedy: LedgerError.Remedy

    /// How many days before today a collector's run looks at, 0 for today alone, up to ten years
    /// (R49).
    package static let catchUpDays = Kind(
      name: "catch_up_days", allowed: 0...3660,
      remedy: "write the number of days before today, such as 7")

    /// The steps to reach in a day.
    package static let stepGoal = Kind(
      name: "step_goal", allowed: 1...1_000_000, remedy: "write a number of steps, such as 10000")

    /// How often one request is sent at most.
    package static let maxAttempts = Kind(
      name: "max_attempts", allowed: 1...100, remedy: "write a number of attempts, such as 10")
  }

  package let number: Int
  package let origin: String

  /// The step goal of who has set none.
  package static let usualStepGoal = 10_000

  /// The value of a variable or of the configuration file; nil if there is none.
  init?(_ found: Sourced<String>?, of kind: Kind) throws(LedgerError) {
    guard let found else { return nil }
    guard let number = Int(found.value), kind.allowed.contains(number) else {
      throw LedgerError(
        .invalidArguments,
        "\(found.origin): \(kind.name) is \"\(found.value.prefix(40))\", not a number from "
          + "\(kind.allowed.lowerBound) to \(kind.allowed.upperBound)",
        remedy: kind.remedy)
    }
    (self.number, origin) = (number, found.origin)
  }
}
