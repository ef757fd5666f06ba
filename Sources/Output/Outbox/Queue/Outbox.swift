import Dispatch
public import HealthStreams
import Synchronization

/// The durable queue of raw entries on its way to a receiver (R47).
///
/// What `add` and `enqueue` took is on the disk when they return, whatever happens to the process.
/// An entry leaves only after a receiver confirmed it, when one queued later takes its place, or with a
/// gap that is recorded. Any number of processes may use one outbox at the same time, and so may an app
/// and its extensions.
///
/// One outbox has one receiver: what was confirmed counts as uploaded. An app that sends to two has two.
///
/// ```swift
/// func keep(_ entries: [StreamEntry], sendTo receiver: any BatchReceiver) async throws {
///   let outbox = try Outbox(
///     path: "/var/mobile/outbox.sqlite", deviceID: "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11",
///     appVersion: "1.0")
///   try await outbox.add(entries)  // on the disk from here on
///   let report = try await outbox.sync(to: receiver)
///   for failure in report.failures { print(failure.code, failure.message) }
/// }
/// ```
public final class Outbox: EntryQueue, Sendable {
  package let file: OutboxFile
  let database: Mutex<Database>
  private let waiting = Mutex(Waiting())
  private let queue = DispatchQueue(label: "s3health.outbox")

  /// Adds that wait for the commit that is under way.
  private struct Waiting {
    var isCommitting = false
    var adds: [Add] = []
  }

  private struct Add {
    let entries: [StreamEntry]
    let continuation: CheckedContinuation<Result<Void, OutboxError>, Never>
  }

  /// Opens the outbox, which is created if there is none.
  ///
  /// - Parameters:
  ///   - path: the database's file. Its folder is made for the owner alone. On a phone: in
  ///     Application Support, with a protection class that lets it be read while the device is locked.
  ///   - deviceID: the UUID that the device token was made for. It is kept in lower case.
  ///   - appVersion: of the app, for the batches' metadata. 1 to 100 bytes.
  /// - Throws: `invalid` for another id or version, `permissionDenied`, `storageFull`, `damaged`, or
  ///   `newerVersion` where a newer version of the app has made the file.
  public convenience init(
    path: String, deviceID: String, appVersion: String
  ) throws(OutboxError) {
    try self.init(try OutboxFile(path: path, deviceID: deviceID, appVersion: appVersion))
  }

  /// Opens the outbox, which is created if there is none.
  package init(_ file: OutboxFile) throws(OutboxError) {
    self.file = file
    database = Mutex(try DatabaseFile.open(file.path))
    keepReserve()
  }

  private init(_ file: OutboxFile, _ database: sending Database) {
    self.file = file
    self.database = Mutex(database)
  }

  /// Opens the outbox; nil if there is none.
  package static func ifPresent(_ file: OutboxFile) throws(OutboxError) -> Outbox? {
    try DatabaseFile.openIfPresent(file.path).map { Outbox(file, $0) }
  }

  /// Makes the reserve again, once there is room for it.
  func keepReserve() {
    if let free = file.freeSpace(file.path), free > 4 * ReserveFile.bytes {
      ReserveFile(of: file.path).keep()
    }
  }

  // MARK: - Entries in

  /// Queues entries, all or none. Durable when it returns.
  ///
  /// Adds that arrive while another is being committed share the next commit.
  public func add(_ entries: [StreamEntry]) async throws(OutboxError) {
    guard !entries.isEmpty else { return }
    if beginCommit() {
      let result = commit([entries])
      endCommit()
      return try result.get()
    }
    let result = await withCheckedContinuation { continuation in
      let add = Add(entries: entries, continuation: continuation)
      let leads = waiting.withLock { waiting in
        waiting.adds.append(add)
        defer { waiting.isCommitting = true }
        return !waiting.isCommitting
      }
      if leads { endCommit() }
    }
    try result.get()
  }

  /// Deletions with the times of their samples, as they would be queued (R47); those of samples that are not
  /// remembered as they are. Nothing is queued.
  package func filed(_ deletions: [StreamEntry]) throws(OutboxError) -> [StreamEntry] {
    guard !deletions.isEmpty else { return [] }
    return try database.withLock { database throws(OutboxError) in
      try SampleMemory(database, now: file.now()).filed(deletions)
    }
  }

  /// Queues what `next` gives until it gives nil, in one transaction: all, or nothing if it throws.
  ///
  /// - Parameter wrap: makes the caller's error of one of the outbox.
  /// - Returns: how many entries.
  package func addAll<Failure: Error>(
    _ wrap: (OutboxError) -> Failure, _ next: () throws(Failure) -> [StreamEntry]?
  ) throws(Failure) -> Int {
    func wrapped<Value>(_ work: () throws(OutboxError) -> Value) throws(Failure) -> Value {
      do throws(OutboxError) { return try work() } catch { throw wrap(error) }
    }
    return try database.withLock { database throws(Failure) in
      try wrapped { () throws(OutboxError) in try makeRoomIfNeeded(database) }
      return try database.transaction(wrap) { () throws(Failure) in
        var count = 0
        let writer = try wrapped { () throws(OutboxError) in
          try EntryWriter(database, file, feed: nil)
        }
        while let entries = try next() {
          try wrapped { () throws(OutboxError) in try writer.write(entries) }
          count += entries.count
        }
        return count
      }
    }
  }

