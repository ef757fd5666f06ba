import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import Outbox

/// `setup`: verifies a server that takes batches, and keeps its address and token.
struct SetupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Verify a server for `sync --to`, and keep its address and device token.",
    discussion: """
      Asks for the server's address and the device token, each on a line of stdin. A terminal does \
      not show the token. With --to, only the token is asked for, and not even that if \
      S3HEALTH_DEVICE_TOKEN is set. The server is verified with GET /api/ingest: it must answer 401 \
      without the token and 204 with it. Only then are address and token kept, in a file that only \
      you can read. `sync` refuses a server that was never verified.

        s3health setup
        s3health setup --to https://health.home/api/ingest
      """)

  @Option(help: .init("The server's address, such as https://host/api/ingest.", valueName: "url"))
  var to: String?

  @Option(help: .init("Configuration file to read.", valueName: "file"), completion: .file())
  var config: String?

  @Option(
    help: .init("PEM file of the certificate authorities to trust.", valueName: "file"),
    completion: .file())
  var caBundle: String?

  @Flag(help: "Allow health data to leave this machine over plain http.")
  var allowPlaintext = false

  @Option(help: .init("Time limit of one request in seconds.", valueName: "seconds"))
  var timeout = 30

  @OptionGroup var output: OutputOptions

  @OptionGroup var whose: PersonOption

  @OptionGroup var speech: SpeechOptions

  func validate() throws {
    if !(1...3600).contains(timeout) { throw ValidationError("--timeout must be 1 to 3600") }
  }

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(isQuiet: speech.quiet, isVerbose: speech.verbose, showsProgress: false)
      let settings = try settings
      let access = ServerAccess(settings)
      let endpoint = try access.endpoint(try address)
      let text = try secret(settings)
      guard let token = DeviceToken(text) else {
        throw LedgerError(
          .invalidArguments, "the device token is empty, or has blanks or unusual characters",
          remedy: "copy it again, without quotes and blanks")
      }
      let server: VerifiedServer
      do throws(StoreError) {
        server = try await VerifiedServer(
          verifying: endpoint, token: token, transport: access.transport(),
          timeout: .seconds(timeout), now: LedgerEnvironment.system.now())
      } catch {
        throw LedgerError(ofServer: error)
      }
      try access.save(server)
      switch output.output {
      case .json:
        try StandardStreams.write(
          .object([
            "endpoint": .string(endpoint.url), "file": .string(access.path),
            "verified_at": .string("\(server.verifiedAt)"),
          ]))
      case .text:
        try StandardStreams.writeLine(
          "verified \(endpoint.url.printable)\nkept its address and token in "
            + "\(access.path.printable)\nnext: s3health sync --to \(endpoint.url.printable)")
      }
      return .success
    }
  }

  /// The given address, or the next line of stdin.
  private var address: String {
    get throws(LedgerError) {
      if let to { return to }
      return try Prompt.line(
        "Server, such as https://host/api/ingest: ", for: "the server's address",
        remedy: "give the server's address and the device token, each on a line of its own")
    }
  }

  /// The token of the environment, or the next line of stdin.
  private func secret(_ settings: StoreSettings) throws(LedgerError) -> String {
    let variable = "S3HEALTH_DEVICE_TOKEN"
    if let token = StoreSettings.variable(variable, settings.environment) { return token }
    return try Prompt.line(
      "Device token: ", for: "the device token",
      remedy: to == nil
        ? "give the server's address and the device token, each on a line of its own"
        : "give it on a line of stdin, or in \(variable)",
      isSecret: true)
  }

  private var settings: StoreSettings {
    get throws(LedgerError) {
      var given = GivenSettings()
      given.configuration = config.map { Sourced($0, by: "--config") }
      given.person = whose.given
      given.caBundle = caBundle.map { Sourced($0, by: "--ca-bundle") }
      given.allowsPlaintext = allowPlaintext ? Sourced(true, by: "--allow-plaintext") : nil
      return try Settings(given, environment: ProcessInfo.processInfo.environment).store
    }
  }
}
