import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import Synchronization
import Testing

@testable import HealthSources

/// An export, read as the changes since the last one (R45).
@Suite(.unit) struct ExportSampleSourceTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "samples-\(UInt64.random(in: .min ... .max))").path

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// An export of one sample of steps for each minute.
  private func export(_ minutes: [Int], steps: (Int) -> Int = { $0 + 1 }) throws -> String {
    let records = minutes.map { minute in
      let time = "\(10 + minute / 60):\(String(100 + minute % 60).dropFirst())"
      return """
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ann’s Watch" unit="count" \
        creationDate="2026-02-08 23:00:00 +0000" startDate="2026-02-08 \(time):00 +0000" \
        endDate="2026-02-08 \(time):30 +0000" value="\(steps(minute))"/>
        """
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/export.xml"
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE HealthData>
      <HealthData locale="en_GB">
       <ExportDate value="2026-02-10 08:00:00 +0000"/>
      \(records.joined(separator: "\n"))
      </HealthData>
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func source(_ path: String, allowsLoss: Bool = false) -> ExportSampleSource {
    ExportSampleSource(path, snapshots: folder + "/snapshots", allowsLoss: allowsLoss)
  }

  @discardableResult
  private func move(
    _ path: String, _ queue: KeptQueue, allowsLoss: Bool = false
  ) async throws -> ChangeMover.Result {
    try await ChangeMover(from: source(path, allowsLoss: allowsLoss), to: queue)
      .move(feed: ExportSampleSource.feed)
  }

  @Test func `a second export gives only what is new (R45)`() async throws {
    defer { remove() }
    let queue = KeptQueue()
    #expect(try await move(export(Array(0..<100)), queue).added == 100)
    #expect(try await move(export((0..<100).reversed()), queue) == .init())
    let third = try await move(export(Array(0..<103)), queue)
    #expect(third.added == 3 && third.deleted == 0)
    #expect(queue.entries.count == 103 && Set(queue.entries.map(\.id)).count == 103)
    let value = try JSONValue(parsing: try #require(queue.entries.last).bytes)
    #expect(value["value"] == .number(103) && value["unit"] == .string("count"))
    #expect(value["source"] == .string("Ann’s Watch"))
    #expect(value["feed"] == .string("apple_health_export"))
    // What no anchor names is removed in time; now the last two are there, readable by the owner.
    let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/snapshots")
    #expect(files.allSatisfy { $0.hasSuffix(".samples") } && files.count == 2)
    for file in files {
      let mode = try FileManager.default.attributesOfItem(atPath: folder + "/snapshots/" + file)
      #expect((mode[.posixPermissions] as? Int).map { $0 & 0o777 } == 0o600)
    }
  }

  @Test func `samples and deletions say when their export was made (R44)`() async throws {
    defer { remove() }
    let queue = KeptQueue()
    try await move(export([0, 1]), queue)
    let path = try export([1], madeAt: "2026-02-11 09:30:00 +0000")
    try await move(path, queue, allowsLoss: true)
    let said = try queue.entries.map { entry in
      (entry.isDeletion, try JSONValue(parsing: entry.bytes)["exported_at"]?.stringValue)
    }
    let first = "2026-02-10T08:00:00Z"
    #expect(said.map(\.0) == [false, false, true])
    #expect(said.map(\.1) == [first, first, "2026-02-11T09:30:00Z"])
  }

  @Test func `a sample that is gone is deleted, and one that is back is another one (R45)`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    let all = Array(0..<100)
    try await move(export(all), queue)
    let less = try await move(export(Array(all.dropLast())), queue)
    #expect(less.added == 0 && less.deleted == 1)
    let deletion = try #require(queue.entries.last)
    let sample = try #require(queue.entries.first { $0.id == deletion.id && !$0.isDeletion })
    #expect(deletion.isDeletion && sample.start == deletion.start && sample.end == deletion.end)
    try await move(export(all), queue)
    let back = try #require(queue.entries.last)
    #expect(!back.isDeletion && back.id != sample.id && back.start == sample.start)
    // Gone again, it is that one which is deleted.
    try await move(export(Array(all.dropLast())), queue)
    #expect(queue.entries.last?.isDeletion == true && queue.entries.last?.id == back.id)
    #expect(queue.alive == 99)
  }

  /// An export of glasses of water in one minute, each entered at a second of its own.
  private func glasses(_ seconds: [Int], offset: Int = 0) throws -> String {
    let path = try export([])
    let records = seconds.map { second in
      """
      <Record type="HKQuantityTypeIdentifierDietaryWater" sourceName="App" unit="mL" \
      creationDate="2026-02-08 \(10 + offset):15:\(10 + second) +0\(offset)00" value="250" \
      startDate="2026-02-08 10:15:00 +0000" endDate="2026-02-08 10:15:00 +0000"/>
      """
    }
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("</HealthData>", with: records.joined() + "</HealthData>")
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func `entries alike have ids of their own, in every later export the same (R45)`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    #expect(try await move(glasses([1, 2, 3, 3]), queue).added == 3)
    #expect(Set(queue.entries.map(\.id)).count == 3)
    // Another order, and the offset of another season.
    #expect(try await move(glasses([3, 1, 2], offset: 1), queue) == .init())
    let less = try await move(glasses([2, 3]), queue, allowsLoss: true)
    #expect(less.added == 0 && less.deleted == 1)
    let more = try await move(glasses([1, 2, 3, 4]), queue)
    #expect(more.added == 2 && more.deleted == 0)
    #expect(Set(queue.entries.map(\.id)).count == 5)
  }

  @Test func `a corrected value is a deletion and a new sample (R45)`() async throws {
    defer { remove() }
    let queue = KeptQueue()
    try await move(export(Array(0..<100)), queue)
    let moved = try await move(export(Array(0..<100)) { $0 == 7 ? 999 : $0 + 1 }, queue)
    #expect(moved.added == 1 && moved.deleted == 1 && queue.alive == 100)
  }

  @Test func `where more than 5 percent are gone, nothing is queued unless a person says so (R45)`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    try await move(export(Array(0..<100)), queue)
    #expect(try await move(export(Array(5..<100)), queue).deleted == 5)
    let error = await #expect(throws: LedgerError.self) {
      try await move(export(Array(20..<100)), queue)
    }
    #expect(error?.remedy == .input(.confirmLoss))
    #expect(error?.message.contains("15 of 95") == true)
    #expect(queue.alive == 95)
    #expect(try await move(export(Array(20..<100)), queue, allowsLoss: true).deleted == 15)
  }

  /// An export made at another moment.
  private func export(_ minutes: [Int], madeAt moment: String) throws -> String {
    let path = try export(minutes)
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("2026-02-10 08:00:00 +0000", with: moment)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func `an export older than the last one deletes nothing, unless a person says so (R45)`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    try await move(export(Array(0..<100)), queue)
    let older = try export(Array(0..<98), madeAt: "2026-02-09 08:00:00 +0000")
    let error = await #expect(throws: LedgerError.self) { try await move(older, queue) }
    #expect(error?.remedy == .input(.confirmOlder))
    #expect(queue.alive == 100)
    // Of the same moment, and a newer one.
    #expect(try await move(export(Array(0..<99)), queue).deleted == 1)
    let newer = try export(Array(0..<98), madeAt: "2026-02-11 08:00:00 +0000")
    #expect(try await move(newer, queue).deleted == 1)
    let confirmed = try export(Array(0..<97), madeAt: "2026-02-09 08:00:00 +0000")
    #expect(try await move(confirmed, queue, allowsLoss: true).deleted == 1)
  }

  @Test func `a run that was cut off goes on in the next, and two at once queue each once (R45)`()
    async throws
  {
    defer { remove() }
    struct CutOff: Error {}
    let queue = KeptQueue()
    let path = try export(Array(0..<700)) { $0 }
    let many = try export(Array(0..<700))
    #expect(path == many)
    // 700 samples in seven parts would be one answer: so the parts are asked for one by one.
    var anchor: [UInt8]?
    let first = try await source(path).changes(of: "x", since: nil)
    #expect(first.isComplete && first.added.count == 700)
    anchor = first.newAnchor
    #expect(anchor != nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { try await move(path, queue) } }
      try await group.waitForAll()
    }
    #expect(queue.entries.count == 700 && Set(queue.entries.map(\.id)).count == 700)
  }

  @Test func `a large export comes in parts, each from its own anchor (R45)`() async throws {
    defer { remove() }
    // Ten hours hold 600 minutes: every record has another value as well.
    let path = folder + "/export.xml"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let records = (0..<4500).map { number in
      """
      <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="W" unit="count/min" \
      startDate="2026-02-08 10:00:00 +0000" endDate="2026-02-08 10:00:00 +0000" \
      value="\(number)"/>
      """
    }
    try Data(
      """
      <HealthData locale="en">
      <ExportDate value="2026-02-08 20:00:00 +0000"/>
      \(records.joined(separator: "\n"))
      </HealthData>
      """.utf8
    ).write(to: URL(filePath: path))
    let parts = source(path)
    var anchor: [UInt8]?
    var ids: [String] = []
    var counts: [Int] = []
    while true {
      let changes = try await source(path).changes(of: "x", since: anchor)
      // The same anchor gives the same part.
      if let anchor, !changes.isComplete {
        let again = try await parts.changes(of: "x", since: anchor)
        #expect(again.added == changes.added && again.newAnchor == changes.newAnchor)
      }
      counts.append(changes.added.count)
      #expect(
        changes.added.allSatisfy {
          (try? JSONValue(parsing: $0.bytes))?["exported_at"] == .string("2026-02-08T20:00:00Z")
        })
      ids += changes.added.map(\.id)
      anchor = changes.newAnchor
      if changes.isComplete { break }
    }
    #expect(counts == [2000, 2000, 500] && Set(ids).count == 4500)
  }

  @Test func `the last entry of a date says when the next one begins (R49)`() async throws {
    defer { remove() }
    /// The moments and what they say of the next, over all answers.
    func told(_ path: String, since anchor: inout [UInt8]?) async throws -> [(String, String?)] {
      var found: [(String, String?)] = []
      while true {
        let changes = try await source(path, allowsLoss: true).changes(of: "x", since: anchor)
        anchor = changes.newAnchor
        found += (changes.added + changes.deleted).map { entry in
          let next = (try? JSONValue(parsing: entry.bytes))?["followed_at"]?.stringValue
          return ("\(entry.start)", next)
        }
        if changes.isComplete { return found }
      }
    }
    func export(_ moments: [String], madeAt: String) throws -> String {
      let path = folder + "/export.xml"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let records = moments.map { moment in
        """
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="W" unit="count" value="9" \
        startDate="\(moment) +0000" endDate="\(moment) +0000"/>
        """
      }
      try Data(
        """
        <HealthData locale="en">
        <ExportDate value="\(madeAt) +0000"/>
        \(records.joined(separator: "\n"))
        </HealthData>
        """.utf8
      ).write(to: URL(filePath: path))
      return path
    }
    // The last of the first answer is the last of its date.
    let many = (0..<2000).map { "2026-02-08 10:\(10 + $0 / 50):\(10 + $0 % 50)" }
    let moments = many + ["2026-02-12 09:00:00", "2026-02-12 10:00:00"]
    var anchor: [UInt8]?
    let first = try await told(
      export(moments, madeAt: "2026-02-14 08:00:00"), since: &anchor)
    try #require(first.count == 2002)
    #expect(first.count { $0.1 != nil } == 2)
    #expect(first[1999].1 == "2026-02-12T09:00:00Z")
    #expect(first[2001].1 == "2026-02-14T08:00:00Z")
    // A later export: one is gone, one of its date is new.
    let second = try await told(
      export(moments.dropLast() + ["2026-02-12 11:00:00"], madeAt: "2026-02-12 20:00:00"),
      since: &anchor)
    #expect(second.count == 2 && second.count { $0.1 == "2026-02-12T20:00:00Z" } == 1)
  }

  @Test func `damaged anchors and snapshots are reported, and a reset reports all again (R45)`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    let path = try export(Array(0..<10))
    try await move(path, queue)
    for bad in [#"{"snapshot":"../../etc/passwd"}"#, "rubbish", #"{"snapshot":"gone"}"#] {
      let error = await #expect(throws: LedgerError.self) {
        try await source(path).changes(of: "x", since: Array(bad.utf8))
      }
      #expect(error?.remedy == .input(.resetAnchors))
    }
    let again = try await source(path).changes(of: "x", since: nil)
    #expect(again.added.map(\.id) == queue.entries.map(\.id))
  }

  @Test func `after a reset, what an export no longer has is deleted all the same (R45, R47)`()
    async throws
  {
    defer { remove() }
    let queue = KeptQueue()
    let all = Array(0..<100)
    try await move(export(all), queue)
    try await move(export(Array(all.dropLast())), queue)
    // The reset comes after the deletion was lost, or before the export that lacks another sample.
    let path = try export(Array(all.dropLast(2)))
    let again = try await source(path).changes(of: ExportSampleSource.feed, since: nil)
    #expect(again.added.count == 98 && again.deleted.count == 2)
    let gone = try #require(queue.entries.last { $0.isDeletion }?.id)
    #expect(again.deleted.contains { $0.id == gone })
    let known = Set(queue.entries.map(\.id))
    #expect((again.added + again.deleted).allSatisfy { known.contains($0.id) })
  }
}

/// A queue that keeps what it was given.
final class KeptQueue: EntryQueue {
  private let state = Mutex((anchors: [String: [UInt8]](), entries: [StreamEntry]()))

  var entries: [StreamEntry] { state.withLock { $0.entries } }
  /// How many samples are there by the rules of R45.
  var alive: Int {
    let entries = entries
    let gone = Set(entries.lazy.filter(\.isDeletion).map(\.id))
    return Set(entries.map(\.id)).subtracting(gone).count
  }

  func anchor(of feed: String) async throws -> [UInt8]? { state.withLock { $0.anchors[feed] } }

  func enqueue(
    _ entries: [StreamEntry], feed: String, movingAnchorFrom old: [UInt8]?, to new: [UInt8]
  ) async throws {
    await Task.yield()
    try state.withLock { state in
      guard state.anchors[feed] == old else { throw AnchorMoved(feed: feed) }
      state.anchors[feed] = new
      state.entries += entries
    }
  }
}