  private func beginCommit() -> Bool {
    waiting.withLock { waiting in
      defer { waiting.isCommitting = true }
      return !waiting.isCommitting
    }
  }

  /// Lets the next commit begin, with all adds that have come in the meantime.
  private func endCommit() {
    let hasMore = waiting.withLock { waiting in
      waiting.isCommitting = !waiting.adds.isEmpty
      return waiting.isCommitting
    }
    // On another thread, because this one has its own result to return.
    if hasMore { queue.async { self.drain() } }
  }

  private func drain() {
    while true {
      let adds = waiting.withLock { waiting in
        defer { waiting.adds = [] }
        waiting.isCommitting = !waiting.adds.isEmpty
        return waiting.adds
      }
      if adds.isEmpty { return }
      let result = commit(adds.map(\.entries))
      for add in adds { add.continuation.resume(returning: result) }
    }
  }

  private func commit(_ adds: [[StreamEntry]]) -> Result<Void, OutboxError> {
    do throws(OutboxError) {
      try writing { database throws(OutboxError) in
        let writer = try EntryWriter(database, file, feed: nil)
        for entries in adds { try writer.write(entries) }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  // MARK: - Anchors

  /// How far a feed was read; nil before the first time, and where a gap made it necessary to read
  /// the feed again.
  public func anchor(of feed: String) async throws -> [UInt8]? {
    try database.withLock { database throws(OutboxError) in
      try database.row("SELECT anchor FROM feeds WHERE feed = ?", feed) { $0.optionalBlob(0) }
    }
  }

  /// Queues entries and moves the feed's anchor in one transaction. Durable when it returns.
  ///
  /// - Throws: `AnchorMoved` if the anchor is not `old`: then nothing was queued. Else `OutboxError`.
  public func enqueue(
    _ entries: [StreamEntry], feed: String, movingAnchorFrom old: [UInt8]?, to new: [UInt8]
  ) async throws {
    let moved = try writing { database throws(OutboxError) in
      let number = try EntryWriter.feed(feed, in: database)
      let moved = try database.run(
        "UPDATE feeds SET anchor = ? WHERE number = ? AND anchor IS ?", new, number, old)
      guard moved == 1 else { return false }
      try EntryWriter(database, file, feed: number).write(entries)
      return true
    }
    guard moved else { throw AnchorMoved(feed: feed) }
  }

  /// Forgets the anchors of the feeds that `isMeant`, so that they are read again from the start.
  ///
  /// - Returns: the names of the feeds, sorted.
  package func resetAnchors(
    _ isMeant: (_ feed: String) -> Bool = { _ in true }
  ) throws(OutboxError) -> [String] {
    let all = try database.withLock { database throws(OutboxError) in
      try database.rows("SELECT feed FROM feeds WHERE anchor IS NOT NULL ORDER BY feed") {
        $0.text(0) ?? ""
      }
    }
    let meant = all.filter(isMeant)
    try writing { database throws(OutboxError) in
      for feed in meant {
        try database.run("UPDATE feeds SET anchor = NULL WHERE feed = ?", feed)
      }
    }
    return meant
  }

  // MARK: - Transactions

  /// A transaction that adds to the outbox. If the disk is nearly full, it makes room first; if it
  /// is full, it makes room and tries once more (R48).
  private func writing<Value: Sendable>(
    _ body: (Database) throws(OutboxError) -> Value
  ) throws(OutboxError) -> Value {
    try database.withLock { database throws(OutboxError) in
      try makeRoomIfNeeded(database)
      do throws(OutboxError) {
        return try database.transaction { () throws(OutboxError) in try body(database) }
      } catch {
        guard error.code == .storageFull else { throw error }
        guard try SpaceMaker(database, file).makeRoomOnFullDisk() else { throw error }
        defer { keepReserve() }
        return try database.transaction { () throws(OutboxError) in try body(database) }
      }
    }
  }

  private func makeRoomIfNeeded(_ database: Database) throws(OutboxError) {
    guard let free = file.freeSpace(file.path), free < SpaceRule.warningBytes else { return }
    let maker = SpaceMaker(database, file)
    _ = try maker.makeRoom()
    try leaveRoomForSending(maker)
  }

  /// Refuses to fill what is left of the disk once the reserve was given up: to seal, confirm and
  /// delete what is queued needs a little room, and without it nothing would leave.
  private func leaveRoomForSending(_ maker: SpaceMaker) throws(OutboxError) {
    guard try maker.reading().usable < ReserveFile.bytes / 2, !ReserveFile(of: file.path).isKept
    else { return }
    throw OutboxError(
      .storageFull, path: file.path,
      "the rest of it is kept for uploading what is queued")
  }
}
