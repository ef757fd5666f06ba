import Foundation
package import HealthEvents
package import HealthModel
import Subprocess

/// Where a command reports what happened: the log, and the person's notifications (docs/STREAMS.md).
///
/// Neither can fail the command. What goes wrong here is a remark on stderr.
package struct EventRecorder: Sendable {
  private let log: EventLog
  private let state: NotificationState
  /// A command of the shell, which gets S3HEALTH_EVENT, S3HEALTH_TITLE and S3HEALTH_MESSAGE.
  private let command: String?
  private let interval: Int?

  /// The log of this user, and the notifications that the settings ask for.
  package init(_ settings: StoreSettings) {
    log = EventLog(folder: settings.directories.data)
    state = NotificationState(folder: settings.directories.data)
    command = settings[.notifyCommand]?.value
    interval = settings.notificationInterval
  }

  package func record(_ event: LogEvent) {
    do {
      try log.append(event)
    } catch {
      StandardStreams.remark("note: the log \(log.path) can't be written: \(error.reason)")
    }
  }

  /// Notifies the person of what is news, and waits until the command has ended.
  package func notify(_ events: [NotificationMachine.Event], at now: Timestamp) async {
    guard let command else { return }
    let notifications: [NotificationMachine.Notification]
    do {
      notifications = try state.take(events, at: now, every: interval)
    } catch {
      StandardStreams.remark(
        "note: the state of notifications \(state.path) can't be kept: \(error.reason)")
      return
    }
    for notification in notifications {
      guard let failure = await show(notification, by: command) else { continue }
      record(
        LogEvent(
          .notificationFailed, at: now, failure, details: ["event": .string(notification.name)]))
      StandardStreams.remark("note: \(failure)")
    }
  }

  /// Logs that a service goes on by itself from now, or that it has ended.
  package func service(
    _ service: NotificationMachine.Service, hasStarted: Bool, at now: Timestamp, _ message: String
  ) async {
    record(LogEvent(hasStarted ? .serviceStarted : .serviceStopped, at: now, message))
    await notify([hasStarted ? .started(service) : .stopped(service)], at: now)
  }

  /// Runs the command; why it failed, or nil. What it prints is not of interest.
  private func show(
    _ notification: NotificationMachine.Notification, by command: String
  ) async -> String? {
    // The texts go through the environment: nothing of them is read by the shell.
    let variables: [Subprocess.Environment.Key: String?] = [
      "S3HEALTH_EVENT": notification.name, "S3HEALTH_TITLE": "s3health",
      "S3HEALTH_MESSAGE": "s3health: \(notification.message)",
    ]
    let command = ShellCommand(text: command, limit: .seconds(30), variables: variables)
    guard case .failure(let failure) = await command.run(.discarded) else { return nil }
    return "the notification command \(failure.reason)"
  }
}
