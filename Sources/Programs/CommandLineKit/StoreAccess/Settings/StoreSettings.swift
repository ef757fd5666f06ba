package import AWSCredentials
import Foundation
package import HealthLedger
import HealthModel
import ObjectStore
package import S3Store

/// Where days come from if no input is given, and the origin of that setting.
package struct SourceSetting: Hashable, Sendable {
  /// A payload, a folder of payloads, or an Apple Health export; `streams` for the store's own
  /// samples.
  package let path: String
  package let origin: String
  /// Whether days come from the samples in the store's streams (R49). A folder of that name is
  /// `./streams`.
  package var isStreams: Bool { path == Self.streams }

  /// The word that stands for the store's streams.
  package static let streams = "streams"
}

/// Everything that is needed to open a store, each with its origin. A class, because it is large and
/// never changes: what keeps it holds one reference.
package final class StoreSettings: Sendable {
  private let values: SettingValues
  package let location: StoreLocation
  /// Whether no store is configured, so that it is the one in the home of the user.
  package let hasUsualStore: Bool
  /// The person whose days are meant, in a store of many (R64); nil for the store itself.
  package let personID: PersonID?
  package let s3Settings: S3Settings
  /// Where days come from if no input is given; nil if none is configured.
  package let source: SourceSetting?
  /// How the person likes the pages.
  package let person: PersonSettings
  /// Where metrics are pushed to (docs/PROMETHEUS.md). Nothing is pushed anywhere unless somebody names a
  /// gateway.
  package let gateways: [Sourced]
  /// Whose the source in the configuration file is, where it is ignored because it belongs to another
  /// person; empty for nobody's.
  private let ownerOfIgnoredSource: String?
  package let directories: UserDirectories
  package let environment: [String: String]
  private let storeName: String
  /// How many settings the configuration file has.
  private let countInFile: Int

  /// A setting in force; nil where nothing is set.
  package subscript(setting: Setting) -> Sourced? { values[setting] }

  /// The configuration file, which need not exist.
  package var configurationPath: String { values.file.path }
  /// How many days before today a collector's run looks at; nil if it was not given.
  package var catchUpDays: Int? { values[.catchUpDays].flatMap { Int($0.value) } }
  /// The steps to reach in a day; nil if no goal was given.
  package var stepGoal: Int? { values[.stepGoal].flatMap { Int($0.value) } }
  /// PEM file of the authorities to trust in servers other than the store.
  package var caBundle: String? { values.anywhere(.caBundle)?.value }
  /// The most bytes of the cache on the disk; 0 turns it off (R39).
  package var cacheSize: Int {
    values[.cacheSize].flatMap { ByteSize($0.value)?.bytes } ?? 64_000_000
  }
  package var cacheFolder: String { directories.cache + "/objects" }
  /// Seconds between regular notifications; nil for none (docs/STREAMS.md).
  package var notificationInterval: Int? {
    let every = values[.notifyEvery]?.value ?? "12h"
    return every == "off" ? nil : DurationText(every)?.seconds
  }

  /// Each setting is the given value, or that of a variable, or of the configuration file, or the
  /// default.
  ///
  /// - Parameter file: the configuration file, if it was already read.
  package init(
    _ given: GivenSettings, file known: ConfigurationFile? = nil, environment: [String: String]
  ) throws(LedgerError) {
    let usual = UserDirectories(environment: environment)
    let whole =
      if let known { known } else {
        try ConfigurationFile(given[.config]?.value, environment, mustExist: true)
      }
    countInFile = whole.values.count
    personID = try Self.person(given, whole, environment)
    directories = personID.map(usual.of) ?? usual
    let owner = whole.values[.person] ?? ""
    let isOwn = owner == personID?.rawValue ?? ""
    let file = isOwn ? whole : whole.forAnother()
    ownerOfIgnoredSource = isOwn || whole.values[.source] == nil ? nil : owner
    let values = SettingValues(
      given: given, file: file, environment: environment, home: directories.home)
    (self.values, self.environment) = (values, environment)
    for setting in Setting.allCases {
      if let found = values[setting] { try setting.check(found, file: file.path) }
    }
    let store = values[.store]
    hasUsualStore = store == nil
    let isFiled = store.map { $0.origin == file.path } ?? true
    storeName = try (isFiled ? file.storeName : store?.value) ?? directories.usualStore
    location = try StoreLocation(
      storeName, home: directories.home,
      workingDirectory: isFiled ? file.folder : FileManager.default.currentDirectoryPath)
    s3Settings = try S3Settings(values)
    source = values[.source].map { SourceSetting(path: $0.value, origin: $0.origin) }
    person = try PersonSettings(goals: values[.goals], units: values[.units])
    gateways = values.gateways
  }

  /// The settings in force with their origins, without the time zone and those of a bucket, in the order in
  /// which people read them.
  package var origins: [SettingOrigin] {
    let count = countInFile
    var origins = [
      SettingOrigin("store", value: storeName, origin: values[.store]?.origin ?? "default"),
      SettingOrigin(
        "config", value: configurationPath,
        origin: count == 0 ? "no settings" : count == 1 ? "1 setting" : "\(count) settings"),
      SettingOrigin("backend", value: location.backend.rawValue, origin: "by the store's name"),
    ]
    if let personID, let origin = values[.person]?.origin {
      origins.insert(SettingOrigin("person", value: personID.rawValue, origin: origin), at: 1)
    }
    origins += values.origins
    if case .s3 = location {
      let size = cacheSize == 0 ? "off" : "\(cacheSize.inBytes) in \(cacheFolder)"
      origins.append(
        SettingOrigin("cache_size", value: size, origin: values[.cacheSize]?.origin ?? "default"))
    }
    return origins
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

  private static func person(
    _ given: GivenSettings, _ file: ConfigurationFile, _ environment: [String: String]
  ) throws(LedgerError) -> PersonID? {
    if given.meansAllPeople { return nil }
    let values = SettingValues(given: given, file: file, environment: environment, home: "")
    guard let named = values[.person] else { return nil }
    do throws(LedgerError) {
      return try PersonID(checking: named.value)
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

extension S3Settings {
  /// Those of a bucket. A combination that no bucket takes is refused whatever the store is.
  fileprivate init(_ values: SettingValues) throws(LedgerError) {
    self.init()
    file = values.file.path
    for setting in Setting.allCases {
      if let own = setting.ofBucket { self[own] = values[setting] }
    }
    _ = try worded { () throws(StoreError) in try encryption() }
  }
}
