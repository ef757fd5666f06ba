package import HealthExports
package import HealthLedger
package import HealthModel

/// The tables of records (R56). A program that has a database gives the server an implementation.
package protocol RecordTables: Sendable {
  /// The same tables for the rows of one person (R65).
  func of(_ person: PersonID) -> any RecordTables

  /// Whether rows could be written now.
  func state() async -> TablesState

  /// The next place in the order of all receipts, of every server that shares the database: a moment
  /// not before `moment`, and later than all that were given before.
  ///
  /// - Throws: if the database does not answer as it should.
  func order(from moment: PreciseMoment) async throws -> PreciseMoment

  /// Stores the rows of a posted batch, all or none. Storing it again changes nothing.
  ///
  /// - Throws: if the rows may not be there. The error's description contains no secret, and no value
  ///   of a row.
  func store(_ batch: RecordBatch, of receipt: RecordReceipt) async throws -> RowCounts

  /// The numbers that were posted for a date, by the ids of their rows.
  ///
  /// - Throws: as `store` of a batch.
  func posted(on date: CalendarDate) async throws -> [String: PostedNumber]

  /// Makes the rows of a day those of a revision, unless they are those of a newer one. Storing it
  /// again changes nothing.
  ///
  /// - Parameter since: by type, since when the ledger has had this number.
  /// - Throws: as `store` of a batch.
  func store(_ revision: DailyRevision, _ id: RevisionID, since: [String: PreciseMoment])
    async throws
}

/// Whether the tables can be used.
package enum TablesState: String, Hashable, Sendable {
  case ok
  /// Nothing answers, or nothing can be written.
  case unreachable
  /// The database is there, and has no tables of this program, or not all.
  case missing
}

/// What the rows of a posted batch go by.
package struct RecordReceipt: Hashable, Sendable {
  /// When it was received first.
  package let receivedAt: PreciseMoment
  /// 64 lower-case hex digits.
  package let batchID: String

  package init(receivedAt: PreciseMoment, batchID: String) {
    (self.receivedAt, self.batchID) = (receivedAt, batchID)
  }
}
