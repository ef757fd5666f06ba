import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import IngestServer

/// `token list`: the tokens, without their secrets.
struct TokenListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the tokens, without their secrets.")

  @OptionGroup var options: TokenOptions

  func run() async throws {
    try await reportingErrors(options.output.output) { () async throws(LedgerError) in
      let file = try options.found()
      let table = try await file.read()
      switch options.output.output {
      case .json:
        try StandardStreams.write(
          .object([
            "file": .string(file.name),
            "tokens": .array(table.tokens.map { .object($0.description) }),
          ]))
      case .text:
        try StandardStreams.writeLine(
          lines(table, .standardOutput(), file).joined(separator: "\n"))
      }
      return .success
    }
  }

  private func lines(_ table: TokenTable, _ terminal: Terminal, _ file: TokenPlace) -> [String] {
    guard !table.tokens.isEmpty else {
      return ["no tokens in \(file.name.printable); make one with s3healthd token add NAME"]
    }
    let width = max(4, table.tokens.map(\.name.count).max() ?? 0)
    let head =
      "name".padded(to: width) + "  " + "device".padded(to: 36) + "  " + "made".padded(to: 20)
      + "  endpoints"
    return [terminal.styled(head, .strong)]
      + table.tokens.map { token in
        "\(token.name.padded(to: width))  \(token.device.deviceID)  \(token.createdAt)  "
          + token.endpointWords
      }
  }
}
