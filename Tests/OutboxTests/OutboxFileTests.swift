import CSQLite
import Foundation
import HealthModel
import HealthStreams
import Testing

@testable import Outbox

@Suite(.unit) struct OutboxFileTests {
  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  /// Runs SQL on the file as another program would.
  private func run(_ sql: String, on path: String) {
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
  }

  @Test
  func `R47: the file and all beside it are for their owner alone, and commits are synchronous`()
    async throws
  {
    let bench = try Bench()
    try await bench.outbox.add([Sample.audio(1)])
    let folder = bench.folder + "/private"
    #expect(try mode(folder) == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.contains("outbox.sqlite-wal"))
    for file in files { #expect(try mode(folder + "/" + file) == 0o600, "\(file)") }
    try bench.outbox.database.withLock { database in
      #expect(try database.number("PRAGMA synchronous") == 2)
      let mode = try database.statement("PRAGMA journal_mode")
      _ = try mode.step()
      #expect(mode.text(0) == "wal")
      mode.reset()
    }
  }

  @Test func `R47: an emptied file beside its reserve is damage, and stays as it is`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/s3health-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/outbox.sqlite"
    func create(_ name: String) {
      #expect(FileManager.default.createFile(atPath: name, contents: nil))
    }
    create(path)
    create(path + ".reserve")
    let file = try OutboxFile(path: path, deviceID: UUID().uuidString.lowercased(), appVersion: "1")
    let error = #expect(throws: OutboxError.self) { _ = try Outbox(file) }
    #expect(error?.code == .damaged)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 0)
    #expect(throws: OutboxError.self) { _ = try Outbox.ifPresent(file) }
    try FileManager.default.removeItem(atPath: path + ".reserve")
    #expect(throws: Never.self) { _ = try Outbox(file) }
  }

  @Test func `R47: the view outbox has the documented columns`() async throws {
    let bench = try Bench()
    try bench.outbox.database.withLock { database in
      _ = try database.statement(
        """
        SELECT id, stream_name, device_id, payload, record_count, created_at, status,
          upload_attempts, last_attempt_date, next_attempt_date, uploaded_at, last_error, batch_id
        FROM outbox
        """
      ).step()
    }
  }

  @Test func `R47: an outbox of a newer version is refused and stays as it is`() throws {
    let bench = try Bench()
    run("PRAGMA user_version = \(Schema.version + 1)", on: bench.outbox.file.path)
    let error = #expect(throws: OutboxError.self) { try bench.reopened() }
    #expect(error?.code == .newerVersion)
  }

  @Test func `R47: a file that is not an outbox is refused and stays as it is`() throws {
    let folder = NSTemporaryDirectory() + "outbox-\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let garbage = Data("This is a letter to my aunt. ".utf8 + [UInt8](repeating: 65, count: 4096))
    let letter = folder + "/letter"
    try garbage.write(to: URL(filePath: letter))
    func open(_ path: String) throws -> Outbox {
      try Outbox(try OutboxFile(path: path, deviceID: Bench.device, appVersion: "1"))
    }
    #expect(#expect(throws: OutboxError.self) { try open(letter) }?.code == .damaged)
    #expect(try Data(contentsOf: URL(filePath: letter)) == garbage)
    run("CREATE TABLE songs (name)", on: folder + "/music")
    #expect(#expect(throws: OutboxError.self) { try open(folder + "/music") }?.code == .damaged)
  }

