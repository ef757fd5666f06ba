import ArgumentParser
import HealthLedger
import HealthModel
import PostgresTables

struct DatabaseCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create the tables and indexes that are not there.",
    discussion: """
      The three tables for records, with their indexes, and two more that remember which value of a \
      metric is the newest, and the version. Running it again changes nothing. The role needs no \
      right but to create tables in its schema.
      """)

  @Flag(help: "Print the statements, and contact no database.")
  var printStatements = false

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    if printStatements { return Console.write(String(SchemaDefinition.script.dropLast())) }
    try await Console.reporting(database.output) { () async throws(LedgerError) in
      let tables = try database.tables()
      let change = try await worded { () async throws(PostgresError) in
        try await tables.create()
      }
      switch database.output {
      case .json:
        Console.write(
          .object([
            "created": .array(change.created.map(JSONValue.string)),
            "present": .array(change.present.map(JSONValue.string)),
          ]))
      case .text:
        for name in change.created { Console.write("created  \(name)") }
        for name in change.present { Console.write("present  \(name)") }
      }
      return .success
    }
  }
}
