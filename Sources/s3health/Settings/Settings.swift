import Foundation
import HealthLedger
import HealthModel
import S3Store

/// Everything a command needs to know before it opens a store, each with its origin.
struct Settings {
  let location: StoreLocation
  let timeZoneName: String
  let s3Flags: S3Flags
  let directories: UserDirectories
  let environment: [String: String]
  /// Of the settings above, in the order that `doctor` shows.
  let origins: [SettingOrigin]

  init(
    _ options: StoreOptions, timeZone: String?,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(LedgerError) {
    let directories = UserDirectories(environment: environment)
    let configPath =
      options.config ?? environment["S3HEALTH_CONFIG"] ?? directories.configuration + "/config"
    let file = try ConfigurationFile(
      path: configPath, mustExist: options.config != nil || environment["S3HEALTH_CONFIG"] != nil)

    func choose(
      _ flag: (String, String?), _ variable: String, _ name: ConfigurationFile.Name
    ) -> (value: String, origin: String)? {
      if let value = flag.1 { return (value, flag.0) }
      if let value = environment[variable], !value.isEmpty { return (value, variable) }
      return file.values[name].map { ($0, file.path) }
    }
    let store =
      choose(("--store", options.store), "S3HEALTH_STORE", .store)
      ?? (directories.data + "/store", "default")
    let zone = choose(("--timezone", timeZone), "S3HEALTH_TIMEZONE", .timezone)
    let systemZone = (TimeZone.current.identifier, "this machine")

    self.location = try StoreLocation(
      store.value, home: directories.home,
      workingDirectory: FileManager.default.currentDirectoryPath)
    self.timeZoneName = (zone ?? systemZone).value
    self.s3Flags = try S3Flags(options, file)
    self.directories = directories
    self.environment = environment
    self.origins = [
      SettingOrigin("store", value: store.value, origin: store.origin),
      SettingOrigin(
        "timezone", value: (zone ?? systemZone).value, origin: (zone ?? systemZone).origin),
      SettingOrigin(
        "config", value: configPath,
        origin: file.values.isEmpty ? "no settings" : "\(file.values.count) settings"),
    ]
  }
}

extension Settings {
  /// This machine's clock.
  var now: Timestamp { LedgerEnvironment.system.now() }

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

extension S3Flags {
  /// What the command line says, else what the configuration file says.
  init(_ options: StoreOptions, _ file: ConfigurationFile) throws(LedgerError) {
    self.init()
    endpointURL = options.endpointUrl ?? file.values[.endpointURL]
    region = options.region ?? file.values[.region]
    profile = options.profile ?? file.values[.profile]
    caBundle = options.caBundle ?? file.values[.caBundle]
    addressingStyle = options.addressingStyle
    if addressingStyle == nil { addressingStyle = try Self.addressingStyle(file) }
    allowsPlaintext = options.allowPlaintext || file.values[.allowPlaintext] == "true"
    serverSideEncryption = try Self.encryption(
      options.sse ?? file.values[.sse], keyID: options.sseKmsKeyId ?? file.values[.sseKMSKeyID])
    if let timeout = options.timeout {
      try Self.check(timeout, in: 1...3600, "--timeout")
      requestTimeout = .seconds(timeout)
    }
    if let attempts = options.maxAttempts {
      try Self.check(attempts, in: 1...100, "--max-attempts")
      maximumAttempts = attempts
    }
  }

  private static func addressingStyle(
    _ file: ConfigurationFile
  ) throws(LedgerError) -> S3Configuration.AddressingStyle? {
    guard let word = file.values[.addressingStyle] else { return nil }
    guard let style = S3Configuration.AddressingStyle(rawValue: word) else {
      throw LedgerError(
        .invalidArguments, "\(file.path): there is no addressing style \"\(word)\"",
        remedy: "use auto, path or virtual")
    }
    return style
  }

  private static func encryption(
    _ method: String?, keyID: String?
  ) throws(LedgerError) -> S3Configuration.ServerSideEncryption? {
    switch (method, keyID) {
    case (nil, nil): return nil
    case ("AES256", nil): return .aes256
    case ("aws:kms", _), (nil, _): return .kms(keyID: keyID)
    default:
      throw LedgerError(
        .invalidArguments,
        "there is no server-side encryption \"\(method ?? "")\" with these options",
        remedy: "use --sse AES256, or --sse aws:kms with or without --sse-kms-key-id")
    }
  }

  private static func check(
    _ value: Int, in range: ClosedRange<Int>, _ flag: String
  ) throws(LedgerError) {
    guard range.contains(value) else {
      throw LedgerError(
        .invalidArguments, "\(flag) \(value) is out of range",
        remedy: "use \(range.lowerBound) to \(range.upperBound)")
    }
  }
}
