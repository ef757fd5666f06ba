import CommandLineKit
import HealthLedger

extension LedgerError {
  /// Nobody has this id. A typing error creates no person and shows no missing days (R64).
  ///
  /// - Parameter storeName: the store that the people share.
  static func unknownPerson(_ id: PersonID, in storeName: String) -> LedgerError {
    LedgerError(
      .dataNotFound, "there is no person \(id) in \(storeName)", rule: "R64",
      remedy: .text(
        "check the id: `s3health people ls` lists who there is, and `s3health people add \(id)` "
          + "adds a person"))
  }
}

extension OpenedStore {
  /// Throws if the settings name a person who does not exist. It takes a request, so call it only if nothing was found.
  func checkPersonExists(_ settings: Settings) async throws(LedgerError) {
    guard let id = settings.store.personID else { return }
    let exists = try await run { ledger async throws(LedgerError) in
      try await ledger.holdsAnything()
    }
    let person = "/people/\(id)"
    if !exists {
      throw .unknownPerson(
        id, in: name.hasSuffix(person) ? String(name.dropLast(person.count)) : name)
    }
  }
}
