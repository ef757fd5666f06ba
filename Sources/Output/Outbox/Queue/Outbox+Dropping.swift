import HealthModel
public import HealthStreams

/// What leaves the outbox because of age or space, or because the user drops it (R48).
extension Outbox {
  /// Removes what is older than three days by the receiver's clock.
  package func clean(_ rule: RetentionRule) throws(OutboxError) -> DroppedCounts {
    let now = file.now()
    let (old, late) = try sending { database throws(OutboxError) in
      // The three days of a refused entry begin with the first sync that sees it, by the same clock.
      let stamp = try database.statement(
        """
        UPDATE batches SET refused_since = ? WHERE status = 'failed'
          AND error_kind IN ('refused', 'too_large')
          AND (refused_since IS NULL OR refused_since > ?)
        """)
      stamp.bind(1, rule.receiverTime.secondsSince1970)
      stamp.bind(2, rule.receiverTime.secondsSince1970)
      try stamp.run()
      try SampleMemory.forget(MemoryRule(receiverTime: rule.receiverTime), in: database)
      let deadline = rule.deadline.secondsSince1970
      return (
        try BatchRange.all("status = 'uploaded' AND uploaded_at <= ?", [deadline], in: database)
          .map(\.number),
        try BatchRange.all(
          "status = 'failed' AND refused_since <= ?", [deadline], in: database
        ).map(\.number)
      )
    }
    var dropped = DroppedCounts()
    // One transaction each, so that others need not wait long.
    for number in old {
      dropped.uploaded += try sending { database throws(OutboxError) in
        var count = 0
        for batch in try BatchRange.all(
          "number = ? AND status = 'uploaded'", [number], in: database)
        { count += try GapWriter(database, now: now).deleteUploaded(batch) }
        return count
      }
    }
    for number in late {
      dropped.failed += try sending { database throws(OutboxError) in
        var count = 0
        for batch in try BatchRange.all("number = ? AND status = 'failed'", [number], in: database)
        {
          count += try GapWriter(database, now: now).dropBatch(batch, reason: .refused)
        }
        return count
      }
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
        for batch in try BatchRange.all("channel = ? AND \(status)", [channel.number], in: database)
        {
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
