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

  /// The command and the interval as given; nil where there is no command. A wrong interval is an
  /// error all the same: it would be one as soon as there is a command.
  init?(_ command: Sourced<String>?, every: Sourced<String>?) throws(LedgerError) {
    let interval: Int? = try every.map(Self.seconds) ?? Self.defaultInterval
    guard let command else { return nil }
    (self.command, origin, self.interval) = (command.value, command.origin, interval)
  }

  private static func seconds(_ every: Sourced<String>) throws(LedgerError) -> Int? {
    if every.value == "off" { return nil }
    guard let duration = DurationText(every.value), intervals.contains(duration.seconds) else {
      throw LedgerError(
        .invalidArguments,
        "\(every.origin): \"\(every.value.prefix(40))\" is not a valid interval of notifications",
        remedy: "use 6h to 12h, or off")
    }
    return duration.seconds
  }
}
