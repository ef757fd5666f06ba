import CommandLineKit
import HealthLedger

extension OpenedStore {
  /// Whose days are published where nobody was chosen: those of a store without people, as ever. A store of
  /// people without a day of its own refuses them: they would be nobody's, and whoever may read that store
  /// could read them. One that has both says so (R64), and so does one that has nothing of the chosen person:
  /// the id may be mistyped.
  func checkWhoseDays(_ settings: Settings) async throws(LedgerError) {
    if let id = settings.store.personID {
      let isKnown = try await run { ledger async throws(LedgerError) in
        try await ledger.holdsAnything()
      }
      if !isKnown { StandardStreams.remark("note: \(id) is new in this store") }
      return
    }
    guard let (person, hasDays) = try await people() else { return }
    guard !hasDays else {
      return StandardStreams.remark(
        "note: the store holds people, too, such as \(person): these days are not theirs; --person ID "
          + "chooses one")
    }
    throw LedgerError(
      .invalidArguments,
      "\(name) holds people, such as \(person), and no days of its own: these days would be nobody's",
      rule: "R64",
      remedy: .text(
        "add --person ID: s3health people ls lists who there is, and s3health people add ID adds "
          + "somebody"))
  }

  /// One of its people, and whether it has days of its own; nil if it holds nobody.
  private func people() async throws(LedgerError) -> (PersonID, hasDays: Bool)? {
    do throws(LedgerError) {
      return try await run { ledger async throws(LedgerError) in
        guard let person = try await People(of: ledger).anybody() else { return nil }
        let holds = try await ledger.firstHeld() != nil
        return (person, holds)
      }
    } catch {
      var error = error
      error.message += "; whether the store holds people is not known, so nothing was stored"
      throw error
    }
  }
}
