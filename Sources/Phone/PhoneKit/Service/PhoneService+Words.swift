import HealthEvents
import HealthModel

/// The log, and the notifications to the person.
extension PhoneService {
  /// Writes a line to the log. A log that can't be written stops nothing.
  func log(
    _ kind: LogEvent.Kind, _ message: String, _ details: [String: JSONValue] = [:]
  ) {
    try? events.append(LogEvent(kind, at: environment.now(), message, details: details))
  }

  /// Writes a message from a sensor's adapter, such as "Audio interruption began".
  public func log(type: String, _ message: String) {
    try? events.append(LogEvent(type: type, at: environment.now(), message))
  }

  /// All lines of the log that can be read, the oldest first.
  public func logLines() throws -> [LogLine] {
    var reader = EventLogReader(events)
    defer { reader.end() }
    var lines: [LogLine] = []
    while case let more = try reader.next(), !more.isEmpty { lines += more.map(LogLine.init) }
    return lines
  }

  /// Notifies the person of news. If the state can't be saved, as on a full disk, the person is still
  /// notified, once while the app runs.
  func tell(_ happened: [NotificationMachine.Event]) async {
    let (now, interval) = (environment.now(), settings.notifyHours * 3600)
    var shown: [NotificationMachine.Notification] = []
    do {
      shown = try notices.take(happened, at: now, every: interval)
      unkeptNotices = NotificationMachine()
    } catch {
      for event in happened { shown += unkeptNotices.take(event, at: now, every: interval) }
    }
    for notice in shown {
      await environment.notify(PhoneEnvironment.notificationTitle, notice.message)
    }
  }

  func failed(
    _ service: NotificationMachine.Service, _ kind: LogEvent.Kind, _ reason: String,
    isOffline: Bool = false, _ details: [String: JSONValue] = [:]
  ) async {
    log(kind, reason, details)
    await tell([.failed(service, reason: reason, isOffline: isOffline)])
  }
}
