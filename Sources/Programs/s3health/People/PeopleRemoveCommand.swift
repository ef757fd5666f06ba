import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel

/// `people remove`: removes a person with everything that the store has of them.
struct PeopleRemoveCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a person, with every day and all raw data.",
    discussion: """
      It says how many objects go, and asks first; --yes answers. It removes what is below \
      people/ID/ and nothing else. If it is interrupted, run it again. A bucket that keeps versions \
      still has the old ones: its own tools remove those.

        s3health people remove ann
        s3health people remove ann --yes
      """)

  @Argument(help: .init("The id of the person.", valueName: "id"))
  var id: String

  @Flag(name: .shortAndLong, help: "Remove without asking.")
  var yes = false

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func perform() async throws(LedgerError) -> ExitCode {
    let id = try PersonID(checking: id)
    let opened = try OpenedStore(sharedBy: store, for: .writing)
    let place = "\(opened.name)\(opened.name.hasSuffix("/") ? "" : "/")people/\(id)/"
    let belongings = try await opened.run { ledger async throws(LedgerError) in
      try await People(of: ledger).belongings(of: id)
    }
    guard belongings.objects > 0 else { throw .unknownPerson(id, in: opened.name) }
    let what =
      "\(belongings.objects.counted("object")) (\(belongings.bytes.inBytes)) below \(place)"
    guard try isAgreed(what, id) else {
      StandardStreams.remark("s3health: nothing was removed")
      return foundSomething
    }
    let removed = try await opened.counting("removing object", .entries, of: belongings.objects) {
      ledger, advance async throws(LedgerError) in
      try await People(of: ledger).remove(id, progress: advance)
    }
    try RemovedPerson(person: id, removedObjects: removed).print(output.output)
    remarkOwnState(of: id)
    return .success
  }

  /// Whether the person at the terminal agrees, or has agreed before.
  private func isAgreed(_ what: String, _ id: PersonID) throws(LedgerError) -> Bool {
    if yes { return true }
    guard Prompt.hasPerson else {
      throw LedgerError(
        .invalidArguments,
        "removing \(id) would remove \(what), and without a terminal it can't ask",
        remedy: "add --yes")
    }
    return try Prompt.agrees("Remove \(what), with every revision? (yes, or no)", usual: "no")
  }

  private struct RemovedPerson: CommandResult, Encodable {
    let person: PersonID
    let removedObjects: Int

    func lines(_ terminal: Terminal) -> [String] {
      ["removed \(person): \(removedObjects.counted("object"))".printable]
    }
  }

  /// Names what this machine keeps of the person outside the store.
  private func remarkOwnState(of id: PersonID) {
    let directories = UserDirectories(environment: ProcessInfo.processInfo.environment)
    let own = directories.data(of: id)
    if access(own, F_OK) == 0 {
      StandardStreams.remark("note: this machine's own state of \(id) stays in \(own)")
    }
  }
}
