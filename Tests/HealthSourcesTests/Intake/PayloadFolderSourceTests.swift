import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import Synchronization
import Testing

@testable import HealthSources

/// A folder of payloads, read as the changes since the last run (R47, R55).
@Suite(.unit) struct PayloadFolderSourceTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "payloads-\(UInt64.random(in: .min ... .max))").path

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ name: String, steps: Int, on date: String) throws {
    let text = """
      {"data":{"metrics":[{"name":"step_count","units":"count",\
      "data":[{"date":"\(date) 00:00:00 +0000","qty":\(steps)}]}]}}
      """
    try put(name, text)
  }

  private func put(_ name: String, _ text: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
  }

  private func source() -> PayloadFolderSource {
    PayloadFolderSource(folder) { Timestamp(secondsSince1970: 1_800_000_000) }
  }

  @discardableResult
  private func move(
    _ queue: KeptQueue, _ source: PayloadFolderSource? = nil
  ) async throws -> ChangeMover.Result {
    try await ChangeMover(from: source ?? self.source(), to: queue)
      .move(feed: PayloadFolderSource.feed)
  }

  @Test func `a run finds the files that are new or written again, and only those (R47)`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    for day in 1...9 { try write("day \(day).json", steps: day, on: "2026-03-0\(day)") }
    #expect(try await move(queue).added == 9)
    #expect(try await move(queue) == .init())
    try write("day 10.json", steps: 10, on: "2026-03-10")
    try write("day 9.json", steps: 99, on: "2026-03-09")
    #expect(try await move(queue).added == 2)
    // Back to what it was: that was captured later, so it counts as new.
    try write("day 9.json", steps: 9, on: "2026-03-09")
    #expect(try await move(queue).added == 1)
    #expect(queue.entries.count == 12)
    #expect(queue.entries.allSatisfy { $0.stream == .healthAutoExport })
    #expect(queue.entries[0].start == Timestamp("2026-03-01T00:00:00Z"))
  }

  @Test func `a queued payload says when its file was written, unless that time was lost (R55)`()
    async throws
  {
    defer { remove() }
    try write("a.json", steps: 1, on: "2026-03-02")
    try write("b.json", steps: 1, on: "2026-03-03")
    for (name, moment) in [("a", "2026-03-02T19:00:05Z"), ("b", "1970-01-01T00:00:01Z")] {
      let seconds = try #require(Timestamp(moment)).secondsSince1970
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(seconds))],
        ofItemAtPath: "\(folder)/\(name).json")
    }
    let queue = KeptQueue()
    try await move(queue)
    let headers = try queue.entries.map { try JSONValue(parsing: $0.bytes)["headers"] }
    #expect(
      headers == [
        .object(["automation-written-at": .string("2026-03-02T19:00:05Z")]), .object([:]),
      ])
  }

  @Test func `a renamed file is not new, and one that is gone deletes nothing (R47)`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    try write("a.json", steps: 1, on: "2026-03-01")
    try write("b.json", steps: 2, on: "2026-03-02")
    try await move(queue)
    let files = FileManager.default
    try files.moveItem(atPath: folder + "/a.json", toPath: folder + "/c.json")
    try files.removeItem(atPath: folder + "/b.json")
    #expect(try await move(queue) == .init())
    // It comes back as it was, as a folder does that was not mounted.
    try write("b.json", steps: 2, on: "2026-03-02")
    #expect(try await move(queue) == .init())
  }

  @Test func `a file that can't be queued holds up no other, is named, and is tried again`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    try put("a.json", #"{"data":{"metrics":["#)
    try put("b.json", #"{"settings":true}"#)
    try write("c.json", steps: 3, on: "2026-03-03")
    try put("notes.txt", "x")
    let source = source()
    #expect(try await move(queue, source).added == 1)
    #expect(source.leftOut.sorted() == ["b.json", "notes.txt"])
    #expect(source.failures.count == 1)
    #expect(source.failures.first?.error.message.contains("a.json") == true)
    try write("a.json", steps: 1, on: "2026-03-01")
    #expect(try await move(queue, source).added == 1)
    #expect(source.failures.isEmpty)
  }

  @Test func `many payloads come in parts, each with its anchor`() async throws {
    defer { remove() }
    let queue = KeptQueue()
    for number in 0..<450 {
      try write("\(number).json", steps: number, on: "2026-03-01")
    }
    let first = try await source().changes(of: PayloadFolderSource.feed, since: nil)
    #expect(first.added.count == 200 && !first.isComplete)
    let second = try await source().changes(
      of: PayloadFolderSource.feed, since: first.newAnchor)
    #expect(second.added.count == 200 && !second.isComplete)
    #expect(try await move(queue).added == 450)
    #expect(try await move(queue) == .init())
  }

  @Test func `a damaged anchor is reported and never taken for an empty one`() async throws {
    defer { remove() }
    try write("a.json", steps: 1, on: "2026-03-01")
    for bad in ["rubbish", #"{"files":{"a":1}}"#, "{}"] {
      let error = await #expect(throws: LedgerError.self) {
        try await source().changes(of: "x", since: Array(bad.utf8))
      }
      #expect(error?.remedy == .input(.resetAnchors))
    }
  }
}

/// A queue that keeps what it was given.
private final class KeptQueue: EntryQueue {
  private let state = Mutex((anchors: [String: [UInt8]](), entries: [StreamEntry]()))

  var entries: [StreamEntry] { state.withLock { $0.entries } }

  func anchor(of feed: String) async throws -> [UInt8]? { state.withLock { $0.anchors[feed] } }

  func enqueue(
    _ entries: [StreamEntry], feed: String, movingAnchorFrom old: [UInt8]?, to new: [UInt8]
  ) async throws {
    try state.withLock { state in
      guard state.anchors[feed] == old else { throw AnchorMoved(feed: feed) }
      state.anchors[feed] = new
      state.entries += entries
    }
  }
}
