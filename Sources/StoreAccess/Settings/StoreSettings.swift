import Foundation
import HealthLedger
import HealthModel
import HealthSources
import S3Store

/// Everything a command needs to know before it opens a store, each with its origin.
struct Settings {
  let location: StoreLocation
  let zone: ZoneSetting
  let s3Flags: S3Flags
  let cache: CacheSetting
  /// Nil where nobody named one.
  let source: SourceSetting?
  /// The configuration file, which need not be there.
  let configurationPath: String
  let directories: UserDirectories
  let environment: [String: String]
  /// Of the settings above, in the order that `doctor` shows.
  private(set) var origins: [SettingOrigin]

  /// - Parameter file: the configuration file, where it is at hand.
  init(
    _ options: StoreOptions, timeZone: String?, file given: ConfigurationFile? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(LedgerError) {
    let directories = UserDirectories(environment: environment)
    /// A variable's value; one that is empty counts as not set.
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let file: ConfigurationFile
    if let given {
      file = given
    } else {
      file = try ConfigurationFile(options, environment, mustExist: true)
    }
    let configPath = file.path

    func choose(
      _ flag: (String, String?), _ name: String, _ setting: ConfigurationFile.Name
    ) -> (value: String, origin: String)? {
      if let value = flag.1 { return (value, flag.0) }
      if let value = variable(name) { return (value, name) }
      return file.values[setting].map { ($0, file.path) }
    }
    let store =
      choose(("--store", options.store), "S3HEALTH_STORE", .store)
      ?? (directories.data + "/store", "default")
    let zone =
      choose(("--timezone", timeZone), "S3HEALTH_TIMEZONE", .timezone)
      .map { ZoneSetting(given: $0.value, origin: $0.origin) }
      ?? ZoneSetting(machine: variable("TZ"))

    let isFromFile = options.store == nil && variable("S3HEALTH_STORE") == nil
    let storeName = isFromFile ? try file.storeName ?? store.value : store.value
    self.location = try StoreLocation(
      storeName, home: directories.home,
      workingDirectory: FileManager.default.currentDirectoryPath)
    self.zone = zone
    self.s3Flags = try S3Flags(options, file)
    self.cache = try CacheSetting(
      options, given: choose(("", nil), "S3HEALTH_CACHE_SIZE", .cacheSize), directories)
    self.source = choose(("", nil), "S3HEALTH_SOURCE", .source).flatMap {
      $0.value.isEmpty ? nil : SourceSetting($0, file, home: directories.home)
    }
    self.configurationPath = configPath
    self.directories = directories
    self.environment = environment
    self.origins = [
      SettingOrigin("store", value: storeName, origin: store.origin),
      SettingOrigin("timezone", value: zone.text, origin: zone.origin),
      SettingOrigin(
        "config", value: configPath,
        origin: file.values.isEmpty
          ? "no settings"
          : file.values.count == 1 ? "1 setting" : "\(file.values.count) settings"),
      SettingOrigin("backend", value: location.backend.rawValue, origin: "by the store's name"),
    ]
    if let source {
      self.origins.append(SettingOrigin("source", value: source.path, origin: source.origin))
    }
    if case .s3 = location {
      self.origins.append(
        SettingOrigin("cache", value: cache.description, origin: cache.origin))
    }
  }
}

extension ConfigurationFile {
  /// The file that the command line, a variable or nobody names.
  ///
  /// - Parameter mustExist: whether one that was named must be there; the usual one need not.
  init(
    _ options: StoreOptions, _ environment: [String: String], mustExist: Bool
  ) throws(LedgerError) {
    let variable = environment["S3HEALTH_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    let given = options.config ?? variable
    let usual = UserDirectories(environment: environment).configuration + "/config"
    try self.init(path: given ?? usual, mustExist: mustExist && given != nil)
  }
}

extension Settings {
  /// This machine's clock.
  var now: Timestamp { LedgerEnvironment.system.now() }

  /// The zones of the days.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS where a name is none (R4).
  var zones: ReportingZones {
    get throws(LedgerError) {
      if let failure = zone.failure { throw failure }
      return zone.zones
    }
  }

  /// The zone that holds now.
  var timeZoneName: String {
    (try? zone.zones.date(at: now)).map { zone.zones.name(on: $0) } ?? zone.zones.periods[0].name
  }

  /// The date in the reporting time zone; fails where the zone's name is none (R4).
  var today: CalendarDate {
    get throws(LedgerError) {
      let zones = try zones
      do {
        return try zones.date(at: now)
      } catch {
        throw error.ledgerError
      }
    }
  }

  /// The date that an argument means. A wrong zone that was given is refused even where the date
  /// needs none: it would go on to be trusted. The machine's is nobody's wish: it can wait.
  func date(_ argument: DayArgument) throws(LedgerError) -> CalendarDate {
    if case .date(let date) = argument, !zone.isGiven { return date }
    guard let date = try argument.date(today: try today) else {
      throw LedgerError(.invalidArguments, "one date is needed here", remedy: "use YYYY-MM-DD")
    }
    return date
  }
}
