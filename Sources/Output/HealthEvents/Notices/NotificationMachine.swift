package import HealthModel

/// Decides which notifications a person gets (docs/STREAMS.md): at once when something changes, never
/// for each attempt, and now and then how it goes.
///
/// Pure. The state is kept between runs of the program, so that a timer that starts it every five
/// minutes notifies no more often than a program that runs on.
package struct NotificationMachine: Hashable, Sendable {
  /// What the program does for the person.
  package enum Service: String, CaseIterable, Hashable, Sendable {
    case collect, sync, push
  }

  package enum Event: Hashable, Sendable {
    case succeeded(Service)
    /// - isOffline: nothing answered. This is not notified until it has lasted an hour, because what is
    ///   queued is safe and a laptop is often offline.
    case failed(Service, reason: String, isOffline: Bool)
    case started(Service)
    case stopped(Service)
    /// Bytes that the disk of the queue has left.
    case freeSpace(Int)
  }

  /// One message to the person.
  package struct Notification: Hashable, Sendable {
    /// The event's name for a command, such as `push_failed`.
    package let name: String
    package let message: String
  }

  /// What is known of one service.
  struct Record: Hashable, Sendable {
    /// Since when it has been failing; nil while it succeeds.
    var failingSince: Timestamp?
    /// Whether the person knows that it fails.
    var isReported = false
    /// The last of the regular messages.
    var lastRegular: Timestamp?
  }

  var records: [Service: Record] = [:]
  var isStorageLow = false

  package init() {}

  /// Below this, the person is notified (R48).
  package static let lowStorage = 50_000_000
  /// At this, low storage is over: not at the same number, so that a disk at the edge is reported
  /// once.
  static let enoughStorage = 100_000_000
  static let offlinePatience = 3600

  /// The notifications that an event causes.
  ///
  /// - Parameter interval: seconds between regular messages; nil for none.
  package mutating func take(
    _ event: Event, at now: Timestamp, every interval: Int?
  ) -> [Notification] {
    switch event {
    case .succeeded(let service): succeed(service, now, interval)
    case .failed(let service, let reason, let isOffline):
      fail(service, reason, isOffline: isOffline, now, interval)
    case .started(let service):
      [Notification(name: "service_started", message: "\(service.word) started")]
    case .stopped(let service):
      [Notification(name: "service_stopped", message: "\(service.word) stopped")]
    case .freeSpace(let bytes): watchStorage(bytes)
    }
  }

  private mutating func succeed(
    _ service: Service, _ now: Timestamp, _ interval: Int?
  ) -> [Notification] {
    var record = records[service] ?? Record()
    var notifications: [Notification] = []
    if record.isReported {
      notifications.append(
        Notification(name: "\(service.rawValue)_recovered", message: "\(service.word) works again"))
    }
    (record.failingSince, record.isReported) = (nil, false)
    notifications += regular(service, service.successWords, &record, now, interval)
    records[service] = record
    return notifications
  }

  private mutating func fail(
    _ service: Service, _ reason: String, isOffline: Bool, _ now: Timestamp, _ interval: Int?
  ) -> [Notification] {
    var record = records[service] ?? Record()
    // A clock that was set back must not make an hour last a year.
    let since = min(record.failingSince ?? now, now)
    record.failingSince = since
    var notifications: [Notification] = []
    let lasted = now.secondsSince1970 - since.secondsSince1970
    if !record.isReported, !isOffline || lasted >= Self.offlinePatience {
      record.isReported = true
      notifications.append(
        Notification(
          name: "\(service.rawValue)_failed", message: "\(service.failureWords): \(reason)"))
    } else {
      notifications = regular(service, service.failureWords, &record, now, interval)
    }
    records[service] = record
    return notifications
  }

  /// The regular message, where it is due.
  private func regular(
    _ service: Service, _ words: String, _ record: inout Record, _ now: Timestamp, _ interval: Int?
  ) -> [Notification] {
    guard let interval else { return [] }
    guard let last = record.lastRegular, last <= now else {
      // The first attempt starts the interval. So does a clock that was set back.
      record.lastRegular = now
      return []
    }
    guard now.secondsSince1970 - last.secondsSince1970 >= interval else { return [] }
    record.lastRegular = now
    return [Notification(name: "\(service.rawValue)_status", message: words)]
  }

  private mutating func watchStorage(_ bytes: Int) -> [Notification] {
    if bytes < Self.lowStorage, !isStorageLow {
      isStorageLow = true
      return [
        Notification(
          name: "storage_low",
          message: "\(bytes / 1_000_000) MB are left on the disk of the queue; make room")
      ]
    }
    if bytes >= Self.enoughStorage { isStorageLow = false }
    return []
  }
}

extension NotificationMachine.Service {
  fileprivate var word: String {
    switch self {
    case .sync: "Sync"
    case .push: "Push"
    case .collect: "Collect"
    }
  }

  /// The regular message of each service.
  fileprivate var successWords: String {
    switch self {
    case .sync: "Successfully synced"
    case .push: "Successfully pushed metrics"
    case .collect: "Successfully collected"
    }
  }

  fileprivate var failureWords: String {
    switch self {
    case .sync: "Sync failed, check network/server"
    case .push: "Push failed, check network/Pushgateway"
    case .collect: "Collect failed, check source/store"
    }
  }
}
