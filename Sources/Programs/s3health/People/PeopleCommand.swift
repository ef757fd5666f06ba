import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `people`: who has days in a store that many share.
struct PeopleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "people",
    abstract: "List, add and remove the people of a shared store.",
    discussion: """
      Each person has a store of their own below people/ID/ of the store, which --person ID chooses \
      in every command. `verify`, `ls`, `runs`, `export` and `report` take --people.

        s3health people add ann
        s3health import export.zip --person ann
        s3health people set ann --timezone Europe/Berlin
        s3health people ls --long
        s3health verify --people
        s3health people remove ann
      """,
    subcommands: [
      PeopleListCommand.self, PeopleAddCommand.self, PeopleSetCommand.self,
      PeopleRemoveCommand.self,
    ])
}

/// `people add`: makes people exist before their first day.
struct PeopleAddCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add people, before their first day.",
    discussion: """
      An id has \(PersonID.form). It appears in keys, files and logs: choose one that reveals nothing \
      private. A person who exists already stays as they are, except for what is set here.

        s3health people add ann bob
        s3health people add cid --timezone America/New_York
      """)

  @Argument(help: .init("The ids of the people.", valueName: "id"))
  var ids: [String]

  @OptionGroup var choices: ChoiceOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func perform() async throws(LedgerError) -> ExitCode {
    // All are checked before the first is added.
    let ids = try self.ids.map { id throws(LedgerError) in try PersonID(checking: id) }
    let values = try choices.values
    let opened = try OpenedStore(sharedBy: store, for: .writing)
    try await opened.run { ledger async throws(LedgerError) in
      for id in ids {
        let isNew = try await People(of: ledger).add(id)
        if !values.isEmpty { try await People(of: ledger).set(values, of: id) }
        try AddedPerson(person: id, added: isNew, store: opened.name).print(output.output)
      }
    }
    return .success
  }
}

private struct AddedPerson: CommandResult, Encodable {
  let person: PersonID
  let added: Bool
  @TextOnly var store: String

  func lines(_ terminal: Terminal) -> [String] {
    [added ? "added \(person) to \(store.printable)" : "\(person) is there already"]
  }
}

extension OpenedStore {
  /// Opens the store that people share.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if the options choose one person of it.
  init(sharedBy options: StoreOptions, for purpose: Purpose) throws(LedgerError) {
    guard options.whose.person == nil else {
      throw LedgerError(
        .invalidArguments, "`people` is about all people of the store, and --person about one",
        remedy: "leave out --person, and give the id as an argument")
    }
    try self.init(try Settings(options, timeZone: nil, forAllPeople: true), for: purpose)
  }
}
