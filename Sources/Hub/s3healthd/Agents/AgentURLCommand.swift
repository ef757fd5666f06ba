import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import IngestServer

/// `mcp-url`: what to paste into an agent's program (R53).
struct AgentURLCommand: AsyncParsableCommand {
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

  func validate() throws {
    guard AppSetup.isServer(url) else {
      throw ValidationError("the address must be one such as https://health.home:8443")
    }
    if let newToken, !AccessToken.isName(newToken) {
      throw ValidationError(
        "the name of a token must have 1 to 64 letters, digits, \".\", \"_\" and \"-\"")
    }
  }

  func run() async throws {
    try await reportingErrors(options.output.output) { () async throws(LedgerError) in
      var secret: TokenSecret?
      if let newToken {
        let made = TokenSecret()
        let scope = TokenScope(
          endpoints: [.agents], deviceID: DeviceID.random(), person: try options.person)
        try await options.found().add(
          AccessToken(
            device: AuthenticatedDevice(name: newToken, scope: scope), digest: made.digest,
            createdAt: LedgerEnvironment.system.now()))
        secret = made
      }
      try print(address, "Bearer \(secret?.text ?? "TOKEN")", isReady: secret != nil)
      return .success
    }
  }

  private var address: String {
    var base = url[...]
    while base.last == "/" { base.removeLast() }
    if base.hasSuffix("/mcp") { base.removeLast(4) }
    return base + "/mcp" + (dotted ? "" : "?tool_names=underscore")
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).canonicalBytes, as: UTF8.self)
  }

  private func print(
    _ address: String, _ authorization: String, isReady: Bool
  ) throws(LedgerError) {
    let server: JSONValue = .object([
      "type": .string("http"), "url": .string(address),
      "headers": .object(["Authorization": .string(authorization)]),
    ])
    switch options.output.output {
    case .json:
      try StandardStreams.write(
        .object([
          "url": .string(address), "header": .string("Authorization: \(authorization)"),
          "server": server,
        ]))
    case .text:
      try StandardStreams.writeLine(
        """
        url     \(address)
        header  Authorization: \(authorization)

        {
          "mcpServers": {
            "health": {
              "type": "http",
              "url": \(Self.quoted(address)),
              "headers": { "Authorization": \(Self.quoted(authorization)) }
            }
          }
        }
        """)
      StandardStreams.remark(
        isReady
          ? "the token is not kept and can't be shown again"
          : "a program that can sign in needs the url alone; for others TOKEN stands for the token: make "
            + "one with `s3healthd token add NAME --endpoint agents`"
      )
    }
  }
}
