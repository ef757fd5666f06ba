import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthSources
import ObjectStore
import S3Store

/// `init`: writes the configuration file and runs `doctor` with it.
struct InitCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Check a store, and write it to the configuration file.",
    discussion: """
      The file is ~/.config/s3health/config, or the one that --config names. Only you can read it. \
      Comments and other settings in the file stay. A setting that already has another value is \
      changed only with --force, which keeps the old file as config.before. A file that has \
      settings is never replaced by one that fails. Keys are never written to the file: they come from AWS_ACCESS_KEY_ID and \
      AWS_SECRET_ACCESS_KEY, or from ~/.aws. Before it writes, init runs `doctor` with the new \
      settings, and it exits with doctor's code. Without a store, on a terminal, it asks, and asks \
      again where an answer fails. On a terminal it offers to make a bucket that does not exist.

        s3health init
        s3health init s3://health/me --endpoint-url https://minio.home:9000
        s3health init s3://health/me --region eu-central-1 --profile health
        s3health init ~/health --timezone Europe/Berlin --source ~/exports
        s3health init --server https://health.home/api/ingest

      The last verifies a server for `raw sync`: GET must answer 401 without the device token and 204 \
      with it. The token is S3HEALTH_DEVICE_TOKEN, or a line of stdin, which a terminal does not show. \
      Only then are address and token kept, in a file that only you can read.
      """)

  @Argument(
    help: .init("The store: s3://bucket/prefix, file:///path or a path.", valueName: "store"),
    completion: .directory)
  var store: String?

  @Option(
    help: .init(
      "S3 endpoint, such as https://minio.home:9000. Default: AWS.",
      discussion: "Empty, it removes the one of the file.", valueName: "url"))
  var endpointUrl: String?

  @OptionGroup var bucket: BucketOptions

  @Flag(help: "Allow health data to leave this machine over plain http.")
  var allowPlaintext = false

  @OptionGroup var zone: ZoneOption

  @Option(
    help: .init(
      "What `put` reads if no input is given: an export, a payload, or a folder of payloads.",
      valueName: "path"), completion: .file())
  var source: String?

  @Option(
    help: .init(
      "Instead of a store, verify this server for `raw sync`, and keep its address and device token.",
      valueName: "url"))
  var server: String?

  @Option(help: .init("Configuration file to write.", valueName: "file"), completion: .file())
  var config: String?

  @Flag(help: "Make the bucket if it does not exist.")
  var createBucket = false

  @Flag(help: "Change settings that already have another value in the file.")
  var force = false

  @OptionGroup var output: OutputOptions

  @OptionGroup var speech: SpeechOptions

  func validate() throws {
    if server != nil, store != nil {
      throw ValidationError("--server is about a server alone: name the store in a run of its own")
    }
  }

  func start() {
    Diagnostics.start(isQuiet: speech.quiet, isVerbose: speech.verbose, showsProgress: true)
  }

  func perform() async throws(LedgerError) -> ExitCode {
    if let server { return try await verify(server: server) }
    let environment = ProcessInfo.processInfo.environment
    let file = try configurationFile(config)
    guard store != nil else { return try await interview(file, environment) }
    return try await write(to: file, environment, isAsked: false).code
  }

  /// Tests the settings, and writes them.
  ///
  /// - Returns: doctor's exit code, and whether nothing was written because the settings fail.
  func write(
    to file: ConfigurationFile, _ environment: [String: String], isAsked: Bool
  ) async throws(LedgerError) -> (code: ExitCode, isRefused: Bool) {
    let wanted = try self.wanted(file)
    let edit = try Self.edit(file, wanted)
    try refuseChanges(edit)
    try check(edit.file, environment)
    for name in overruling(wanted, environment) {
      StandardStreams.remark("s3health: \(name) is set and overrides the file")
    }
    let settings = try Settings(GivenSettings(), file: edit.file, environment: environment)
    try await makeBucket(settings)
    let report = await DoctorCommand.diagnose(settings)
    // A file that works is not replaced by one that does not. Who was asked can answer again.
    let isRefused = report.hasFailed && !edit.changes.isEmpty && (isAsked || !file.values.isEmpty)
    if !isRefused, edit.changes.contains(where: { $0.old != nil }) {
      try PrivateFile(file.path + ".before", for: "the copy of the old configuration")
        .replace(with: Array(file.text.utf8))
    }
    let written = isRefused ? false : try edit.write()
    try InitReport(edit: edit, isWritten: written, isRefused: isRefused, doctor: report)
      .print(output.output)
    return (report.exitCode, isRefused)
  }

  /// Makes a bucket that does not exist, if that is wanted.
  private func makeBucket(_ settings: Settings) async throws(LedgerError) {
    guard createBucket || Prompt.hasPerson,
      case .s3(let bucket, _) = try OpenedStore(settings, for: .writing).backing,
      await bucket.isMissing
    else { return }
    let name = bucket.configuration.bucket
    let question =
      "The bucket \(name) does not exist at \(bucket.configuration.effectiveEndpoint). Create it?"
    let isWanted = createBucket ? true : try Prompt.agrees(question)
    guard isWanted else { return }
    try await worded { () async throws(StoreError) in try await bucket.createBucket() }
    StandardStreams.remark("s3health: made the bucket \(name)")
  }

  static func edit(
    _ file: ConfigurationFile, _ wanted: [(name: Setting, value: String?)]
  ) throws(LedgerError) -> ConfigurationEdit {
    try ConfigurationEdit(file, setting: wanted, heading: ConfigurationEdit.usualHeading)
  }

  /// The settings to write. Paths are absolute, because commands read the file from any folder.
  func wanted(
    _ file: ConfigurationFile
  ) throws(LedgerError) -> [(name: Setting, value: String?)] {
    var wanted: [(name: Setting, value: String?)] = [
      (.store, try storeFromRoot(store ?? ""))
    ]
    func add(_ name: Setting, _ value: String?) {
      if let value { wanted.append((name, value)) }
    }
    if let endpointUrl { wanted.append((.endpointURL, endpointUrl.isEmpty ? nil : endpointUrl)) }
    add(.region, bucket.region)
    add(.profile, bucket.profile)
    add(.caBundle, bucket.caBundle.map(fromRoot))
    add(.allowPlaintext, allowPlaintext ? "true" : nil)
    add(.timezone, zone.timezone)
    add(.source, source.map { $0 == SourceSetting.streams ? $0 : fromRoot($0) })
    return wanted
  }

  private func refuseChanges(_ edit: ConfigurationEdit) throws(LedgerError) {
    let changed = edit.changes.compactMap { change in
      change.old.map { old in
        "\(change.name.rawValue) is \(old) and would "
          + (change.new.map { "become \($0)" } ?? "no longer be set")
      }
    }
    guard !force, !changed.isEmpty else { return }
    var error = LedgerError(
      .invalidArguments, "\(edit.file.path) has other values; nothing was written:",
      remedy: "add --force to change them, or use another file with --config")
    error.details = changed.map { .init($0) }
    throw error
  }

  /// Refuses settings that no command could use, before they are written.
  func check(
    _ file: ConfigurationFile, _ environment: [String: String]
  ) throws(LedgerError) {
    // Variables override the file, so they would hide errors in it.
    let plain = environment.filter { name, _ in
      !Self.written.contains { $0.variables.contains(name) }
    }
    let settings = try Settings(GivenSettings(), file: file, environment: plain)
    _ = try settings.today
    if let source = settings.store.source, !source.isStreams {
      _ = try Input(configured: source.path)
    }
    _ = try OpenedStore(settings)
  }

  /// What `init` writes.
  private static let written: [Setting] = [
    .store, .endpointURL, .region, .profile, .caBundle, .allowPlaintext, .timezone, .source,
  ]

  private func overruling(
    _ wanted: [(name: Setting, value: String?)], _ environment: [String: String]
  ) -> [String] {
    wanted.flatMap { name, value in
      name.variables.filter { !["", value ?? ""].contains(environment[$0] ?? "") }
    }
  }
}

