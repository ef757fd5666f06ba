package import HealthModel

/// One thing that happened, as the log keeps it.
package struct LogEvent: Hashable, Sendable {
  /// What happened. Readers take any name.
  package enum Kind: String, CaseIterable, Sendable {
    case syncSucceeded = "sync_succeeded"
    case syncFailed = "sync_failed"
    case syncRecovered = "sync_recovered"
    case collectSucceeded = "collect_succeeded"
    case collectFailed = "collect_failed"
    case pushSucceeded = "push_succeeded"
    case pushFailed = "push_failed"
    case pushRecovered = "push_recovered"
    /// There were no values to push (R57).
    case nothingToPush = "nothing_to_push"
    case serviceStarted = "service_started"
    case serviceStopped = "service_stopped"
    case storageLow = "storage_low"
    /// Unconfirmed entries were dropped, and their gap recorded.
    case entriesDropped = "entries_dropped"
    /// The command that shows notifications failed.
    case notificationFailed = "notification_failed"
  }

  package let timestamp: Timestamp
  /// A `Kind`, or what another version wrote.
  package let type: String
  package let message: String
  /// Further members, such as `stream` and `bytes`.
  package let details: [String: JSONValue]

  package init(
    _ kind: Kind, at timestamp: Timestamp, _ message: String, details: [String: JSONValue] = [:]
  ) {
    self.init(type: kind.rawValue, at: timestamp, message, details: details)
  }

  /// An event of a type that no program writes, such as those of an app.
  package init(
    type: String, at timestamp: Timestamp, _ message: String, details: [String: JSONValue] = [:]
  ) {
    (self.timestamp, self.type, self.details) = (timestamp, type, details)
    self.message = message.count > 500 ? message.prefix(499) + "…" : message
  }

  /// A line of the log; nil if it is not one.
  init?(line: some Sequence<UInt8>) {
    guard case .object(var members) = try? JSONValue(parsing: Array(line), maximumDepth: 8),
      let timestamp = members.removeValue(forKey: "timestamp")?.stringValue.flatMap({
        Timestamp($0)
      }),
      let type = members.removeValue(forKey: "type")?.stringValue,
      let message = members.removeValue(forKey: "message")?.stringValue
    else { return nil }
    (self.timestamp, self.type, self.message) = (timestamp, type, message)
    details = members
  }

  /// The event as the log has it.
  package var document: JSONValue {
    .object(
      details.merging([
        "timestamp": .string(timestamp.description), "type": .string(type),
        "message": .string(message),
      ]) { _, own in own })
  }
}
