import HealthModel
public import HealthStreams

/// What leaves the outbox because of age or space, or because the user drops it (R48).
extension Outbox {
  /// Removes what is older than three days by the receiver's clock.
  package func clean(_ rule: RetentionRule) throws(OutboxError) -> DroppedCounts {
    let now = file.now()
    let (old, late) = try sending { database throws(OutboxError) in
      // The three days of a refused entry begin with the first sync that sees it, by the same clock.
      try database.run(
        """
        UPDATE batches SET refused_since = ?1 WHERE status = 'failed'
          AND error_kind IN ('refused', 'too_large')
          AND (refused_since IS NULL OR refused_since > ?1)
        """, rule.receiverTime)
      try SampleMemory.forget(MemoryRule(receiverTime: rule.receiverTime), in: database)
      return (
        try BatchRange.all("status = 'uploaded' AND uploaded_at <= ?", rule.deadline, in: database),
        try BatchRange.all("status = 'failed' AND refused_since <= ?", rule.deadline, in: database)
      )
    }
    // One transaction each, so that others need not wait long. They may have been faster.
    func remove(
      _ batches: [BatchRange], ifStill status: String,
      _ remove: (GapWriter, BatchRange) throws(OutboxError) -> Int
    ) throws(OutboxError) -> Int {
      var count = 0
      for batch in batches {
        count += try sending { database throws(OutboxError) in
          let still = try BatchRange.all(
            "number = ? AND status = '\(status)'", batch.number, in: database)
          return try still.first.map { batch throws(OutboxError) in
            try remove(GapWriter(database, now: now), batch)
          } ?? 0
        }
      }
      return count
    }
    var dropped = DroppedCounts()
    dropped.uploaded = try remove(old, ifStill: "uploaded") { writer, batch throws(OutboxError) in
      try writer.deleteUploaded(batch)
    }
    dropped.failed = try remove(late, ifStill: "failed") { writer, batch throws(OutboxError) in
      try writer.dropBatch(batch, reason: .refused)
    }
    return dropped
  }

  /// Makes room if the disk has less than the rule wants, and gives free pages back to it.
  package func makeRoom() throws(OutboxError) -> DroppedCounts {
    try database.withLock { database throws(OutboxError) in
      let dropped = try SpaceMaker(database, file).makeRoom()
      try shrink(database)
      keepReserve()
      return dropped
    }
  }

  /// Gives pages back to the file system where more than half of a large file is free.
  private func shrink(_ database: Database) throws(OutboxError) {
    let (free, all) = (
      try database.number("PRAGMA freelist_count"), try database.number("PRAGMA page_count")
    )
    guard free > 4096, free > all / 2 else { return }
    try database.execute("PRAGMA incremental_vacuum(8192)")
  }

  /// Drops entries on the user's word, with their gaps. Uploaded entries stay.
  ///
  /// - Parameters:
  ///   - stream: nil for all.
  ///   - onlyFailed: false for all that nobody confirmed.
  /// - Returns: how many entries.
  @discardableResult
  public func drop(stream: StreamName?, onlyFailed: Bool) throws(OutboxError) -> Int {
    let now = file.now()
    return try sending { database throws(OutboxError) in
      let writer = GapWriter(database, now: now)
      var count = 0
      for channel in try Channel.all(in: database)
      where stream == nil || channel.stream == stream?.rawValue {
        let status = onlyFailed ? "status = 'failed'" : "status <> 'uploaded'"
        for batch in try BatchRange.all("channel = ? AND \(status)", channel.number, in: database) {
          count += try writer.dropBatch(batch, reason: .user)
        }
        if !onlyFailed {
          count += try writer.drop(
            channel.sealed + 1...Int.max, of: channel.number, reason: .user)
        }
      }
      return count
    }
  }
}