/// What `init` wrote, and what `doctor` says of it.
private struct InitReport: CommandResult {
  let edit: ConfigurationEdit
  let isWritten: Bool
  let isRefused: Bool
  let doctor: DoctorReport

  var document: any Encodable {
    let changes = edit.changes.map { change in
      ["setting": change.name.rawValue, "value": change.new, "before": change.old] as Document
    }
    return [
      "config": edit.file.path, "written": isWritten, "changes": changes, "doctor": doctor.document,
    ] as Document
  }

  func lines(_ terminal: Terminal) -> [String] {
    let first =
      isRefused
      ? "nothing was written to \(edit.file.path), because the new settings fail"
      : isWritten ? "wrote \(edit.file.path)" : "\(edit.file.path) already has these settings"
    var lines = [terminal.styled(first.printable, .strong)]
    lines += edit.changes.map { change in
      "  \(change.name.rawValue)\(change.new.map { " = \($0)" } ?? ": no longer set")".printable
        + (change.old.map { terminal.styled("  (was \($0.printable))", .faint) } ?? "")
    }
    if edit.file.values[.store]?.hasPrefix("s3://") == true {
      lines += [
        "  The file has no keys: they come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,",
        "  or from ~/.aws/credentials.",
      ]
    }
    return lines + [""] + doctor.lines(terminal)
  }
}
