import CommandLineKit
import HealthLedger

extension OpenedStore {
  /// Whose days are published where nobody was chosen: those of a store without people, as ever. A store of
  /// people without a day of its own refuses them: they would be nobody's, and whoever may read that store
  /// could read them. One that has both says so (R64).
  func checkWhoseDays(_ settings: Settings) async throws(LedgerError) {
    guard settings.store.personID == nil else { return }
    try await run { ledger async throws(LedgerError) in
      guard let person = try await People(of: ledger).anybody() else { return }
      guard try await ledger.firstHeld() == nil else {
        return StandardStreams.remark(
          "note: the store holds people, too, such as \(person): these days are not theirs; --person ID "
            + "chooses one")
      }
      throw LedgerError(
        .invalidArguments,
        "\(name) holds people, such as \(person), and no days of its own: these days would be nobody's",
        rule: "R64",
        remedy:
          "add --person ID: s3health people ls lists who there is, and s3health people add ID adds somebody"
      )
    }
  }
}
