import Foundation
package import HealthModel
package import ObjectStore

/// What notifications a person has had, in a small file that processes share.
package struct NotificationState: Sendable {
  package let path: String

  /// The state in a folder, which is created with the first event.
  package init(folder: String) { path = folder + "/notifications.json" }

  /// Lets the machine take events, and keeps its state.
  ///
  /// Two processes that see the same change notify once: they take turns. A file that is damaged is
  /// as good as none, because it only keeps a person from hearing something twice.
  package func take(
    _ events: [NotificationMachine.Event], at now: Timestamp, every interval: Int?
  ) throws(SystemFailure) -> [NotificationMachine.Notification] {
    makeFolder(of: path)
    let file = try LockFile(path)
    try file.wait()
    defer { file.release() }
    return try take(events, at: now, every: interval, keptIn: file.number)
  }

  private func take(
    _ events: [NotificationMachine.Event], at now: Timestamp, every interval: Int?,
    keptIn descriptor: Int32
  ) throws(SystemFailure) -> [NotificationMachine.Notification] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw SystemFailure() }
    var machine = NotificationMachine(document: try? JSONValue(parsing: Array(buffer[..<count])))
    var notifications: [NotificationMachine.Notification] = []
    for event in events { notifications += machine.take(event, at: now, every: interval) }
    let bytes = machine.document.canonicalBytes
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0 else {
      throw SystemFailure(ofWriting: written)
    }
    return notifications
  }
}

extension NotificationMachine {
  /// The state as the file has it; a new one where the document says something else.
  init(document: JSONValue?) {
    self.init()
    isStorageLow = document?["storage_low"] == .bool(true)
    for service in Service.allCases {
      guard let kept = document?[service.rawValue] else { continue }
      func moment(_ name: String) -> Timestamp? {
        kept[name]?.stringValue.flatMap { Timestamp($0) }
      }
      records[service] = Record(
        failingSince: moment("failing_since"), isReported: kept["reported"] == .bool(true),
        lastRegular: moment("last_status"))
    }
  }

  var document: JSONValue {
    var members: [String: JSONValue] = ["storage_low": .bool(isStorageLow)]
    for (service, record) in records {
      var kept: [String: JSONValue] = ["reported": .bool(record.isReported)]
      kept["failing_since"] = record.failingSince.map { .string($0.description) }
      kept["last_status"] = record.lastRegular.map { .string($0.description) }
      members[service.rawValue] = .object(kept)
    }
    return .object(members)
  }
}
