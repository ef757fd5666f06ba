import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthSources
import S3Store

/// `config`: shows the settings, and changes or removes one of the file.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the settings with their origin, or change one.",
    subcommands: [
      ConfigShowCommand.self, ConfigGetCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self,
    ],
    defaultSubcommand: ConfigShowCommand.self)
}

/// `config show`: what `doctor` shows, without contacting the store.
struct ConfigShowCommand: ResultCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the settings in force and where each comes from.",
    discussion: """
      Contacts nothing. Passwords in addresses and the arguments of commands are not shown; \
      `s3health doctor` also checks what the settings name.
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func result() async throws(LedgerError) -> any CommandResult {
    let (rows, file) = try Self.settings(store)
    try Self.sayStoreMayKeepZone(store)
    return Shown(config: file.path, settings: SettingList(rows))
  }

  /// The store's zone is in the store, which is not contacted here.
  static func sayStoreMayKeepZone(_ options: StoreOptions) throws(LedgerError) {
    guard try Settings(options, timeZone: nil).zone.isMissing else { return }
    StandardStreams.remark(
      "note: a time zone that the store keeps comes before this machine's; s3health doctor shows it"
    )
  }

  struct Shown: CommandResult, Encodable {
    let config: String
    let settings: SettingList

    func lines(_ terminal: Terminal) -> [String] { settings.lines(terminal) }
  }

  /// The settings in force, also those of the file that no command needs here; and the file.
  static func settings(
    _ options: StoreOptions
  ) throws(LedgerError) -> (rows: [SettingOrigin], file: ConfigurationFile) {
    let settings = try Settings(options, timeZone: nil)
    var rows = settings.origins
    do throws(LedgerError) {
      rows += try OpenedStore(settings).origins
    } catch {
      StandardStreams.remark("note: the store's own settings are not shown: \(error.message)")
    }
    let file = try configurationFile(options.config)
    let shown = Set(rows.map(\.setting))
    rows += Setting.filed.filter { !shown.contains($0.rawValue) }.compactMap { name in
      file.values[name].map { SettingOrigin(name.rawValue, value: $0, origin: file.path) }
    }
    return (rows, file)
  }
}

/// `config get`: one setting in force.
struct ConfigGetCommand: ResultCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print one setting in force.",
    discussion: """
      device_id is the id of this device, for which a server's token is made. It is made once and kept \
      in your data folder.

        s3health config get timezone
        s3healthd token add laptop --device "$(s3health config get device_id)" --endpoint ingest
      """)

  @Argument(
    help: "The setting's name, such as timezone; device_id or collector_id.",
    completion: .list(
      ["collector_id", "device_id"] + Setting.filed.map(\.rawValue)))
  var name: String

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func result() async throws(LedgerError) -> any CommandResult {
    Found(setting: name, value: try value)
  }

  struct Found: CommandResult, Encodable {
    let setting: String
    let value: String

    func lines(_ terminal: Terminal) -> [String] { [value.printable] }
  }

  private var value: String {
    get throws(LedgerError) {
      switch name {
      case "device_id", "collector_id":
        let own = try CollectorOptions.configured(try Settings(store, timeZone: nil))
        return (name == "device_id" ? own.deviceID : own.collectorID).uuidString.lowercased()
      default:
        let known = try Setting(known: name)
        let rows = try ConfigShowCommand.settings(store).rows
        if known == .timezone { try ConfigShowCommand.sayStoreMayKeepZone(store) }
        guard let row = rows.first(where: { $0.setting == known.rawValue }) else {
          throw LedgerError(
            .dataNotFound, "\(name) is not set",
            remedy: .text("s3health config set \(name) VALUE sets it"))
        }
        return Setting.shown(row.value, of: row.setting)
      }
    }
  }
}

/// `config set`: writes one setting to the configuration file.
struct ConfigSetCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Write one setting to the configuration file.",
    discussion: """
      Comments and other settings stay. What no command could use is not written. docs/SETTINGS.md \
      lists the names.

        s3health config set source ~/exports
        s3health config set timezone Europe/Berlin
      """)

  @OptionGroup var setting: SettingOptions
  var output: OutputOptions { setting.output }

  @Argument(help: "Its new value.")
  var value: String

  func result() async throws(LedgerError) -> any CommandResult {
    try setting.change { name throws(LedgerError) in
      if name == .store { return try storeFromRoot(value) }
      // A person means the folder that they are in.
      return name.isPath && value != SourceSetting.streams ? fromRoot(value) : value
    }
  }
}

/// `config unset`: removes one setting from the configuration file.
struct ConfigUnsetCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Remove one setting from the configuration file.",
    discussion: """
      Its default counts again. Comments and other settings stay.

        s3health config unset endpoint_url
      """)

  @OptionGroup var setting: SettingOptions
  var output: OutputOptions { setting.output }

  func result() async throws(LedgerError) -> any CommandResult { try setting.change { _ in nil } }
}

/// The setting that `config set` and `config unset` change.
struct SettingOptions: ParsableArguments {
  @Argument(
    help: "The setting's name, such as source.",
    completion: .list(Setting.filed.map(\.rawValue)))
  var name: String

  @Option(help: .init("Configuration file to write.", valueName: "file"), completion: .file())
  var config: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var speech: SpeechOptions

  /// Writes the setting to the file, or removes it, if commands can use what the file is then.
  ///
  /// - Parameter newValue: its value; nil to remove it.
  func change(
    to newValue: (Setting) throws(LedgerError) -> String?
  ) throws(LedgerError) -> ChangedSetting {
    Diagnostics.start(isQuiet: speech.quiet, isVerbose: speech.verbose, showsProgress: true)
    let name = try Setting(known: name)
    let file = try configurationFile(config)
    let (before, value) = (file.values[name], try newValue(name))
    return ChangedSetting(
      config: file.path, setting: name.rawValue, written: try write(value, of: name, to: file),
      value: value, before: before)
  }

  /// Returns false if nothing had to change.
  private func write(
    _ value: String?, of name: Setting, to file: ConfigurationFile
  ) throws(LedgerError) -> Bool {
    guard name != .gateway || file.gateways.count < 2 else {
      throw LedgerError(
        .invalidArguments, "\(file.path) names \(file.gateways.count) gateways",
        remedy: "change the line in an editor")
    }
    let edit = try InitCommand.edit(file, [(name, value)])
    // Variables override the file, so they would hide errors in it.
    let plain = ProcessInfo.processInfo.environment.filter { name, _ in
      !name.hasPrefix("S3HEALTH_") && !name.hasPrefix("AWS_")
    }
    _ = try Settings(GivenSettings(), file: edit.file, environment: plain).today
    return try edit.write()
  }
}

struct ChangedSetting: CommandResult, Encodable {
  let config, setting: String
  let written: Bool
  let value, before: String?

  func lines(_ terminal: Terminal) -> [String] {
    let words = value.map { "= \($0)" } ?? (before == nil ? "is not set" : "is no longer set")
    let was = before.flatMap { $0 == value ? nil : "  (was \($0))" } ?? ""
    return ["\(config): \(setting) \(words)\(was)".printable]
  }
}

extension Setting {
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a name that is no setting's, with the nearest one.
  fileprivate init(known name: String) throws(LedgerError) {
    let names = Self.filed.map(\.rawValue)
    if names.contains(name), let known = Self(rawValue: name) {
      self = known
      return
    }
    let meant = Suggestion.nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
    throw LedgerError(
      .invalidArguments, "there is no setting \"\(name.prefix(40))\"\(meant)",
      remedy: .text("use one of \(names.joined(separator: ", "))"))
  }
}

/// The configuration file that was named, or the usual one, which need not exist.
func configurationFile(_ given: String?) throws(LedgerError) -> ConfigurationFile {
  try ConfigurationFile(given, ProcessInfo.processInfo.environment, mustExist: false)
}

/// A path for the file: from the root or the home folder.
func fromRoot(_ path: String) -> String {
  path.hasPrefix("/") || path == "~" || path.hasPrefix("~/")
    ? path
    : URL(filePath: FileManager.default.currentDirectoryPath + "/" + path).standardized.path
}

/// A store's name for the file: a folder from the root, anything else as it is.
func storeFromRoot(_ name: String) throws(LedgerError) -> String {
  let environment = ProcessInfo.processInfo.environment
  let here = FileManager.default.currentDirectoryPath
  let location = try StoreLocation(
    name, home: UserDirectories(environment: environment).home, workingDirectory: here)
  if case .directory(here + "/" + name) = location { return fromRoot(name) }
  return name
}
