import Foundation
import HealthLedger
import HealthModel
import S3Store

/// Everything a command needs to know before it opens a store, each with its origin.
struct Settings {
  let location: StoreLocation
  let timeZoneName: String
  /// False where the zone is this machine's, for want of another.
  let isTimeZoneGiven: Bool
  let s3Flags: S3Flags
  let cache: CacheSetting
  let directories: UserDirectories
  let environment: [String: String]
  /// Of the settings above, in the order that `doctor` shows.
  private(set) var origins: [SettingOrigin]

  init(
    _ options: StoreOptions, timeZone: String?,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(LedgerError) {
    let directories = UserDirectories(environment: environment)
    /// A variable's value; one that is empty counts as not set.
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let givenPath = options.config ?? variable("S3HEALTH_CONFIG")
    let configPath = givenPath ?? directories.configuration + "/config"
    let file = try ConfigurationFile(path: configPath, mustExist: givenPath != nil)

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
    let zone = choose(("--timezone", timeZone), "S3HEALTH_TIMEZONE", .timezone)
    let systemZone = Self.systemZone(variable("TZ"))

    let isFromFile = options.store == nil && variable("S3HEALTH_STORE") == nil
    let storeName = isFromFile ? try file.storeName ?? store.value : store.value
    self.location = try StoreLocation(
      storeName, home: directories.home,
      workingDirectory: FileManager.default.currentDirectoryPath)
    self.timeZoneName = (zone ?? systemZone).value
    self.isTimeZoneGiven = zone != nil
    self.s3Flags = try S3Flags(options, file)
    self.cache = try CacheSetting(
      options, given: choose(("", nil), "S3HEALTH_CACHE_SIZE", .cacheSize), directories)
    self.directories = directories
    self.environment = environment
    self.origins = [
      SettingOrigin("store", value: storeName, origin: store.origin),
      SettingOrigin(
        "timezone", value: (zone ?? systemZone).value, origin: (zone ?? systemZone).origin),
      SettingOrigin(
        "config", value: configPath,
        origin: file.values.isEmpty ? "no settings" : "\(file.values.count) settings"),
      SettingOrigin("backend", value: location.backend.rawValue, origin: "by the store's name"),
    ]
    if case .s3 = location {
      self.origins.append(
        SettingOrigin("cache", value: cache.description, origin: cache.origin))
    }
  }
}

extension Settings {
  /// This machine's zone and who named it.
  ///
  /// A name in TZ is taken as it stands: Foundation takes `EST` for New York, which has summer time,
  /// and `UTC` for `GMT`.
  private static func systemZone(_ variable: String?) -> (value: String, origin: String) {
    let name = variable.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    if let name, (try? ReportingDay.date(at: now, timeZoneName: name)) != nil {
      return (name, "TZ")
    }
    return (TimeZone.current.identifier, "this machine")
  }

  /// This machine's clock.
  var now: Timestamp { Self.now }

  private static var now: Timestamp { LedgerEnvironment.system.now() }

  /// The date in the reporting time zone; fails where the zone's name is none (R4).
  var today: CalendarDate {
    get throws(LedgerError) {
      do {
        return try ReportingDay.date(at: now, timeZoneName: timeZoneName)
      } catch {
        throw error.ledgerError
      }
    }
  }

  /// The date that an argument means. A wrong zone is refused even where the date needs none: it
  /// would go on to be trusted.
  func date(_ argument: DayArgument) throws(LedgerError) -> CalendarDate {
    guard let date = try argument.date(today: try today) else {
      throw LedgerError(.invalidArguments, "one date is needed here", remedy: "use YYYY-MM-DD")
    }
    return date
  }
}
