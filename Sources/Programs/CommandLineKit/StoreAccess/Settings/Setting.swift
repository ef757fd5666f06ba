package import AWSCredentials
import HealthLedger
import S3Store

/// Every setting, by its name in the configuration file; and what follows from it. docs/SETTINGS.md has the table.
package enum Setting: String, CaseIterable, Codable, Sendable {
  case store, backend, person, source
  case catchUpDays = "catch_up_days"
  case stepGoal = "step_goal"
  case goals, units
  case displayName = "display_name"
  case timezone
  case endpointURL = "endpoint_url"
  case region, profile
  case caBundle = "ca_bundle"
  case addressingStyle = "addressing_style"
  case maxAttempts = "max_attempts"
  case allowPlaintext = "allow_plaintext"
  case sse
  case sseKMSKeyID = "sse_kms_key_id"
  case cacheSize = "cache_size"
  case notifyCommand = "notify_command"
  case notifyEvery = "notify_every"
  case gateway
  case gatewayUser = "gateway_user"
  case gatewayPasswordFile = "gateway_password_file"
  case gatewayPasswordCommand = "gateway_password_command"
  case gatewayTokenFile = "gateway_token_file"
  case gatewayTokenCommand = "gateway_token_command"
  case pushJob = "push_job"
  case pushInstance = "push_instance"
  case pushMetrics = "push_metrics"
  case pushWithout = "push_without"
  // Not in the file.
  case config, timeout, outbox
  case collectorID = "collector_id"
  case deviceID = "device_id"
  case deviceToken = "device_token"
  case gatewayPassword = "gateway_password"
  case gatewayToken = "gateway_token"

  /// Those that a configuration file may have.
  package static let filed = allCases.prefix { $0 != .config }

  /// The option that gives it, where there is one.
  package var flag: String {
    self == .cacheSize ? "--no-cache" : "--" + rawValue.replacing("_", with: "-")
  }

  /// The variables that set it, of which the first counts.
  package var variables: [String] {
    switch self {
    case .endpointURL: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]
    case .region: ["AWS_REGION", "AWS_DEFAULT_REGION"]
    case .profile: ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"]
    case .caBundle: ["AWS_CA_BUNDLE"]
    case .maxAttempts: ["AWS_MAX_ATTEMPTS"]
    case .backend, .allowPlaintext, .timeout: []
    default: ["S3HEALTH_" + rawValue.uppercased()]
    }
  }

  /// Whether it says something of the one person whose file it is: where the data comes from, what to reach,
  /// and where it goes.
  var isPersonal: Bool {
    [.source, .stepGoal, .goals, .displayName, .notifyCommand].contains(self)
      || rawValue.hasPrefix("gateway") || rawValue.hasPrefix("push_")
  }

  /// Whether it is a file or a folder. The name of a store may be one, too, and has a rule of its own.
  package var isPath: Bool { [.source, .caBundle].contains(self) || rawValue.hasSuffix("_file") }

  /// Whether it is a password or a token itself, which is never shown.
  var isSecret: Bool { [.deviceToken, .gatewayPassword, .gatewayToken].contains(self) }

  /// What it is for a bucket, which AWS's own variables and files can set, too.
  var ofBucket: S3Setting? { S3Setting(rawValue: rawValue) }

  /// How many days before today a collector's run looks at, 0 for today alone, up to ten years (R49).
  package static let catchUpRange = 0...3660
  /// The steps to reach in a day.
  package static let stepRange = 1...1_000_000
  /// Those of who has set none.
  package static let usualSteps = 10_000
}

extension Setting {
  private typealias Rule = (words: String, takes: (String) -> Bool)

  /// What its value must be, and whether a value is that; nil where that is for its reader to say.
  private var rule: Rule? {
    func number(_ range: ClosedRange<Int>) -> Rule {
      (
        "a number from \(range.lowerBound) to \(range.upperBound)",
        { Int($0).map(range.contains) ?? false }
      )
    }
    return switch self {
    case .catchUpDays: number(Self.catchUpRange)
    case .stepGoal: number(Self.stepRange)
    case .maxAttempts: number(1...100)
    case .timeout: number(1...3600)
    case .addressingStyle: ("auto, path or virtual", ["auto", "path", "virtual"].contains)
    case .allowPlaintext: ("true or false", ["true", "false"].contains)
    case .sse: ("AES256 or aws:kms", ["AES256", "aws:kms"].contains)
    case .cacheSize:
      ("a size such as 64MB, or 0 to turn the cache off", { ByteSize($0) != nil })
    case .notifyEvery:
      // More often is noise, more seldom does not show that it still runs.
      (
        "6h to 12h, or off",
        { text in
          text == "off"
            || DurationText(text).map { (21_600...43_200).contains($0.seconds) } ?? false
        }
      )
    default: nil
    }
  }

