import HealthLedger

/// How many days before today a collector's run looks at (R49), and the origin of that setting.
package struct CatchUpSetting: Hashable, Sendable {
  /// The number of days; 0 for today alone.
  package let days: Int
  package let origin: String

  /// The numbers that are allowed: up to ten years.
  package static let allowed = 0...3660

  /// The value of a variable or of the configuration file; nil if there is none.
  init?(_ found: Given<String>?) throws(SettingsError) {
    guard let found else { return nil }
    guard let number = Int(found.value), Self.allowed.contains(number) else {
      throw SettingsError(
        "\(found.origin): catch_up_days is \"\(found.value.prefix(40))\", not a number from 0 to "
          + "\(Self.allowed.upperBound)",
        remedy: "write the number of days before today, such as 7")
    }
    (days, origin) = (number, found.origin)
  }
}
