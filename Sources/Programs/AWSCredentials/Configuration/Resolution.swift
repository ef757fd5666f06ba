package import ObjectStore
package import S3Store

extension S3Configuration {
  /// The configuration of `s3://bucket/prefix`, in AWS's order of precedence: given settings,
  /// variables, the configuration file, profile, defaults. No effects.
  package static func resolve(
    url: String, settings: S3Settings, environment: AWSEnvironment
  ) throws(StoreError) -> S3Configuration {
    let store = try StoreURL(url)
    let named = settings[.profile]
    let isFiled = named?.origin == settings.file
    let profile = try AWSProfile.chosen(
      given: isFiled ? nil : named, file: isFiled ? named : nil, in: environment)
    let resolution = Resolution(settings: settings, environment: environment, profile: profile)

    var configuration = S3Configuration(bucket: store.bucket, prefix: store.prefix)
    configuration.profile = profile.exists ? profile.name : nil
    try resolution.region(&configuration)
    try resolution.endpoint(&configuration)
    try resolution.addressing(&configuration)
    resolution.caBundle(&configuration)
    try resolution.encryption(&configuration)
    try resolution.limits(&configuration)
    if profile.exists { configuration.note(.profile, profile.name, profile.origin) }
    return configuration
  }

  fileprivate mutating func note(_ setting: S3Setting, _ value: String, _ origin: String?) {
    origins.append(
      SettingOrigin(setting.rawValue, value: value, origin: origin ?? "default"))
  }
}

/// One resolution under way: each step decides a setting and notes its origin.
private struct Resolution {
  let settings: S3Settings
  let environment: AWSEnvironment
  let profile: AWSProfile

  /// The given value, or the variable's, or the configuration file's.
  func chosen(_ setting: S3Setting, variables: Sourced?) -> Sourced? {
    guard let given = settings[setting] else { return variables }
    guard given.origin == settings.file, let variables else { return given }
    return variables.overruling(given)
  }

  func region(_ configuration: inout S3Configuration) throws(StoreError) {
    let found =
      chosen(.region, variables: environment.setting(["AWS_REGION", "AWS_DEFAULT_REGION"]))
      ?? profile.setting("region") ?? Sourced(S3Configuration.defaultRegion, by: "default")
    guard RegionName.isValid(found.value) else {
      throw StoreError(
        .invalidRequest, "the region of \(found.origin) is not a valid name of a region",
        remedy: "use one such as eu-central-1")
    }
    configuration.region = found.value
    configuration.note(.region, found.value, found.origin)
  }

  func endpoint(_ configuration: inout S3Configuration) throws(StoreError) {
    let given = chosen(.endpointURL, variables: environment.endpointVariable(profile))
    let found: Sourced? =
      if let given { given } else { try environment.configuredEndpoint(profile) }
    guard let found else {
      try refuseOtherEndpoints(configuration.region)
      configuration.note(.endpointURL, "\(configuration.effectiveEndpoint)", nil)
      return
    }
    let endpoint = try S3Endpoint(parsing: found.value, origin: found.origin)
    guard endpoint.scheme == .https || endpoint.isLoopback || settings.allowsPlaintext else {
      throw StoreError(
        .invalidRequest,
        "the endpoint \(endpoint) of \(found.origin) would carry health data unencrypted",
        remedy: .encryptTransport)
    }
    configuration.endpoint = endpoint
    configuration.allowsPlaintext = settings.allowsPlaintext
    configuration.note(.endpointURL, "\(endpoint)", found.origin)
    if settings.allowsPlaintext, endpoint.scheme == .http {
      configuration.note(.allowPlaintext, "allowed", settings[.allowPlaintext]?.origin)
    }
  }

  /// Settings that ask for another endpoint of AWS than the usual one are refused, because ignoring
  /// them would break a promise in silence: FIPS is often a duty.
  private func refuseOtherEndpoints(_ region: String) throws(StoreError) {
    let asked: [(Sourced?, String)] = [
      (
        environment.setting(["AWS_USE_FIPS_ENDPOINT"]) ?? profile.setting("use_fips_endpoint"),
        "s3-fips"
      ),
      (
        environment.setting(["AWS_USE_DUALSTACK_ENDPOINT"])
          ?? profile.setting("use_dualstack_endpoint")
          ?? profile.setting("use_dualstack_endpoint", ofBlock: "s3"), "s3.dualstack"
      ),
      (profile.setting("use_accelerate_endpoint", ofBlock: "s3"), "s3-accelerate"),
    ]
    let wanted = asked.compactMap { setting, name in
      setting?.value.lowercased() == "true" ? setting.map { (origin: $0.origin, name: name) } : nil
    }
    guard let first = wanted.first else { return }
    guard !wanted.contains(where: { $0.name == "s3-accelerate" }) else {
      throw StoreError(
        .invalidRequest, "use_accelerate_endpoint of \(first.origin) is not supported",
        remedy: "set it to false for this profile, or use another profile")
    }
    let host = wanted.count == 2 ? "s3-fips.dualstack" : first.name
    throw StoreError(
      .invalidRequest,
      "\(first.origin) asks for an endpoint of \(host), which is not chosen by itself",
      remedy: .text(
        "set the endpoint to https://\(host).\(region).amazonaws.com, or that setting to false"))
  }