  /// Throws if no command could use the value.
  ///
  /// - Parameter file: the configuration file, which sets more than one, so that the name is said, too.
  func check(_ found: Sourced, file: String) throws(LedgerError) {
    guard let rule, !rule.takes(found.value) else { return }
    let place = found.origin == file ? "\(file): \(rawValue)" : found.origin
    throw LedgerError(
      .invalidArguments, "\(place) is \"\(found.value.prefix(40))\", not \(rule.words)",
      remedy: .text("use \(rule.words)"))
  }

  /// What may be shown of a value. A command may have a token among its arguments, and an address a
  /// password before its host.
  package static func shown(_ value: String, of name: String) -> String {
    if name.hasSuffix("_command") {
      let program = value.prefix { !$0.isWhitespace }
      return program.count == value.count ? value : "\(program) …"
    }
    guard let scheme = value.firstRange(of: "://") else { return value }
    let authority = value[scheme.upperBound...].prefix { $0 != "/" }
    guard let end = authority.lastIndex(of: "@") else { return value }
    return value[..<scheme.upperBound] + "…" + value[end...]
  }
}

/// The settings that a front end was given; nil where it was given none. Contains no secret.
///
/// They override variables and the configuration file. They can be passed to another process.
package struct GivenSettings: Codable, Hashable, Sendable {
  private var values: [Setting: Sourced] = [:]
  /// Whether all people of the store are meant, whoever is configured.
  package var meansAllPeople = false

  package init() {}

  package subscript(setting: Setting) -> Sourced? {
    get { values[setting] }
    set { values[setting] = newValue }
  }

  /// Takes a value, of the setting's option if nothing else is named; nil if it was not given.
  package mutating func take(_ setting: Setting, _ value: String?, by origin: String? = nil) {
    values[setting] = value.map { Sourced($0, by: origin ?? setting.flag) }
  }
}

/// The settings that count: what was given, else a variable's, else the file's.
struct SettingValues: Sendable {
  let given: GivenSettings
  let file: ConfigurationFile
  let environment: [String: String]
  let home: String

  /// What a variable of AWS says is weighed with AWS's own files, which may say that it does not count.
  subscript(setting: Setting) -> Sourced? {
    guard let found = given[setting] ?? variable(of: setting) ?? filed(setting) else { return nil }
    let isFile = setting.isPath && !(setting == .source && found.value == SourceSetting.streams)
    return isFile ? file.path(found, home: home) : found
  }

  /// The value that requests to others than the store use, where AWS's files don't count.
  func anywhere(_ setting: Setting) -> Sourced? {
    given[setting] ?? setting.variables.lazy.compactMap(sourced).first ?? self[setting]
  }

  private func variable(of setting: Setting) -> Sourced? {
    setting.variables.lazy.filter { !$0.hasPrefix("AWS_") }.compactMap(sourced).first
  }

  private func sourced(_ variable: String) -> Sourced? {
    StoreSettings.variable(variable, environment).map { Sourced($0, by: variable) }
  }

  private func filed(_ setting: Setting) -> Sourced? {
    file.values[setting].map { Sourced($0, by: file.path) }
  }

  /// Where metrics are pushed to: a setting that may be given several times.
  var gateways: [Sourced] {
    guard let named = variable(of: .gateway) else {
      return file.gateways.map { Sourced($0, by: file.path) }
    }
    return named.value.split(separator: " ").map { Sourced(String($0), by: named.origin) }
  }

  /// What is set, in the order of the table, but for what the store, the zone and a bucket decide.
  var origins: [SettingOrigin] {
    Setting.allCases.flatMap { setting -> [SettingOrigin] in
      let isElsewhere = [.store, .backend, .person, .timezone, .cacheSize, .config].contains(
        setting)
      guard !isElsewhere, setting.ofBucket == nil, !setting.isSecret else { return [] }
      let found = setting == .gateway ? gateways : [self[setting]].compactMap(\.self)
      return found.map { SettingOrigin(setting.rawValue, value: $0.value, origin: $0.origin) }
    }
  }
}
