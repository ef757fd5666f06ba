package import AWSCredentials
package import HealthLedger
import S3Store

/// Every setting, by its name in the configuration file; docs/SETTINGS.md has the same table.
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

  /// What there is to know of a setting.
  struct Row {
    /// The option that gives it to any command.
    let flag: String?
    /// The first that is set counts.
    let variables: [String]
    let traits: Set<Trait>
    /// What its value must be; nil where that is for its reader to say, or anything.
    let rule: Rule?

    init(
      _ flag: String? = nil, _ variables: String..., is traits: Set<Trait> = [], a rule: Rule? = nil
    ) {
      (self.flag, self.variables, self.traits, self.rule) = (flag, variables, traits, rule)
    }
  }

  enum Trait {
    /// It says something of the one person whose file it is: where the data comes from, what to reach, and
    /// where it goes.
    case personal
    /// A file or a folder. The name of a store may be one, too, and has a rule of its own.
    case path
    /// A configuration file can't have it.
    case unfiled
    /// It is never shown.
    case secret
  }

  var row: Row {
    switch self {
    case .store: Row("--store", "S3HEALTH_STORE")
    case .backend: Row()
    case .person: Row("--person", "S3HEALTH_PERSON")
    case .source: Row(nil, "S3HEALTH_SOURCE", is: [.personal, .path])
    case .catchUpDays: Row(nil, "S3HEALTH_CATCH_UP_DAYS", a: .number(Self.catchUpRange))
    case .stepGoal: Row(nil, "S3HEALTH_STEP_GOAL", is: [.personal], a: .number(Self.stepRange))
    case .goals: Row(nil, "S3HEALTH_GOALS", is: [.personal])
    case .units: Row(nil, "S3HEALTH_UNITS")
    case .displayName: Row(nil, "S3HEALTH_DISPLAY_NAME", is: [.personal])
    case .timezone: Row("--timezone", "S3HEALTH_TIMEZONE")
    case .endpointURL: Row("--endpoint-url", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
    case .region: Row("--region", "AWS_REGION", "AWS_DEFAULT_REGION")
    case .profile: Row("--profile", "AWS_PROFILE", "AWS_DEFAULT_PROFILE")
    case .caBundle: Row("--ca-bundle", "AWS_CA_BUNDLE", is: [.path])
    case .addressingStyle:
      Row(nil, "S3HEALTH_ADDRESSING_STYLE", a: .oneOf("auto", "path", "virtual"))
    case .maxAttempts: Row(nil, "AWS_MAX_ATTEMPTS", a: .number(1...100))
    case .allowPlaintext: Row("--allow-plaintext", a: .oneOf("true", "false"))
    case .sse: Row(nil, "S3HEALTH_SSE", a: .oneOf("AES256", "aws:kms"))
    case .sseKMSKeyID: Row(nil, "S3HEALTH_SSE_KMS_KEY_ID")
    case .cacheSize: Row("--no-cache", "S3HEALTH_CACHE_SIZE", a: .size)
    case .notifyCommand: Row(nil, "S3HEALTH_NOTIFY_COMMAND", is: [.personal])
    case .notifyEvery: Row(nil, "S3HEALTH_NOTIFY_EVERY", a: .interval)
    case .gateway: Row(nil, "S3HEALTH_GATEWAY", is: [.personal])
    case .gatewayUser: Row(nil, "S3HEALTH_GATEWAY_USER", is: [.personal])
    case .gatewayPasswordFile:
      Row(nil, "S3HEALTH_GATEWAY_PASSWORD_FILE", is: [.personal, .path])
    case .gatewayPasswordCommand: Row(nil, "S3HEALTH_GATEWAY_PASSWORD_COMMAND", is: [.personal])
    case .gatewayTokenFile: Row(nil, "S3HEALTH_GATEWAY_TOKEN_FILE", is: [.personal, .path])
    case .gatewayTokenCommand: Row(nil, "S3HEALTH_GATEWAY_TOKEN_COMMAND", is: [.personal])
    case .pushJob: Row(nil, "S3HEALTH_PUSH_JOB", is: [.personal])
    case .pushInstance: Row(nil, "S3HEALTH_PUSH_INSTANCE", is: [.personal])
    case .pushMetrics: Row(nil, "S3HEALTH_PUSH_METRICS", is: [.personal])
    case .pushWithout: Row(nil, "S3HEALTH_PUSH_WITHOUT", is: [.personal])
    case .config: Row("--config", "S3HEALTH_CONFIG", is: [.unfiled])
    case .timeout: Row("--timeout", is: [.unfiled], a: .number(1...3600))
    case .outbox: Row("--outbox", "S3HEALTH_OUTBOX", is: [.unfiled])
    case .collectorID: Row("--collector-id", "S3HEALTH_COLLECTOR_ID", is: [.unfiled])
    case .deviceID: Row("--device-id", "S3HEALTH_DEVICE_ID", is: [.unfiled])
    case .deviceToken: Row(nil, "S3HEALTH_DEVICE_TOKEN", is: [.unfiled, .secret])
    case .gatewayPassword: Row(nil, "S3HEALTH_GATEWAY_PASSWORD", is: [.unfiled, .secret])
    case .gatewayToken: Row(nil, "S3HEALTH_GATEWAY_TOKEN", is: [.unfiled, .secret])
    }
  }

  /// The settings that a configuration file may have.
  package static let filed = allCases.filter { !$0.row.traits.contains(.unfiled) }

  /// The option that gives it to any command; else its name.
  package var flag: String { row.flag ?? rawValue }
  /// Its variables; the first that is set counts.
  package var variables: [String] { row.variables }
  package var isPath: Bool { row.traits.contains(.path) }
  var isPersonal: Bool { row.traits.contains(.personal) }
  /// Whether it is one of a bucket, which AWS's own variables and files can set, too.
  var ofBucket: S3Setting? { S3Setting(rawValue: rawValue) }

  /// How many days before today a collector's run looks at, 0 for today alone, up to ten years (R49).
  package static let catchUpRange = 0...3660
  /// The steps to reach in a day.
  package static let stepRange = 1...1_000_000
  /// Those of who has set none.
  package static let usualSteps = 10_000
}

