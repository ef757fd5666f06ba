import HealthModel

/// Makes room when the disk runs out of space, as `SpaceRule` decides (R48).
struct SpaceMaker {
  private let database: Database
  private let file: OutboxFile

  init(_ database: Database, _ file: OutboxFile) { (self.database, self.file) = (database, file) }

  /// Drops what may go until there is room enough. Not within a transaction.
  func makeRoom() throws(OutboxError) -> DroppedCounts {
    var dropped = DroppedCounts()
    while true {
      let reading = try reading()
      guard let step = SpaceRule.next(reading) else { break }
      let count = try carryOut(step, &dropped)
      // Else the journal grows to its usual size, for which there may be no room.
      if reading.disk < SpaceRule.stepBytes {
        try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
      // A batch whose rows are gone frees nothing more.
      if count == 0 { break }
    }
    return dropped
  }

  /// Makes room when a write failed because the disk is full. The reserve gives the deletion its
  /// room.
  ///
  /// - Returns: whether anything went, so that there is room now that was not there.
  func makeRoomOnFullDisk() throws(OutboxError) -> Bool {
    let gave = ReserveFile(of: file.path).give()
    var dropped = try makeRoom()
    if dropped.total == 0 {
      // By its own word the disk has room: a quota, or a limit of this process. So nothing goes that
      // was not uploaded.
      let writer = GapWriter(database, now: file.now())
      dropped.uploaded += try each("status = 'uploaded'", SpaceRule.stepBytes) {
        batch throws(OutboxError) in try writer.deleteUploaded(batch)
      }
    }
    guard dropped.total > 0 else {
      // The reserve is for sending: new entries in its place could never leave.
      if gave { ReserveFile(of: file.path).keep() }
      return false
    }
    // The journal goes back to its start, so that it does not need the room that was made.
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return true
  }

  /// What the disk and the outbox hold. Bytes of the outbox are estimates by its pages.
  func reading() throws(OutboxError) -> SpaceRule.Reading {
    let page = try database.number("PRAGMA page_size")
    let pages = try database.number("PRAGMA freelist_count") * page
    let used = try database.number("PRAGMA page_count") * page - pages
    let (uploaded, failed) = (try bytes("uploaded"), try bytes("failed"))
    // Without knowing the disk, only a write that fails shows that it is full.
    let disk = file.freeSpace(file.path) ?? SpaceRule.warningBytes
    // Counting is slow, and only needed if something may have to be dropped.
    let isLow = disk + pages < SpaceRule.warningBytes
    let remembered = isLow ? try SampleMemory.bytes(in: database) : 0
    return SpaceRule.Reading(
      disk: disk, pages: pages, uploaded: uploaded, failed: failed,
      pending: max(0, used - uploaded - failed - remembered))
  }

  private func bytes(_ status: String) throws(OutboxError) -> Int {
    try database.number(
      "SELECT coalesce(sum(byte_count), 0) FROM batches WHERE status = '\(status)'")
  }

  private func carryOut(
    _ step: SpaceRule.Step, _ dropped: inout DroppedCounts
  ) throws(OutboxError) -> Int {
    let writer = GapWriter(database, now: file.now())
    let before = dropped.total
    switch step {
    case .dropUploaded(let bytes):
      dropped.uploaded += try each("status = 'uploaded'", bytes) { batch throws(OutboxError) in
        try writer.deleteUploaded(batch)
      }
    case .dropFailed(let bytes):
      dropped.failed += try each("status = 'failed'", bytes) { batch throws(OutboxError) in
        try writer.dropBatch(batch, reason: .space)
      }
    case .dropPending(let bytes): dropped.pending += try dropOldest(bytes, writer)
    }
    return dropped.total - before
  }

  /// Deletes batches, the oldest first, until they had this many bytes together.
  private func each(
    _ condition: String, _ bytes: Int, _ delete: (BatchRange) throws(OutboxError) -> Int
  ) throws(OutboxError) -> Int {
    try database.transaction { () throws(OutboxError) in
      var (count, freed) = (0, 0)
      for batch in try BatchRange.all(condition, in: database) where freed < bytes {
        // A batch without rows counts too, so that each step makes the rest smaller.
        count += max(1, try delete(batch))
        freed += batch.bytes
      }
      return count
    }
  }

  /// Drops the oldest entries that nobody confirmed, sealed or not.
  private func dropOldest(_ bytes: Int, _ writer: GapWriter) throws(OutboxError) -> Int {
    try database.transaction { () throws(OutboxError) in
      var (last, freed) = (0, 0)
      try database.each("SELECT id, length(payload) FROM entries ORDER BY id", []) {
        row throws(OutboxError) in
        (last, freed) = (row.int(0), freed + row.int(1))
        return freed < bytes
      }
      guard last > 0 else { return 0 }
      var count = 0
      for batch in try BatchRange.all(
        "status = 'pending' AND first_entry <= ?", last, in: database)
      {
        count += try writer.dropBatch(batch, reason: .space)
      }
      for channel in try Channel.all(in: database) where channel.sealed < last {
        count += try writer.drop(
          channel.sealed + 1...last, of: channel.number, reason: .space)
      }
      return count
    }
  }
}

/// How many entries were dropped, by what they were.
public struct DroppedCounts: Hashable, Sendable {
  /// Confirmed: nothing is lost.
  public internal(set) var uploaded = 0
  /// Given up or refused; their gaps are recorded.
  public internal(set) var failed = 0
  /// Neither; their gaps are recorded.
  public internal(set) var pending = 0

  package init() {}

  /// All of them.
  public var total: Int { uploaded + failed + pending }
}

/// A stream of a device, and how far its entries are sealed.
struct Channel {
  var number: Int
  var stream: String
  var deviceID: String
  var sealed: Int

  static func all(in database: Database) throws(OutboxError) -> [Channel] {
    try database.rows(
      "SELECT number, stream_name, device_id, sealed FROM channels ORDER BY number"
    ) { row in
      Channel(
        number: row.int(0), stream: row.text(1) ?? "", deviceID: row.text(2) ?? "",
        sealed: row.int(3))
    }
  }
}
