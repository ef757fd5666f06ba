import HealthLedger

/// How the person hears of what the program did (docs/STREAMS.md).
package struct NotificationSetting: Hashable, Sendable {
  /// A command of the shell, which gets S3HEALTH_EVENT, S3HEALTH_TITLE and S3HEALTH_MESSAGE.
  package let command: String
  /// Where the command was set.
  package let origin: String
  /// Seconds between regular messages; nil for none.
  package let interval: Int?

  /// Twelve hours.
  static let defaultInterval = 43_200
  /// Six hours to twelve: more often is noise, more seldom does not show that it still runs.
  static let intervals = 21_600...43_200

  /// The command and the interval as given; nil where there is no command.
  init?(_ command: Sourced<String>?, every: Sourced<String>?) throws(LedgerError) {
    guard let command, !command.value.isEmpty else { return nil }
    (self.command, origin) = (command.value, command.origin)
    guard let every else {
      interval = Self.defaultInterval
      return
    }
    if every.value == "off" {
      interval = nil
      return
    }
    guard let duration = DurationText(every.value), Self.intervals.contains(duration.seconds) else {
      throw LedgerError(
        .invalidArguments,
        "\(every.origin): \"\(every.value.prefix(40))\" is not a valid interval of notifications",
        remedy: "use 6h to 12h, or off")
    }
    interval = duration.seconds
  }
}
