import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import IngestServer

/// `token`: the tokens of devices (R54).
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Make, list and revoke the tokens of devices, and revoke agents.",
    discussion: """
      A token identifies a device and limits what it may do. It is shown once, when it is made. Only \
      its SHA-256 is kept, in a file that only you can read. A running server notices a change \
      within seconds.

        s3healthd token add phone --app overland --url https://health.home:8443
        s3healthd token list
        s3healthd token revoke phone
      """,
    subcommands: [TokenAddCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}

/// `token list`: the tokens, without their secrets.
struct TokenListCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the tokens, and the agents that have access, without their secrets.")

  @OptionGroup var options: TokenOptions
  var output: OutputOptions { options.output }

  func result() async throws(LedgerError) -> any CommandResult {
    let file = try options.found()
    let (whole, person) = (try await file.tokens(), try options.person)
    return TokenList(file: file.name, table: person.map { whole.only($0) } ?? whole)
  }
}

private struct TokenList: CommandResult {
  let file: String
  let table: TokenTable

  /// The agents that may read now.
  private var agents: [AgentGrant] {
    let now = LedgerEnvironment.system.now()
    return table.grants.filter { $0.isHeld && table.isAlive($0, at: now) }
  }

  var document: any Encodable {
    [
      "file": file, "tokens": table.tokens.map(\.description), "agents": agents.map(\.description),
    ] as Document
  }

  func lines(_ terminal: Terminal) -> [String] {
    guard !table.tokens.isEmpty else {
      return ["no tokens in \(file.printable); make one with s3healthd token add NAME"]
        + agentLines(terminal)
    }
    let width = max(4, table.tokens.map(\.name.count).max() ?? 0)
    let people = table.people.map(\.rawValue.count).max().map { max(6, $0) }
    func person(_ text: String) -> String { people.map { text.padded(to: $0) + "  " } ?? "" }
    let head =
      "name".padded(to: width) + "  " + person("person") + "device".padded(to: 36) + "  "
      + "made".padded(to: 20) + "  endpoints"
    return [terminal.styled(head, .strong)]
      + table.tokens.map { token in
        "\(token.name.padded(to: width))  \(person(token.device.person?.rawValue ?? ""))"
          + "\(token.device.deviceID)  \(token.createdAt)  " + token.endpointWords
      } + agentLines(terminal)
  }

  private func agentLines(_ terminal: Terminal) -> [String] {
    guard !agents.isEmpty else { return [] }
    let head =
      "agent".padded(to: 22) + "  " + "granted".padded(to: 20) + "  " + "until".padded(to: 20)
      + "  by, and as what"
    return ["", terminal.styled(head, .strong)]
      + agents.map { agent in
        "\(agent.name)  \(agent.createdAt)  \(agent.expires)  \(agent.person.name), "
          + "\(agent.client.name.printable) at \(agent.client.place.printable)"
      }
  }
}

extension AgentGrant {
  /// The members of its document, without digests.
  fileprivate var description: Document {
    [
      "name": name, "client_name": client.name, "client_place": client.place,
      "let_in_by": person.name, "created_at": createdAt, "expires_at": expires,
    ]
  }
}

/// `token revoke`: a token that is not taken any more.
struct TokenRevokeCommand: ResultCommand {
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
  var output: OutputOptions { options.output }

  func result() async throws(LedgerError) -> any CommandResult {
    let (file, person) = (try options.found(), try options.person)
    try await file.update { table in
      let isOf = person.map { table.only($0).holds(name) } ?? true
      guard !isOf || !(table.remove(name) || table.removeGrant(named: name)) else { return nil }
      return LedgerError(
        .dataNotFound, "no token or agent is called \(name.printable)",
        remedy: .text("s3healthd token list shows them"))
    }
    return Revoked(revoked: name)
  }

  private struct Revoked: CommandResult, Encodable {
    let revoked: String

    func lines(_ terminal: Terminal) -> [String] { ["revoked \(revoked.printable)"] }
  }
}
