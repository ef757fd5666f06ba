import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import Intake
import StoreAccess

/// `init`: writes the configuration file and runs `doctor` with it.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write the configuration file and check the store that it names.",
    discussion: """
      The file is ~/.config/s3health/config, or the one that --config names. Only you can read it. \
      Comments and other settings in the file stay. A setting that already has another value is \
      changed only with --force. Keys are never written to the file: they come from \
      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from ~/.aws. After writing, init runs \
      `doctor` and exits with its code.

        s3health init s3://health/me --endpoint-url https://minio.home:9000
        s3health init s3://health/me --region eu-central-1 --profile health
        s3health init ~/health --timezone Europe/Berlin --source ~/exports
      """)

  @Argument(
    help: .init("The store: s3://bucket/prefix, file:///path or a path.", valueName: "store"),
    completion: .directory)
  var store: String

  @Option(
    help: .init("S3 endpoint, such as https://minio.home:9000. Default: AWS.", valueName: "url"))
  var endpointUrl: String?

  @OptionGroup var bucket: BucketOptions

  @Flag(help: "Allow health data to leave this machine over plain http.")
  var allowPlaintext = false

  @Option(help: .init("Reporting time zone. Default: this machine's.", valueName: "iana-name"))
  var timezone: String?

  @Option(
    help: .init(
      "What `put` reads if no input is given: an export, a payload, or a folder of payloads.",
      valueName: "path"), completion: .file())
  var source: String?

  @Option(help: .init("Configuration file to write.", valueName: "file"), completion: .file())
  var config: String?

  @Flag(help: "Change settings that already have another value in the file.")
  var force = false

  @OptionGroup var output: OutputOptions

  @OptionGroup var speech: SpeechOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(
        isQuiet: speech.quiet, isVerbose: speech.verbose, showsProgress: true)
      let environment = ProcessInfo.processInfo.environment
      let file = try readFile(environment)
      let wanted = try self.wanted(file, environment)
      let edit = try Self.edit(file, wanted)
      try refuseChanges(edit)
      try check(edit.file, environment)
      let written = try edit.write()
      for name in overruling(wanted, environment) {
        StandardStreams.remark("s3health: \(name) is set and overrides the file")
      }
      let report = await DoctorCommand.diagnose(
        try Settings(GivenSettings(), file: edit.file, environment: environment))
      switch output.output {
      case .json:
        try StandardStreams.write(document(edit, written, report))
      case .text:
        let lines = lines(edit, written, .standardOutput()) + [""]
        try StandardStreams.writeLine(
          (lines + report.lines(.standardOutput())).joined(separator: "\n"))
      }
      return report.exitCode
    }
  }

  /// The current file, if there is one.
  private func readFile(
    _ environment: [String: String]
  ) throws(LedgerError) -> ConfigurationFile {
    do throws(SettingsError) {
      return try ConfigurationFile(
        config.map { Given($0, by: "--config") }, environment, mustExist: false)
    } catch {
      throw LedgerError(error)
    }
  }

  private static func edit(
    _ file: ConfigurationFile, _ wanted: [(name: ConfigurationFile.Name, value: String)]
  ) throws(LedgerError) -> ConfigurationEdit {
    do throws(SettingsError) {
      return try ConfigurationEdit(
        file, setting: wanted,
        heading: ConfigurationEdit.usualHeading)
    } catch {
      throw LedgerError(error)
    }
  }

  /// The settings to write. Paths are absolute, because commands read the file from any folder.
  private func wanted(
    _ file: ConfigurationFile, _ environment: [String: String]
  ) throws(LedgerError) -> [(name: ConfigurationFile.Name, value: String)] {
    let directories = UserDirectories(environment: environment)
    let here = FileManager.default.currentDirectoryPath
    func absolute(_ path: String) -> String {
      path.hasPrefix("/") || path == "~" || path.hasPrefix("~/")
        ? path : URL(filePath: here + "/" + path).standardized.path
    }
    let location: StoreLocation
    do throws(SettingsError) {
      location = try StoreLocation(store, home: directories.home, workingDirectory: here)
    } catch {
      throw LedgerError(error)
    }
    var name = store
    if case .directory(here + "/" + store) = location { name = absolute(store) }
    var wanted: [(name: ConfigurationFile.Name, value: String)] = [(.store, name)]
    func add(_ name: ConfigurationFile.Name, _ value: String?) {
      if let value { wanted.append((name, value)) }
    }
    add(.endpointURL, endpointUrl)
    add(.region, bucket.region)
    add(.profile, bucket.profile)
    add(.caBundle, bucket.caBundle.map(absolute))
    add(.allowPlaintext, allowPlaintext ? "true" : nil)
    add(.timezone, timezone)
    add(.source, source.map { $0 == SourceSetting.streams ? $0 : absolute($0) })
    return wanted
  }

  private func refuseChanges(_ edit: ConfigurationEdit) throws(LedgerError) {
    let changed = edit.changes.compactMap { change in
      change.old.map { "\(change.name.rawValue) is \($0) and would become \(change.new)" }
    }
    guard !force, !changed.isEmpty else { return }
    var error = LedgerError(
      .invalidArguments, "\(edit.file.path) has other values; nothing was written:",
      remedy: "add --force to change them, or use another file with --config")
    error.details = changed.map { .init($0) }
    throw error
  }

  /// Refuses settings that no command could use, before they are written.
  private func check(
    _ file: ConfigurationFile, _ environment: [String: String]
  ) throws(LedgerError) {
    // Variables override the file, so they would hide errors in it.
    let plain = environment.filter { name, _ in
      !Self.overruling.values.contains { $0.contains(name) }
    }
    let settings = try Settings(GivenSettings(), file: file, environment: plain)
    _ = try settings.today
    if let source = settings.store.source, !source.isStreams {
      _ = try worded(try ImportSource(existing: source.path))
    }
    _ = try OpenedStore(settings)
  }

  /// The variables that override a setting of the file.
  private static let overruling: [ConfigurationFile.Name: [String]] = [
    .store: ["S3HEALTH_STORE"], .timezone: ["S3HEALTH_TIMEZONE"], .source: ["S3HEALTH_SOURCE"],
    .endpointURL: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"],
    .region: ["AWS_REGION", "AWS_DEFAULT_REGION"],
    .profile: ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"], .caBundle: ["AWS_CA_BUNDLE"],
  ]

  private func overruling(
    _ wanted: [(name: ConfigurationFile.Name, value: String)], _ environment: [String: String]
  ) -> [String] {
    wanted.flatMap { name, value in
      (Self.overruling[name] ?? []).filter { !["", value].contains(environment[$0] ?? "") }
    }
  }

  private func lines(
    _ edit: ConfigurationEdit, _ written: Bool, _ terminal: Terminal
  ) -> [String] {
    let path = edit.file.path.printable
    var lines = [
      terminal.styled(written ? "wrote \(path)" : "\(path) already has these settings", .strong)
    ]
    lines += edit.changes.map { change in
      "  \(change.name.rawValue) = \(change.new)".printable
        + (change.old.map { terminal.styled("  (was \($0.printable))", .faint) } ?? "")
    }
    if edit.file.values[.store]?.hasPrefix("s3://") == true {
      lines += [
        "  The file has no keys: they come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,",
        "  or from ~/.aws/credentials.",
      ]
    }
    return lines
  }

  private func document(
    _ edit: ConfigurationEdit, _ written: Bool, _ report: DoctorReport
  ) -> JSONValue {
    .object([
      "config": .string(edit.file.path), "written": .bool(written),
      "changes": .array(
        edit.changes.map { change in
          .object([
            "setting": .string(change.name.rawValue), "value": .string(change.new),
            "before": change.old.map { .string($0) } ?? .null,
          ])
        }),
      "doctor": report.document,
    ])
  }
}
