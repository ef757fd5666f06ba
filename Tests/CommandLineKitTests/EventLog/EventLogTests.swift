import Foundation
import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import HealthEvents

/// A folder of a test, under the system's temporary one.
struct LogFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path + "/" + name)), as: UTF8.self)
  }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
  }
}

@Suite(.unit) struct EventLogTests {
  private let now = Timestamp(secondsSince1970: 1_800_000_000)

  private func all(_ log: EventLog) throws -> (events: [LogEvent], damaged: Int) {
    var reader = EventLogReader(log)
    defer { reader.end() }
    var events: [LogEvent] = []
    while true {
      let next = try reader.next()
      if next.isEmpty { return (events, reader.damagedLines) }
      events += next
    }
  }

  @Test func `an event is one line of JSON in a file of its owner`() throws {
    let folder = try LogFolder()
    defer { folder.remove() }
    let log = EventLog(folder: folder.path + "/new")
    let event = LogEvent(
      .syncSucceeded, at: now, "3 batches",
      details: ["bytes": .number(1200), "stream": .string("x")])
    try log.append(event)
    #expect(
      try folder.read("new/events.jsonl")
        == #"{"bytes":1200,"message":"3 batches","stream":"x","timestamp":"2027-01-15T08:00:00Z","type":"sync_succeeded"}"#
        + "\n")
    #expect(try folder.mode("new/events.jsonl") == 0o600)
    #expect(try folder.mode("new") == 0o700)
    #expect(try all(log).events == [event])
  }

  @Test func `the log is bounded, and keeps the newest events`() throws {
    let folder = try LogFolder()
    defer { folder.remove() }
    let log = EventLog(folder: folder.path, maximumBytes: 4096)
    for number in 0..<1000 {
      try log.append(LogEvent(.syncFailed, at: now.adding(seconds: number), "attempt \(number)"))
    }
    let (events, damaged) = try all(log)
    #expect(damaged == 0 && events.last?.message == "attempt 999" && events.count > 40)
    let first = try #require(events.first?.timestamp.secondsSince1970)
    #expect(events.map(\.timestamp.secondsSince1970) == Array(first...1_800_000_999))
    let sizes = try ["events.jsonl", "events.1.jsonl"].map { try folder.read($0).utf8.count }
    #expect(sizes.allSatisfy { $0 <= 4096 })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func `a line that was cut off spoils no other, and is counted`() throws {
    let folder = try LogFolder()
    defer { folder.remove() }
    let log = EventLog(folder: folder.path)
    try log.append(LogEvent(.collectFailed, at: now, "before"))
    try folder.write("events.jsonl", try folder.read("events.jsonl") + #"{"message":"cut","ti"#)
    try log.append(LogEvent(.collectFailed, at: now, "after"))
    let (events, damaged) = try all(log)
    #expect(events.map(\.message) == ["before", "after"] && damaged == 1)
  }

  @Test func `a reader that follows sees each event once, over many changes of the file`() throws {
    let folder = try LogFolder()
    defer { folder.remove() }
    let log = EventLog(folder: folder.path, maximumBytes: 2000)
    var reader = EventLogReader(log)
    defer { reader.end() }
    var seen: [String] = []
    for number in 0..<400 {
      try log.append(LogEvent(.pushFailed, at: now, "attempt \(number)"))
      if number.isMultiple(of: 7) { seen += try reader.next().map(\.message) }
    }
    seen += try reader.next().map(\.message)
    #expect(seen == (0..<400).map { "attempt \($0)" } && reader.damagedLines == 0)
  }

  @Test func `many tasks append whole lines at once`() async throws {
    let folder = try LogFolder()
    defer { folder.remove() }
    let log = EventLog(folder: folder.path, maximumBytes: 100_000)
    let now = now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<100 {
            try log.append(LogEvent(.entriesDropped, at: now, "\(task) \(number)"))
          }
        }
      }
      try await group.waitForAll()
    }
    let (events, damaged) = try all(log)
    #expect(events.count == 800 && damaged == 0 && Set(events.map(\.message)).count == 800)
  }

  @Test func `an event goes to the log of now, also where others moved the file away meanwhile`()
    async throws
  {
    let folder = try LogFolder()
    defer { folder.remove() }
    let log = EventLog(folder: folder.path)
    let now = now
    try log.append(LogEvent(.syncFailed, at: now, "before"))
    // Another process is about to move the file, twice.
    let holder = open(log.path, O_RDWR | O_CLOEXEC)
    #expect(flock(holder, LOCK_EX) == 0)
    let appended = Task.detached { try log.append(LogEvent(.syncFailed, at: now, "after")) }
    try await Task.sleep(for: .milliseconds(500))
    try FileManager.default.removeItem(atPath: log.path)
    try log.append(LogEvent(.syncFailed, at: now, "meanwhile"))
    close(holder)
    try await appended.value
    #expect(try all(log).events.map(\.message) == ["meanwhile", "after"])
  }

  @Test func `an event that is too long loses its details, and says so`() throws {
    let folder = try LogFolder()
    defer { folder.remove() }
    let log = EventLog(folder: folder.path)
    let long = String(repeating: "x", count: 10_000)
    try log.append(LogEvent(.syncFailed, at: now, long, details: ["long": .string(long)]))
    let event = try #require(try all(log).events.first)
    #expect(event.message.count == 500 && event.details == ["details_cut": .bool(true)])
  }

  @Test func `a link in the place of the log is not followed`() throws {
    let folder = try LogFolder()
    defer { folder.remove() }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/events.jsonl", withDestinationPath: folder.path + "/elsewhere")
    #expect(throws: SystemFailure.self) {
      try EventLog(folder: folder.path).append(LogEvent(.syncFailed, at: now, "x"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
  }
}
