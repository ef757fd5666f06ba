import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import PostgresTables

struct DatabaseCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create the tables and indexes that do not exist yet.",
    discussion: """
      Creates the three tables for records with their indexes, and two more: one holds which value \
      of a metric is the newest, the other the version of the schema. Running it again changes \
      nothing. The role needs only the right to create tables in its schema.
      """)

  @Flag(
    help: .init(
      "Give each row a person, for a server of many people.",
      discussion: "Rows that are there stay, with an empty person. Stop the servers before."))
  var people = false

  @Flag(help: "Print the statements, and contact no database.")
  var printStatements = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if people, printStatements {
      throw ValidationError("--people and --print-statements can't be used together")
    }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      if printStatements {
        try StandardStreams.write(Array(SchemaDefinition.script.utf8))
        return .success
      }
      let tables = try database.tables()
      let change = try await worded { () async throws(PostgresError) in
        try await tables.create(forPeople: people)
      }
      switch output.output {
      case .json:
        try StandardStreams.write(
          .object([
            "created": .array(change.created.map(JSONValue.string)),
            "present": .array(change.present.map(JSONValue.string)),
          ]))
      case .text:
        for name in change.created { try StandardStreams.writeLine("created  \(name)") }
        for name in change.present { try StandardStreams.writeLine("present  \(name)") }
      }
      return .success
    }
  }
}
