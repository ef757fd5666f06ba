public import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
public import HealthStreams
import IngestServer

extension TokenRemedy {
  /// The command that makes the token.
  var words: String {
    let arguments =
      switch self {
      case .device: "--device DEVICE_ID"
      case .endpoint(let endpoint, let person):
        "--\(endpoint.isOfApp ? "app" : "endpoint") \(endpoint.rawValue)"
          + (person.map { " --person \($0)" } ?? "")
      }
    return "make one for it, where the server runs: s3healthd token add NAME \(arguments)"
  }
}

/// `token add`: a new token, shown once.
struct TokenAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make a token for a device, and show it.",
    discussion: """
      Without --endpoint or --app, the token may be used for `ingest` and `records`: for a \
      collector of your own, such as s3health. --device is the id that the collector sends; its \
      data is stored under this id. Apps with formats of their own need no id: they get a new one. A \
      person signs in to the dashboard with a token for `dashboard`, and an AI agent reads the days \
      with one for `agents`.

        s3healthd token add laptop --device 5E3A1D0C-7B42-4F6E-9A51-D40E8C27B100
        s3healthd token add phone --app overland --url https://health.home:8443
        s3healthd token add ann --endpoint dashboard
        s3healthd token add claude --endpoint agents
        s3healthd token add ann-phone --person ann --app overland
        s3healthd token add study --endpoint people

      With --person the token reaches the data of that person of the store, and nothing else. Only the \
      option counts here, not the configured person.

      With --app and --url, a terminal also shows a QR code. Point the phone's camera at it to set \
      the app up. Like the set-up link, it contains the token: let nobody else see it.
      """)

  @Argument(
    help: .init(
      "The token's name: letters, digits, \".\", \"_\" and \"-\". The log shows it.",
      valueName: "name"))
  var name: String

  @Option(help: .init("The id of the device: a UUID. Default: a new one.", valueName: "uuid"))
  var device: String?

  @Option(
    help: .init(
      "What the token may be used for. Can be repeated.",
      valueName: "endpoint"))
  var endpoint: [Endpoint] = []

  @Option(help: "The app that gets the token. Also prints what to enter in it.")
  var app: AppReading.App?

  @Option(
    help: .init(
      "With --app: the server's address, such as https://health.home:8443.", valueName: "url"))
  var url: String?

  @Flag(
    inversion: .prefixedNo,
    help: .init(
      "With --app: whether to show the set-up link as a QR code, too.",
      discussion: "Default: on a terminal that is wide enough."))
  var qr: Bool?

  @OptionGroup var options: TokenOptions

  func validate() throws {
    guard AccessToken.isName(name) else {
      throw ValidationError(
        "the name must have 1 to 64 letters, digits, \".\", \"_\" and \"-\"")
    }
    if let device, DeviceID.lowercased(device) == nil {
      throw ValidationError("--device must be a UUID")
    }
    if options.store.whose.person != nil, endpoint.contains(.people) {
      throw ValidationError(
        "a token for the endpoint people is an administrator's: it can't have --person")
    }
    if app != nil, !endpoint.isEmpty {
      throw ValidationError("--app and --endpoint can't be used together")
    }
    if url != nil, app == nil { throw ValidationError("--url can be given only with --app") }
    if let url, !AppSetup.isServer(url) {
      throw ValidationError("--url must be an address such as https://health.home:8443")
    }
    if qr == true, app == nil { throw ValidationError("--qr can be given only with --app") }
    if qr == true, url == nil { throw ValidationError("--qr needs --url: the phone opens it") }
    if qr == true, options.output.output == .json {
      throw ValidationError("--qr and --output json can't be used together")
    }
  }

  func run() async throws {
    try await reportingErrors(options.output.output) { () async throws(LedgerError) in
      let file = try options.found()
      let device = AuthenticatedDevice(
        name: name,
        endpoints: app.map { [$0.endpoint] }
          ?? (endpoint.isEmpty ? [.ingest, .records] : Set(endpoint)),
        deviceID: device.flatMap(DeviceID.lowercased) ?? DeviceID.random(),
        person: try options.person)
      let (token, secret) = AccessToken.made(for: device, at: LedgerEnvironment.system.now())
      try await file.add(token)
      try print(token, secret)
      return .success
    }
  }

  private func print(_ token: AccessToken, _ secret: TokenSecret) throws(LedgerError) {
    let setup = app.map {
      AppSetup($0, server: url ?? "https://YOUR-SERVER", name: name, token: secret.text)
    }
    let entries = setup?.entries ?? []
    switch options.output.output {
    case .json:
      var document = token.description
      document["token"] = secret.text
      if !entries.isEmpty {
        document["setup"] = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.value) })
      }
      try StandardStreams.write(try JSONValue(encoding: document))
    case .text:
      var rows = [
        ("token", secret.text), ("name", token.name), ("device", token.device.deviceID),
        ("endpoints", token.endpointWords),
      ]
      if let person = token.device.person { rows.insert(("person", person.rawValue), at: 2) }
      rows += entries.map { ($0.name, $0.value) }
      let width = (rows.map(\.0.count).max() ?? 0) + 2
      try StandardStreams.writeLine(
        rows.map { $0.0.padded(to: width) + $0.1 }.joined(separator: "\n"))
      if let setup { try showCode(of: setup.link) }
      StandardStreams.remark("the token is not kept and can't be shown again")
    }
  }
}

extension TokenAddCommand {
  /// Shows a link as a QR code, for the phone's camera.
  private func showCode(of link: String) throws(LedgerError) {
    let terminal = Terminal.standardOutput()
    // Without the server's address there is nothing to open.
    guard qr ?? (terminal.isTerminal && url != nil) else { return }
    guard let code = QRCode(link) else {
      return StandardStreams.remark("note: the link is too long for a QR code")
    }
    guard code.width <= terminal.width || !terminal.isTerminal else {
      return StandardStreams.remark(
        "note: the QR code needs a terminal of \(code.width) columns; this one has "
          + "\(terminal.width)")
    }
    // White on black, whatever the colours of the terminal are.
    let (start, end) = terminal.usesColor ? ("\u{1B}[38;5;231;48;5;16m", "\u{1B}[0m") : ("", "")
    try StandardStreams.writeLine(
      "\n" + code.lines.map { start + $0 + end }.joined(separator: "\n"))
  }
}

extension Endpoint: ExpressibleByArgument {}
extension AppReading.App: ExpressibleByArgument {}

extension AccessToken {
  var endpointWords: String {
    device.endpoints.map(\.rawValue).sorted().joined(separator: ", ")
  }

  /// The members of its document, without the secret and its digest.
  var description: Document {
    var members: Document = [
      "name": name, "device_id": device.deviceID,
      "endpoints": device.endpoints.map(\.rawValue).sorted(), "created_at": createdAt,
    ]
    members["person"] = device.person
    return members
  }
}

extension AppSetup {
  /// What to enter, each with its name in the app, and the link that does it.
  var entries: [(name: String, value: String)] {
    [("URL", url)] + fields.map { ($0.name, $0.value) } + [("set-up link", link)]
  }
}