  func addressing(_ configuration: inout S3Configuration) throws(StoreError) {
    let found =
      settings[.addressingStyle] ?? profile.setting("addressing_style", ofBlock: "s3")
    guard let style = S3Configuration.AddressingStyle(rawValue: found?.value ?? "auto") else {
      throw StoreError(
        .invalidRequest, "the addressing_style of \(found?.origin ?? "default") is not known",
        remedy: "use auto, path or virtual")
    }
    configuration.addressingStyle = style
    if style == .virtual {
      guard BucketName.fitsHostLabel(configuration.bucket) || configuration.bucketIsDNSName,
        configuration.endpoint.map({ !$0.isAddress }) ?? true
      else {
        throw StoreError(
          .invalidRequest,
          "virtual addressing of \(found?.origin ?? "default") can't join bucket "
            + "\(configuration.bucket) and \(configuration.effectiveEndpoint) to a host name",
          remedy: "use path addressing")
      }
    }
    let way = configuration.usesPathStyle ? "path" : "virtual"
    configuration.note(
      .addressingStyle, style == .auto ? "auto (\(way))" : way, found?.origin)
  }

  func caBundle(_ configuration: inout S3Configuration) {
    let found =
      chosen(.caBundle, variables: environment.setting(["AWS_CA_BUNDLE"]))
      ?? profile.setting("ca_bundle")
    configuration.caBundle = found.map { environment.expanded($0.value) }
    configuration.note(.caBundle, configuration.caBundle ?? "the system's", found?.origin)
  }

  func encryption(_ configuration: inout S3Configuration) throws(StoreError) {
    guard let encryption = try settings.encryption() else { return }
    if case .kms(let keyID?) = encryption {
      guard (1...2048).contains(keyID.utf8.count),
        keyID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        throw StoreError(
          .invalidRequest,
          "the KMS key id of \(settings[.sseKeyID]?.origin ?? "") is not printable ASCII",
          remedy: "give the key's id, alias or ARN")
      }
    }
    configuration.serverSideEncryption = encryption
    let value =
      switch encryption {
      case .none: "none"
      case .aes256: "AES256"
      case .kms(let keyID): keyID.map { "aws:kms with key \($0)" } ?? "aws:kms"
      }
    configuration.note(.sse, value, (settings[.sse] ?? settings[.sseKeyID])?.origin)
  }

  func limits(_ configuration: inout S3Configuration) throws(StoreError) {
    if let timeout = settings[.timeout] {
      guard let seconds = Int(timeout.value), seconds > 0 else {
        throw StoreError(
          .invalidRequest, "the timeout of \(timeout.origin) is not above 0",
          remedy: "give seconds above 0")
      }
      configuration.requestTimeout = .seconds(seconds)
      configuration.connectTimeout = min(configuration.connectTimeout, .seconds(seconds))
    }
    configuration.note(
      .timeout, "\(configuration.requestTimeout)", settings[.timeout]?.origin)

    let found =
      chosen(.maximumAttempts, variables: environment.setting(["AWS_MAX_ATTEMPTS"]))
      ?? profile.setting("max_attempts")
    if let found {
      guard let attempts = Int(found.value), (1...100).contains(attempts) else {
        throw StoreError(
          .invalidRequest, "the attempts of \(found.origin) are not a number from 1 to 100",
          remedy: "give one, such as 5")
      }
      configuration.maximumAttempts = attempts
    }
    configuration.note(.maximumAttempts, "\(configuration.maximumAttempts)", found?.origin)
  }
}

extension S3Configuration {
  /// True if the name can begin a host name, including its dots.
  fileprivate var bucketIsDNSName: Bool {
    bucket.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && BucketName.fitsHostLabel(String($0)) && !$0.hasPrefix("-")
        && !$0.hasSuffix("-")
    }
  }
}

extension S3Endpoint {
  /// True if the host is an address, so that no name can be put before it.
  var isAddress: Bool { host.hasPrefix("[") || IPv4Address(host) != nil }
}

/// Which names a region may have. The name becomes part of host names and signatures.
enum RegionName {
  static func isValid(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasSuffix("-")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
      }
  }
}

/// The parts of `s3://bucket/prefix`.
struct StoreURL: Hashable, Sendable {
  let bucket: String
  let prefix: String

  init(_ url: String) throws(StoreError) {
    guard url.lowercased().hasPrefix("s3://") else {
      throw StoreError(
        .invalidRequest, "the store is not an s3:// URL", remedy: "write s3://bucket/prefix")
    }
    // Works on scalars, because a combining mark after a slash forms one character with it.
    let rest = url.unicodeScalars.dropFirst(5)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let bucket = String(rest[..<slash])
    // Check this before quoting anything: the text before the @ may be a key.
    guard !bucket.unicodeScalars.contains("@") else {
      throw StoreError(
        .invalidRequest, "the store's URL holds a user or password",
        remedy: "leave them out, and give keys as AWS tools take them")
    }
    guard !rest.contains("?"), !rest.contains("#") else {
      throw StoreError(
        .invalidRequest, "the store's URL holds a ? or #, which a prefix can't have",
        remedy: "choose a prefix without them; the URL takes no settings")
    }
    guard BucketName.isValid(bucket) else {
      throw StoreError(
        .invalidRequest, "\"\(bucket.prefix(64))\" can't be a bucket's name",
        remedy: """
          use 3 to 255 letters, digits, dots, hyphens and underscores, with a letter or digit at \
          both ends; most stores take only 3 to 63, and only lower-case letters
          """)
    }
    var prefix = rest[slash...].dropFirst()
    if prefix.last == "/" { prefix = prefix.dropLast() }
    guard prefix.isEmpty || ObjectKey(String(prefix)) != nil else {
      throw StoreError(
        .invalidRequest, "the prefix in the store's URL can't begin a key",
        remedy: """
          use names of at most 255 bytes, other than "." and ".." and without control characters, \
          between single slashes
          """)
    }
    (self.bucket, self.prefix) = (bucket, String(prefix))
  }
}
