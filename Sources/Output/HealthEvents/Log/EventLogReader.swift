import Foundation
import HealthModel
package import ObjectStore

/// Reads the log from its oldest line, and then what is appended.
package struct EventLogReader {
  package let log: EventLog
  private var descriptor: Int32?
  private var pending: [UInt8] = []
  private var hasReadOlder = false
  /// Lines so far that are not events: cut by a crash, or written by something else.
  package private(set) var damagedLines = 0

  package init(_ log: EventLog) { self.log = log }

  /// The next events, at most about a thousand; empty if there are none at the moment.
  ///
  /// Call it again later to follow the log: a file that became the older one is read to its end
  /// first.
  package mutating func next() throws(SystemFailure) -> [LogEvent] {
    var events: [LogEvent] = []
    if !hasReadOlder {
      hasReadOlder = true
      descriptor = try open(log.olderPath)
    }
    while true {
      if descriptor == nil { descriptor = try open(log.path) }
      guard let current = descriptor else { return events }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = buffer.withUnsafeMutableBytes { read(current, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw SystemFailure() }
      if count > 0 {
        take(buffer[..<count], &events)
        if events.count >= 1000 { return events }
        continue
      }
      guard hasBeenReplaced(current) else { return events }
      // Nothing is appended to the older file once the newer one exists.
      endLine(&events)
      close(current)
      descriptor = nil
    }
  }

  /// Closes the file. The reader must not be used afterwards.
  package mutating func end() {
    if let descriptor { close(descriptor) }
    descriptor = nil
  }

  private func open(_ path: String) throws(SystemFailure) -> Int32? {
    let descriptor = Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    if descriptor >= 0 { return descriptor }
    guard errno == ENOENT else { throw SystemFailure() }
    return nil
  }

  /// Whether the newer file is no longer the one that is open.
  private func hasBeenReplaced(_ descriptor: Int32) -> Bool {
    var (held, named) = (stat(), stat())
    guard fstat(descriptor, &held) == 0, lstat(log.path, &named) == 0 else { return false }
    return held.st_ino != named.st_ino || held.st_dev != named.st_dev
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, _ events: inout [LogEvent]) {
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      pending += rest[..<end]
      endLine(&events)
      rest = rest[(end + 1)...]
    }
    // A line without end is kept up to the bound, and then it is not an event any more.
    pending += rest.prefix(EventLog.maximumLine + 1 - min(pending.count, EventLog.maximumLine))
  }

  private mutating func endLine(_ events: inout [LogEvent]) {
    defer { pending.removeAll(keepingCapacity: true) }
    guard !pending.isEmpty else { return }
    if pending.count <= EventLog.maximumLine, let event = LogEvent(line: pending) {
      events.append(event)
    } else {
      damagedLines += 1
    }
  }
}
