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
      let select = try database.statement(
        """
        SELECT id, stream_name, entry_id, starts_at, length(payload), created_at, status,
          upload_attempts, next_attempt_date, last_error, batch_id
        FROM outbox WHERE (?1 IS NULL OR stream_name = ?1) AND (?2 IS NULL OR status = ?2)
        ORDER BY id LIMIT ?3
        """)
      select.bind(1, stream?.rawValue)
      select.bind(2, status)
      select.bind(3, limit)
      var found: [QueuedEntry] = []
      while try select.step() {
        found.append(
          QueuedEntry(
            number: select.int(0), stream: select.text(1) ?? "", entryID: select.text(2) ?? "",
            start: Timestamp(secondsSince1970: select.int(3)), bytes: select.int(4),
            createdAt: Timestamp(secondsSince1970: select.int(5)), status: select.text(6) ?? "",
            attempts: select.int(7),
            nextAttempt: select.optionalInt(8).map { Timestamp(secondsSince1970: $0) },
            lastError: select.text(9), batchID: select.text(10)))
      }
      return found
    }
  }
}
