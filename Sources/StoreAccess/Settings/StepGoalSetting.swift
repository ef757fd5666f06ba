import HealthLedger

/// The steps to reach in a day (LV-8), and the origin of that setting.
package struct StepGoalSetting: Hashable, Sendable {
  /// The number of steps.
  package let steps: Int
  package let origin: String

  /// The goal of who has set none.
  package static let usual = 10_000
  /// The numbers that are allowed.
  package static let allowed = 1...1_000_000

  /// The value of a variable or of the configuration file; nil if there is none.
  init?(_ found: Given<String>?) throws(SettingsError) {
    guard let found else { return nil }
    guard let number = Int(found.value), Self.allowed.contains(number) else {
      throw SettingsError(
        "\(found.origin): step_goal is \"\(found.value.prefix(40))\", not a number from 1 to "
          + "\(Self.allowed.upperBound)",
        remedy: "write a number of steps, such as 10000")
    }
    (steps, origin) = (number, found.origin)
  }
}
