package import HealthModel
package import HealthStreams

/// A batch that was taken to be delivered, with what the decisions need of it.
package struct TakenBatch: Sendable {
  package let state: BatchState
  package let batch: SealedBatch
}

extension Outbox {
  /// Takes the batch of a stream that is due, or seals the next, and takes what it replaces out of the
  /// older ones (R46, R48). One transaction, durable when it returns, as is the time of this attempt.
  ///
  /// - Parameter recent: batches with an entry since then come before all others.
  package func take(
    _ stream: StreamName, recent: Timestamp? = nil
  ) throws(OutboxError) -> TakenBatch? {
    let now = file.now()
    return try sending { database throws(OutboxError) in
      let sealing = Sealing(database, file)
      let taken: (row: Sealing.Row, batch: SealedBatch)
      if let row = try sealing.due(stream, now: now, recent: recent) {
        taken = (row, try sealing.content(of: row))
      } else if let sealed = try sealing.sealNext(stream, now: now) {
        taken = sealed
      } else {
        return nil
      }
      try sealing.removeReplaced(by: taken.row, now: now)
      try database.setState(.lastUploadDate, now.secondsSince1970)
      return TakenBatch(state: taken.row.state, batch: taken.batch)
    }
  }

  /// Seals all entries of a stream that are in no batch, one batch a transaction.
  package func sealAll(_ stream: StreamName) throws(OutboxError) {
    let now = file.now()
    while try sending({ database throws(OutboxError) in
      try Sealing(database, file).sealNext(stream, now: now) != nil
    }) {}
  }

  /// Carries out a decision, as one transaction.
  package func apply(_ change: OutboxChange) throws(OutboxError) {
    try sending { database throws(OutboxError) in
      switch change {
      case .confirm(let batch, let received, let now):
        let update = try database.statement(
          """
          UPDATE batches SET status = 'uploaded', uploaded_at = ?, last_attempt_date = ?,
            next_attempt_date = NULL, error_kind = NULL, last_error = NULL
          WHERE batch_id = ? AND status <> 'uploaded'
          """)
        update.bind(1, received.secondsSince1970)
        update.bind(2, now.secondsSince1970)
        update.bind(3, batch)
        try update.run()
        try database.setState(.lastSuccessfulSyncDate, now.secondsSince1970)
      case .keep(let batch, let failure, let now):
        let update = try database.statement(
          """
          UPDATE batches SET last_attempt_date = ?, error_kind = ?, last_error = ?
          WHERE batch_id = ? AND status = 'pending'
          """)
        update.bind(1, now.secondsSince1970)
        update.bind(2, failure.kind.rawValue)
        update.bind(3, failure.note)
        update.bind(4, batch)
        try update.run()
        try database.record(failure, now)
      case .retry(let batch, let attempts, let next, let failure, let now):
        try database.count(
          attempts, of: batch, "pending", next: next.secondsSince1970, failure, now)
      case .giveUp(let batch, let attempts, let failure, let now):
        try database.count(attempts, of: batch, "failed", next: nil, failure, now)
      case .split(let batch, let failure, let now):
        try Sealing(database, file).split(batch, now: now)
        try database.record(failure, now)
      case .quarantine(let batch, let failure, let now):
        let update = try database.statement(
          """
          UPDATE batches SET status = 'failed', last_attempt_date = ?, next_attempt_date = NULL,
            error_kind = ?, last_error = ?, refused_since = NULL
          WHERE batch_id = ? AND status = 'pending'
          """)
        update.bind(1, now.secondsSince1970)
        update.bind(2, failure.kind.rawValue)
        update.bind(3, failure.note)
        update.bind(4, batch)
        try update.run()
        try database.record(failure, now)
      case .reviveGivenUp:
        try database.revive(refusedToo: false)
      }
    }
  }

  /// Makes all failed entries pending again, refused ones too, and all pending ones due.
  ///
  /// - Returns: how many entries had failed or were waiting.
  @discardableResult
  public func retry() throws(OutboxError) -> Int {
    try sending { database throws(OutboxError) in
      let count = try database.number(
        """
        SELECT coalesce(sum(record_count), 0) FROM batches
        WHERE status = 'failed' OR (status = 'pending' AND next_attempt_date IS NOT NULL)
        """)
      try database.revive(refusedToo: true)
      try database.makeDue()
      return count
    }
  }

  /// Makes all pending batches due, for a person who does not want to wait.
  package func makeDue() throws(OutboxError) {
    try sending { database throws(OutboxError) in try database.makeDue() }
  }

  /// A transaction that does not add entries. On a full disk it gives up the reserve and tries once
  /// more.
  func sending<Value: Sendable>(
    _ body: (Database) throws(OutboxError) -> Value
  ) throws(OutboxError) -> Value {
    try database.withLock { database throws(OutboxError) in
      do throws(OutboxError) {
        return try database.transaction { () throws(OutboxError) in try body(database) }
      } catch {
        guard error.code == .storageFull, ReserveFile(of: file.path).give() else { throw error }
        return try database.transaction { () throws(OutboxError) in try body(database) }
      }
    }
  }
}

extension Database {
  /// Counts an attempt that failed, unless another sync counted it or the batch is gone.
  fileprivate func count(
    _ attempts: Int, of batch: String, _ status: String, next: Int?, _ failure: DeliveryFailure,
    _ now: Timestamp
  ) throws(OutboxError) {
    let update = try statement(
      """
      UPDATE batches SET status = ?, upload_attempts = ?, next_attempt_date = ?,
        last_attempt_date = ?, error_kind = ?, last_error = ?
      WHERE batch_id = ? AND status = 'pending' AND upload_attempts = ?
      """)
    update.bind(1, status)
    update.bind(2, attempts)
    update.bind(3, next)
    update.bind(4, now.secondsSince1970)
    update.bind(5, failure.kind.rawValue)
    update.bind(6, failure.note)
    update.bind(7, batch)
    update.bind(8, attempts - 1)
    try update.run()
    try record(failure, now)
  }

  fileprivate func record(_ failure: DeliveryFailure, _ now: Timestamp) throws(OutboxError) {
    try setState(.lastErrorCode, failure.code)
    try setState(.lastErrorMessage, failure.note)
    try setState(.lastErrorDate, now.secondsSince1970)
  }

  fileprivate func makeDue() throws(OutboxError) {
    try statement(
      """
      UPDATE batches SET next_attempt_date = NULL
      WHERE status = 'pending' AND next_attempt_date IS NOT NULL
      """
    ).run()
  }

  fileprivate func revive(refusedToo: Bool) throws(OutboxError) {
    let refused = refusedToo ? "" : "AND error_kind NOT IN ('refused', 'too_large')"
    try statement(
      """
      UPDATE batches SET status = 'pending', upload_attempts = 0, next_attempt_date = NULL,
        refused_since = NULL
      WHERE status = 'failed' \(refused)
      """
    ).run()
  }
}
