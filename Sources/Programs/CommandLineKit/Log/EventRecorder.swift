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
  private let setting: NotificationSetting?

  /// The log of this user, and the notifications that the settings ask for.
  package init(_ settings: StoreSettings) {
    log = EventLog(folder: settings.directories.data)
    state = NotificationState(folder: settings.directories.data)
    setting = settings.notification
  }

  /// Writes an event to the log.
  package func record(_ event: LogEvent) {
    do {
      try log.append(event)
    } catch {
      StandardStreams.remark("note: the log \(log.path) can't be written: \(error.reason)")
    }
  }

  /// Notifies the person of what is news, and waits until the command has ended.
  package func notify(_ events: [NotificationMachine.Event], at now: Timestamp) async {
    guard let setting else { return }
    let notifications: [NotificationMachine.Notification]
    do {
      notifications = try state.take(events, at: now, every: setting.interval)
    } catch {
      StandardStreams.remark(
        "note: the state of notifications \(state.path) can't be kept: \(error.reason)")
      return
    }
    for notification in notifications {
      guard let failure = await show(notification, by: setting.command) else { continue }
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

  /// How long the command may take.
  private static let limit = Duration.seconds(30)

  /// Runs the command; why it failed, or nil. What it prints is not of interest.
  private func show(
    _ notification: NotificationMachine.Notification, by command: String
  ) async -> String? {
    // The texts go through the environment: nothing of them is read by the shell.
    let environment = Subprocess.Environment.inherit.updating([
      "S3HEALTH_EVENT": notification.name, "S3HEALTH_TITLE": "s3health",
      "S3HEALTH_MESSAGE": "s3health: \(notification.message)",
    ])
    do {
      let status = try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
        group.addTask {
          try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", command], environment: environment,
            output: .discarded, error: .discarded
          ).terminationStatus
        }
        group.addTask {
          try await Task.sleep(for: Self.limit)
          return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
      return switch status {
      case .exited(0): nil
      case .exited(let code): "the notification command ended with exit code \(code)"
      case .signaled(let signal): "the notification command was ended by signal \(signal)"
      case nil: "the notification command did not end within 30 s"
      }
    } catch {
      return "the notification command can't be run"
    }
  }
}