  @Test func `R47: a folder where nothing may be created is E005's permission_denied`() throws {
    let error = #expect(throws: OutboxError.self) {
      try Outbox(
        try OutboxFile(path: "/proc/none/outbox.sqlite", deviceID: Bench.device, appVersion: "1"))
    }
    #expect(error.map { $0.path == "/proc/none/outbox.sqlite" } == true)
  }

  @Test func `R47: the device of entries is in lower case, as receivers take it`() async throws {
    let folder = NSTemporaryDirectory() + "outbox-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outbox = try Outbox(
      path: folder + "/o", deviceID: Bench.device.uppercased(), appVersion: "1")
    try await outbox.add([Sample.audio(1)])
    let sealed = try #require(try outbox.take(.audio))
    #expect(sealed.batch.deviceID == Bench.device)
    #expect(throws: Never.self) { try AppendPlan(sealed.batch) }
  }

  @Test(arguments: [("my phone", "1"), ("", "1"), (Bench.device, ""), (Bench.device, long)])
  func `R47: an outbox is not opened for entries that no receiver accepts`(
    device: String, version: String
  ) {
    let path = NSTemporaryDirectory() + "outbox-\(UInt64.random(in: .min ... .max))/o"
    let error = #expect(throws: OutboxError.self) {
      try Outbox(path: path, deviceID: device, appVersion: version)
    }
    #expect(error?.code == .invalid && error?.path == path)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  private static let long = String(repeating: "1", count: 101)

  @Test func `R47: several openings at once migrate once`() async throws {
    let folder = NSTemporaryDirectory() + "outbox-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try OutboxFile(path: folder + "/o", deviceID: Bench.device, appVersion: "1")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { try await Outbox(file).add([Sample.audio(number)]) }
      }
      try await group.waitForAll()
    }
    #expect(try Outbox(file).status().uploadStats.pending == 8)
  }

  @Test func `R47: adds at the same time are all there, in fewer commits`() async throws {
    let bench = try Bench()
    let outbox = bench.outbox
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<500 { group.addTask { try await outbox.add([Sample.audio(number)]) } }
      try await group.waitForAll()
    }
    let ids = try outbox.entries(limit: 1000).map(\.entryID)
    #expect(Set(ids) == Set((0..<500).map { "chunk-\($0)." }))
    #expect(ids.count == 500)
  }

  @Test func `R46: a sealed batch whose entries were changed is not sent`() async throws {
    let bench = try Bench()
    try await bench.outbox.add([Sample.audio(1)])
    _ = try await bench.sync(Receiver(failing: .offline))
    run("UPDATE entries SET payload = CAST('{}' AS BLOB)", on: bench.outbox.file.path)
    let receiver = Receiver()
    await #expect(throws: OutboxError.self) { try await bench.sync(receiver) }
    #expect(receiver.sent.isEmpty)
  }

  // MARK: - Space

  @Test
  func `R48: when space runs out, the oldest entries go with their gaps, and new ones are taken`()
    async throws
  {
    let bench = try Bench()
    let outbox = bench.outbox
    // 30 MB, in a feed.
    try await outbox.enqueue(
      (0..<30).map { Sample.megabyte($0) }, feed: "f", movingAnchorFrom: nil,
      to: [1])
    bench.freeDisk = 95_000_000
    try await outbox.add([Sample.audio(1000)])
    let status = try outbox.status()
    let dropped = status.gaps.reduce(0) { $0 + $1.entries }
    // 5 MB were missing.
    #expect((5...6).contains(dropped))
    #expect(status.gaps.allSatisfy { $0.reason == "space" && $0.feed == "f" })
    #expect(status.gaps.map(\.start).min() == Timestamp(secondsSince1970: 1_700_000_000))
    #expect(try await outbox.anchor(of: "f") == nil)
    let left = try outbox.entries(limit: 100).map(\.entryID)
    #expect(left == (dropped..<30).map { "chunk-\($0)." } + ["chunk-1000."])
    // The pages are free now, and count. So nothing more goes.
    for number in 0..<5 { try await outbox.add([Sample.audio(2000 + number)]) }
    #expect(try outbox.status().gaps.reduce(0) { $0 + $1.entries } == dropped)
    // However little there is, the most recent 20 MB stay.
    bench.freeDisk = 0
    try await outbox.add([Sample.audio(3000)])
    let kept = try outbox.entries(limit: 100)
    #expect(kept.reduce(0) { $0 + $1.bytes } >= 19_000_000)
    #expect(kept.last?.entryID == "chunk-3000.")
  }

  @Test func `R48: uploaded entries go first, then failed ones, and sealed batches go whole`()
    async throws
  {
    let bench = try Bench()
    let outbox = bench.outbox
    try await outbox.add((0..<3).map { Sample.megabyte($0) })
    _ = try await bench.sync(Receiver())
    try await outbox.add([Sample.megabyte(10)])
    _ = try await bench.sync(Receiver(failing: .refused))
    try await outbox.add((20..<24).map { Sample.megabyte($0) })
    bench.freeDisk = 99_000_000
    var report = try await bench.sync(Receiver(failing: .offline))
    #expect(report.droppedForSpace.uploaded == 3)
    #expect(report.droppedForSpace.total == 3)
    #expect(report.status.gapCount == 0)
    bench.freeDisk = 90_000_000
    report = try await bench.sync(Receiver(failing: .offline))
    #expect(report.droppedForSpace.failed == 1)
    #expect(report.droppedForSpace.pending == 0)
    #expect(report.status.gaps.map(\.entries) == [1])
    #expect(report.status.space.level == .low)
  }

  @Test func `R48: a full disk is E004; deleting goes on; and nothing that was taken is lost`()
    async throws
  {
    let bench = try Bench()
    let outbox = bench.outbox
    try await outbox.add((0..<10).map { try Sample.audio($0, bytes: 100_000) })
    _ = try await bench.sync(Receiver())
    try await outbox.add((10..<20).map { try Sample.audio($0, bytes: 100_000) })
    // SQLite answers "full" at this size, as at the end of a disk.
    try outbox.database.withLock { database in
      let pages = try database.number("PRAGMA page_count")
      _ = try database.number("PRAGMA max_page_count = \(pages)")
    }
    // There is nothing that may go while the disk has room by its own word.
    let error = await #expect(throws: OutboxError.self) {
      try await outbox.add([Sample.audio(99, bytes: 4_000_000)])
    }
    #expect(error?.code == .storageFull)
    #expect(try outbox.status().uploadStats.pending == 10)
    // The disk says that it is full: what was uploaded makes room.
    bench.freeDisk = 0
    try await outbox.add([Sample.audio(100, bytes: 500_000)])
    let status = try outbox.status()
    #expect(status.uploadStats.pending == 11)
    #expect(status.uploadStats.uploaded == 0)
    #expect(status.gapCount == 0)
    let receiver = Receiver()
    _ = try await bench.sync(receiver)
    let ids = try receiver.entries.compactMap { $0["id"]?.stringValue }
    #expect(Set(ids) == Set(((10..<20) + [100]).map { "chunk-\($0)." }))
  }

  @Test func `R48: the last of a full disk is left to uploading`() async throws {
    let bench = try Bench()
    let outbox = bench.outbox
    try await outbox.add((0..<5).map { try Sample.audio($0) })
    let reserve = ReserveFile(of: outbox.file.path)
    // SQLite says that the disk is full, and nothing may go: the reserve stays.
    try outbox.database.withLock { database in
      let pages = try database.number("PRAGMA page_count")
      _ = try database.number("PRAGMA max_page_count = \(pages)")
    }
    var error = await #expect(throws: OutboxError.self) {
      try await outbox.add([Sample.audio(99, bytes: 1_000_000)])
    }
    #expect(error?.code == .storageFull)
    #expect(reserve.isKept)
    // Whoever opened the file on a full disk gave the reserve up: nobody adds in its place.
    #expect(reserve.give())
    bench.freeDisk = 3_000_000
    let opened = try bench.reopened()
    error = await #expect(throws: OutboxError.self) { try await opened.add([Sample.audio(5)]) }
    #expect(error?.code == .storageFull)
    let receiver = Receiver()
    _ = try await OutboxSync(opened, to: receiver).run()
    #expect(try receiver.entries.count == 5)
    #expect(try opened.status().uploadStats.pending == 0)
    bench.freeDisk = ReserveFile.bytes / 2
    try await opened.add([Sample.audio(5)])
    #expect(try opened.status().uploadStats.pending == 1)
  }

  @Test func `R48: the file shrinks after a long backlog was uploaded and has left`() async throws {
    let bench = try Bench()
    let outbox = bench.outbox
    try await outbox.add((0..<24).map { Sample.megabyte($0) })
    let clock = Box(1_700_000_000)
    let receiver = Receiver { _ in .confirmed(at: Timestamp(secondsSince1970: clock.value)) }
    _ = try await bench.sync(receiver)
    clock.value += 259_200
    try await outbox.add([Sample.audio(1000)])
    _ = try await bench.sync(receiver)
    let pages = try outbox.database.withLock { try $0.number("PRAGMA page_count") }
    #expect(pages * 4096 < 8_000_000)
  }
}
