package import AWSCredentials
import Foundation
package import HealthLedger
package import S3Store

/// Everything that is needed to open a store, each with its origin. A class, because it is large and
/// never changes: what keeps it holds one reference.
package final class StoreSettings: Sendable {
  package let location: StoreLocation
  /// Whether no store is configured, so that it is the one in the home of the user.
  package let hasUsualStore: Bool
  /// The person whose days are meant, in a store of many (R64); nil for the store itself.
  package let personID: PersonID?
  package let s3Settings: S3Settings
  package let cache: CacheSetting
  /// Where days come from if no input is given; nil if none is configured.
  package let source: SourceSetting?
  /// How many days before today a collector's run looks at; nil if it was not given.
  package let catchUp: NumberSetting?
  /// The steps to reach in a day; nil if no goal was given.
  package let stepGoal: NumberSetting?
  /// How the person likes the pages.
  package let person: PersonSettings
  /// How the person is notified; nil if no command is set.
  package let notification: NotificationSetting?
  /// Where metrics are pushed to, and as what.
  package let push: PushSetting
  /// Whose the source in the configuration file is, where it is ignored because it belongs to another
  /// person; empty for nobody's.
  private let ownerOfIgnoredSource: String?
  /// As it was given; nil if it was not given.
  package let timeZone: Sourced<String>?
  /// The configuration file, which need not exist.
  package let configurationPath: String
  package let directories: UserDirectories
  package let environment: [String: String]
  /// The origins of the settings above, without the time zone, in the order in which people read
  /// them.
  package let origins: [SettingOrigin]

  /// Each setting is the given value, or that of a variable, or of the configuration file, or the
  /// default.
  ///
  /// - Parameter file: the configuration file, if it was already read.
  package init(
    _ given: GivenSettings, file known: ConfigurationFile? = nil, environment: [String: String]
  ) throws(LedgerError) {
    let usual = UserDirectories(environment: environment)
    let whole: ConfigurationFile
    if let known {
      whole = known
    } else {
      whole = try ConfigurationFile(given.configuration, environment, mustExist: true)
    }
    let named = try Self.person(given, whole, environment)
    personID = named?.id
    let directories = personID.map(usual.of) ?? usual
    let owner = whole.values[.person] ?? ""
    let isOwn = owner == personID?.rawValue ?? ""
    let file = isOwn ? whole : whole.forAnother()
    ownerOfIgnoredSource = isOwn || whole.values[.source] == nil ? nil : owner
    func chosen(
      _ given: Sourced<String>?, _ variable: String, _ name: ConfigurationFile.Name
    ) -> Sourced<String>? {
      if let given { return given }
      if let value = Self.variable(variable, environment) { return Sourced(value, by: variable) }
      return file.values[name].map { Sourced($0, by: file.path) }
    }
    let givenStore = chosen(given.store, "S3HEALTH_STORE", .store)
    hasUsualStore = givenStore == nil
    let store = givenStore ?? Sourced(directories.usualStore, by: "default")
    let isFromFile = given.store == nil && Self.variable("S3HEALTH_STORE", environment) == nil
    let storeName = isFromFile ? try file.storeName ?? store.value : store.value
    location = try StoreLocation(
      storeName, home: directories.home,
      workingDirectory: isFromFile ? file.folder : FileManager.default.currentDirectoryPath)
    timeZone = chosen(given.timeZone, "S3HEALTH_TIMEZONE", .timezone)
    s3Settings = try S3Settings(given, file, environment, home: directories.home)
    cache = try CacheSetting(
      given.cacheSize, found: chosen(nil, "S3HEALTH_CACHE_SIZE", .cacheSize), directories)
    source = chosen(nil, "S3HEALTH_SOURCE", .source).map {
      SourceSetting($0, file, home: directories.home)
    }
    catchUp = try NumberSetting(
      chosen(nil, "S3HEALTH_CATCH_UP_DAYS", .catchUpDays), of: .catchUpDays)
    stepGoal = try NumberSetting(chosen(nil, "S3HEALTH_STEP_GOAL", .stepGoal), of: .stepGoal)
    person = try PersonSettings(
      goals: chosen(nil, "S3HEALTH_GOALS", .goals), units: chosen(nil, "S3HEALTH_UNITS", .units),
      displayName: chosen(nil, "S3HEALTH_DISPLAY_NAME", .displayName))
    notification = try NotificationSetting(
      chosen(nil, "S3HEALTH_NOTIFY_COMMAND", .notifyCommand),
      every: chosen(nil, "S3HEALTH_NOTIFY_EVERY", .notifyEvery))
    push = PushSetting(file, environment, home: directories.home)
    configurationPath = file.path
    (self.directories, self.environment) = (directories, environment)
    var origins = [
      SettingOrigin("store", value: storeName, origin: store.origin),
      SettingOrigin(
        "config", value: file.path,
        origin: whole.values.isEmpty
          ? "no settings"
          : whole.values.count == 1 ? "1 setting" : "\(whole.values.count) settings"),
      SettingOrigin("backend", value: location.backend.rawValue, origin: "by the store's name"),
    ]
    if let named {
      origins.insert(
        SettingOrigin("person", value: named.id.rawValue, origin: named.origin), at: 1)
    }
    if let source {
      origins.append(SettingOrigin("source", value: source.path, origin: source.origin))
    }
    if let catchUp {
      origins.append(
        SettingOrigin("catch_up_days", value: "\(catchUp.number)", origin: catchUp.origin))
    }
    if let stepGoal {
      origins.append(
        SettingOrigin("step_goal", value: "\(stepGoal.number)", origin: stepGoal.origin))
    }
    origins += person.origins
    if let notification {
      origins.append(
        SettingOrigin("notify_command", value: notification.command, origin: notification.origin))
    }
    for gateway in push.gateways {
      origins.append(SettingOrigin("gateway", value: gateway.value, origin: gateway.origin))
    }
    if case .s3 = location {
      origins.append(SettingOrigin("cache_size", value: cache.description, origin: cache.origin))
    }
    self.origins = origins
  }

  /// The error of a command that has nothing to read, because no source is configured.
  ///
  /// - Parameters:
  ///   - failure: what it can't do.
  ///   - remedy: how to name a source on the command line.
  package func noSource(_ failure: String, _ remedy: String) -> LedgerError {
    guard let owner = ownerOfIgnoredSource, let personID else {
      return LedgerError(
        .invalidArguments, "\(failure): no source is configured",
        remedy: """
          \(remedy); or write `source = PATH` to \(configurationPath), or set S3HEALTH_SOURCE
          """)
    }
    let whose = owner.isEmpty ? "nobody" : owner
    return LedgerError(
      .invalidArguments,
      "\(failure): the `source` in \(configurationPath) belongs to \(whose), not to \(personID)",
      remedy: """
        \(remedy); or name a file with `person = \(personID)` and `source = PATH` with --config, or \
        set S3HEALTH_SOURCE
        """)
  }

  /// The person that was chosen, and by what.
  private static func person(
    _ given: GivenSettings, _ file: ConfigurationFile, _ environment: [String: String]
  ) throws(LedgerError) -> (id: PersonID, origin: String)? {
    if given.meansAllPeople { return nil }
    let named =
      given.person
      ?? variable("S3HEALTH_PERSON", environment).map { Sourced($0, by: "S3HEALTH_PERSON") }
      ?? file.values[.person].map { Sourced($0, by: file.path) }
    guard let named else { return nil }
    do throws(LedgerError) {
      return (try PersonID(checking: named.value), named.origin)
    } catch {
      var error = error
      error.message = "\(named.origin): \(error.message)"
      throw error
    }
  }

  /// A variable's value. An empty one counts as not set.
  package static func variable(_ name: String, _ environment: [String: String]) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension ConfigurationFile {
  /// The given file, or the one that a variable names, or the default one.
  ///
  /// - Parameter mustExist: whether a file that was named must exist. The default one need not.
  package init(
    _ given: Sourced<String>?, _ environment: [String: String], mustExist: Bool
  ) throws(LedgerError) {
    let named = given?.value ?? StoreSettings.variable("S3HEALTH_CONFIG", environment)
    let usual = UserDirectories(environment: environment).configuration + "/config"
    try self.init(path: named ?? usual, mustExist: mustExist && named != nil)
  }
}
