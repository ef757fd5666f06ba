package import HealthModel
package import HealthRecords

/// The tables of records (R56). A program that has a database gives the server an implementation.
package protocol RecordTables: Sendable {
  /// Asks the database something small.
  ///
  /// - Throws: if it does not answer as it should. The error's description contains no secret.
  func check() async throws

  /// Stores the rows of a posted batch, all or none. Storing it again changes nothing.
  ///
  /// - Throws: if the rows may not be there. The error's description contains no secret, and no value
  ///   of a row.
  func store(_ batch: RecordBatch, of receipt: RecordReceipt) async throws -> RowCounts

  /// Makes the rows of a day those of a revision, unless they are those of a newer one. Storing it
  /// again changes nothing.
  ///
  /// - Throws: as the other.
  func store(_ revision: DailyRevision, _ id: RevisionID) async throws
}

/// What the rows of a posted batch go by.
package struct RecordReceipt: Hashable, Sendable {
  /// When it was received first.
  package let receivedAt: RecordMoment
  /// 64 lower-case hex digits.
  package let batchID: String

  package init(receivedAt: RecordMoment, batchID: String) {
    (self.receivedAt, self.batchID) = (receivedAt, batchID)
  }
}
