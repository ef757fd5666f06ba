import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import IngestServer

/// `token revoke`: a token that is not taken any more.
struct TokenRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke a token, or the access of an agent. Servers refuse it within seconds.",
    discussion: """
      Revoking a dashboard token also revokes the agents that were given access with it.

        s3healthd token revoke phone
        s3healthd token revoke agent.5d1f0c2e9a7b3846
      """)

  @Argument(help: .init("The name that `s3healthd token list` shows.", valueName: "name"))
  var name: String

  @OptionGroup var options: TokenOptions

  func run() async throws {
    try await reportingErrors(options.output.output) { () async throws(LedgerError) in
      let (file, person) = (try options.found(), try options.person)
      try await file.update { (table) throws(LedgerError) in
        let isOf = person.map { table.only($0).holds(name) } ?? true
        guard isOf, table.remove(name) || table.removeGrant(named: name) else {
          throw LedgerError(
            .dataNotFound, "no token or agent is called \(name.printable)",
            remedy: .text("s3healthd token list shows them"))
        }
      }
      switch options.output.output {
      case .json: try StandardStreams.write(.object(["revoked": .string(name)]))
      case .text: try StandardStreams.writeLine("revoked \(name.printable)")
      }
      return .success
    }
  }
}