extension Setting {
  /// What the value of a setting must be.
  struct Rule: Sendable {
    /// `a number from 1 to 100`.
    let words: String
    let takes: @Sendable (String) -> Bool

    static func number(_ range: ClosedRange<Int>) -> Rule {
      Rule(words: "a number from \(range.lowerBound) to \(range.upperBound)") {
        Int($0).map(range.contains) ?? false
      }
    }

    static func oneOf(_ words: String...) -> Rule {
      let last = words.last ?? ""
      return Rule(words: words.dropLast().joined(separator: ", ") + " or " + last) {
        words.contains($0)
      }
    }

    static let size = Rule(words: "a size such as 64MB, or 0 to turn the cache off") {
      ByteSize($0) != nil
    }

    /// More often than every six hours is noise, more seldom than twelve does not show that it still runs.
    static let interval = Rule(words: "6h to 12h, or off") {
      $0 == "off" || DurationText($0).map { (21_600...43_200).contains($0.seconds) } ?? false
    }
  }

  /// Throws if no command could use the value.
  ///
  /// - Parameter file: the configuration file, which sets more than one, so that the name is said, too.
  func check(_ found: Sourced, file: String) throws(LedgerError) {
    guard let rule = row.rule, !rule.takes(found.value) else { return }
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
      guard !isElsewhere, setting.ofBucket == nil, !setting.row.traits.contains(.secret) else {
        return []
      }
      let found = setting == .gateway ? gateways : [self[setting]].compactMap(\.self)
      return found.map { SettingOrigin(setting.rawValue, value: $0.value, origin: $0.origin) }
    }
  }
}
