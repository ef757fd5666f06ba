/// The tables of records (R52). A program that has a database gives the server an implementation.
package protocol RecordTables: Sendable {
  /// Asks the database something small.
  ///
  /// - Throws: if it does not answer as it should. The error's description contains no secret.
  func check() async throws
}
