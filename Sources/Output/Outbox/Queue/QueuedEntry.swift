package import HealthModel
package import HealthStreams

/// An entry in the outbox, without its content.
package struct QueuedEntry: Hashable, Sendable {
  package let number: Int
  package let stream: String
  package let entryID: String
  package let start: Timestamp
  package let bytes: Int
  package let createdAt: Timestamp
  /// `pending`, `uploaded` or `failed`.
  package let status: String
  package let attempts: Int
  package let nextAttempt: Timestamp?
  package let lastError: String?
  package let batchID: String?
}

extension Outbox {
  /// The oldest entries, at most `limit`.
  ///
  /// - Parameters:
  ///   - stream: only those of one stream.
  ///   - status: only those that are `pending`, `uploaded` or `failed`.
  package func entries(
    stream: StreamName? = nil, status: String? = nil, limit: Int
  ) throws(OutboxError) -> [QueuedEntry] {
    try database.withLock { database throws(OutboxError) in
      try database.rows(
        """
        SELECT id, stream_name, entry_id, starts_at, length(payload), created_at, status,
          upload_attempts, next_attempt_date, last_error, batch_id
        FROM outbox WHERE (?1 IS NULL OR stream_name = ?1) AND (?2 IS NULL OR status = ?2)
        ORDER BY id LIMIT ?3
        """, stream?.rawValue, status, limit
      ) { row in
        QueuedEntry(
          number: row.int(0), stream: row.text(1) ?? "", entryID: row.text(2) ?? "",
          start: row.time(3), bytes: row.int(4), createdAt: row.time(5), status: row.text(6) ?? "",
          attempts: row.int(7), nextAttempt: row.optionalTime(8), lastError: row.text(9),
          batchID: row.text(10))
      }
    }
  }
}
