import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import IngestServer

/// `mcp-url`: what to paste into an agent's program (R53).
struct AgentURLCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp-url",
    abstract: "Print what to paste into an AI agent's program, so that it can read the days.",
    discussion: """
      A program that can sign in needs the address alone: it opens a page where you sign in with a \
      token for the endpoint `dashboard` and let it in. For others there is the header. Without \
      --new-token, the word TOKEN stands where the token belongs: one from `s3healthd token \
      add NAME --endpoint agents`. With it, a token of that name is made, for the agent alone. Who \
      has it can read all days of the store, or with --person those of that person, and nothing \
      else. A lost one is revoked with `s3healthd token \
      revoke NAME`.

        s3healthd mcp-url https://health.home:8443
        s3healthd mcp-url https://health.home:8443 --new-token claude
      """)

  @Argument(
    help: .init("The server's address, such as https://health.home:8443.", valueName: "url"))
  var url: String

  @Option(
    help: .init("Make a token of this name for it. Default: none.", valueName: "name"))
  var newToken: String?

  @Flag(help: "Name tools with dots. Many programs allow none.")
  var dotted = false

  @OptionGroup var options: TokenOptions
  var output: OutputOptions { options.output }

  func validate() throws {
    guard AppSetup.isServer(url) else {
      throw ValidationError("the address must be one such as https://health.home:8443")
    }
    if let newToken, !AccessToken.isName(newToken) {
      throw ValidationError(
        "the name of a token must have 1 to 64 letters, digits, \".\", \"_\" and \"-\"")
    }
  }

  func result() async throws(LedgerError) -> any CommandResult {
    var secret: TokenSecret?
    if let newToken {
      let made = AccessToken.made(
        for: AuthenticatedDevice(
          name: newToken, endpoints: [.agents], person: try options.person),
        at: LedgerEnvironment.system.now())
      try await options.found().add(made.token)
      secret = made.secret
    }
    return AgentAccess(
      url: address, authorization: "Bearer \(secret?.text ?? "TOKEN")", isReady: secret != nil)
  }

  private var address: String {
    var base = url[...]
    while base.last == "/" { base.removeLast() }
    if base.hasSuffix("/mcp") { base.removeLast(4) }
    return base + "/mcp" + (dotted ? "" : "?tool_names=underscore")
  }
}

/// What an agent's program is given.
private struct AgentAccess: CommandResult {
  let url, authorization: String
  /// Whether it has a token already.
  let isReady: Bool

  var document: any Encodable {
    let server: Document = [
      "type": "http", "url": url, "headers": ["Authorization": authorization] as Document,
    ]
    return ["url": url, "header": "Authorization: \(authorization)", "server": server] as Document
  }

  func lines(_ terminal: Terminal) -> [String] {
    func quoted(_ text: String) -> String {
      String(decoding: JSONValue.string(text).canonicalBytes, as: UTF8.self)
    }
    return [
      """
      url     \(url)
      header  Authorization: \(authorization)

      {
        "mcpServers": {
          "health": {
            "type": "http",
            "url": \(quoted(url)),
            "headers": { "Authorization": \(quoted(authorization)) }
          }
        }
      }
      """
    ]
  }

  func remark(_ format: OutputFormat) {
    guard format == .text else { return }
    StandardStreams.remark(
      isReady
        ? "the token is not kept and can't be shown again"
        : "a program that can sign in needs the url alone; for others TOKEN stands for the token: make "
          + "one with `s3healthd token add NAME --endpoint agents`"
    )
  }
}
