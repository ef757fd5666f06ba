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
      try database.setState(.lastUploadDate, now)
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
        try database.run(
          """
          UPDATE batches SET status = 'uploaded', uploaded_at = ?, last_attempt_date = ?,
            next_attempt_date = NULL, error_kind = NULL, last_error = NULL
          WHERE batch_id = ? AND status <> 'uploaded'
          """, received, now, batch)
        try database.setState(.lastSuccessfulSyncDate, now)
      case .keep(let batch, let failure, let now):
        try database.record(failure, now, of: batch)
      case .retry(let batch, let attempts, let next, let failure, let now):
        try database.record(
          failure, now, of: batch, setting: "upload_attempts = ?5, next_attempt_date = ?6",
          attempts, next)
      case .giveUp(let batch, let attempts, let failure, let now):
        try database.record(
          failure, now, of: batch,
          setting: "upload_attempts = ?5, next_attempt_date = ?6, status = 'failed'", attempts, nil)
      case .split(let batch, let failure, let now):
        try Sealing(database, file).split(batch, now: now)
        try database.record(failure, now)
      case .quarantine(let batch, let failure, let now):
        try database.record(
          failure, now, of: batch,
          setting: "status = 'failed', next_attempt_date = NULL, refused_since = NULL")
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
  /// Records a failure, also in its batch, unless another sync counted it or the batch is gone.
  ///
  /// - Parameters:
  ///   - setting: what else changes in the batch.
  ///   - attempts: how many have failed; nil where this one does not count.
  ///   - next: when the batch is tried again.
  fileprivate func record(
    _ failure: DeliveryFailure, _ now: Timestamp, of batch: String, setting: String = "",
    _ attempts: Int? = nil, _ next: Timestamp? = nil
  ) throws(OutboxError) {
    let sql = """
      UPDATE batches SET last_attempt_date = ?1, error_kind = ?2, last_error = ?3
        \(setting.isEmpty ? "" : ", " + setting)
      WHERE batch_id = ?4 AND status = 'pending'
      """
    if let attempts {
      try run(
        sql + " AND upload_attempts = ?5 - 1", now, failure.kind.rawValue, failure.note, batch,
        attempts, next)
    } else {
      try run(sql, now, failure.kind.rawValue, failure.note, batch)
    }
    try record(failure, now)
  }

  fileprivate func record(_ failure: DeliveryFailure, _ now: Timestamp) throws(OutboxError) {
    try setState(.lastErrorCode, failure.code)
    try setState(.lastErrorMessage, failure.note)
    try setState(.lastErrorDate, now)
  }

  fileprivate func makeDue() throws(OutboxError) {
    try run(
      """
      UPDATE batches SET next_attempt_date = NULL
      WHERE status = 'pending' AND next_attempt_date IS NOT NULL
      """)
  }

  fileprivate func revive(refusedToo: Bool) throws(OutboxError) {
    let refused = refusedToo ? "" : "AND error_kind NOT IN ('refused', 'too_large')"
    try run(
      """
      UPDATE batches SET status = 'pending', upload_attempts = 0, next_attempt_date = NULL,
        refused_since = NULL
      WHERE status = 'failed' \(refused)
      """)
  }
}
