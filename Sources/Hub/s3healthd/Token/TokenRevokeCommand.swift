import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import IngestServer

/// `token revoke`: a token that is not taken any more.
struct TokenRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token. Servers refuse it within seconds.")

  @Argument(help: .init("The token's name.", valueName: "name"))
  var name: String

  @OptionGroup var options: TokenOptions

  func run() async throws {
    try await reportingErrors(options.output.output) { () async throws(LedgerError) in
      let file = try options.found()
      try await file.update { (table) throws(LedgerError) in
        guard table.remove(name) else {
          throw LedgerError(
            .dataNotFound, "there is no token \(name.printable)",
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
