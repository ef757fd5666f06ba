import AWSCredentials
import HealthLedger
import S3Store

extension S3Settings {
  /// The given values, or those of variables, or of the configuration file.
  init(
    _ given: GivenSettings, _ file: ConfigurationFile, _ environment: [String: String], home: String
  ) throws(LedgerError) {
    self.init()
    /// The given value of a setting, or the variable's, or the file's. Its origin is recorded under
    /// the setting's name.
    func chosen(
      _ given: Sourced<String>?, _ name: ConfigurationFile.Name, _ setting: String
    ) -> Sourced<String>? {
      if let given {
        names[setting] = given.origin
        return given
      }
      guard let value = file.values[name] else { return nil }
      origins[setting] = file.path
      return Sourced(value, by: file.path)
    }
    func variable(_ name: String) -> Sourced<String>? {
      StoreSettings.variable(name, environment).map { Sourced($0, by: name) }
    }
    endpointURL = chosen(given.endpoint, .endpointURL, "endpoint")?.value
    region = chosen(given.region, .region, "region")?.value
    profile = chosen(given.profile, .profile, "profile")?.value
    caBundle = chosen(given.caBundle, .caBundle, "ca bundle")
      .map { file.path($0, home: home).value }
    addressingStyle = try Self.addressingStyle(
      chosen(variable("S3HEALTH_ADDRESSING_STYLE"), .addressingStyle, "addressing style"))
    names["plaintext"] = given.allowsPlaintext?.origin
    names["timeout"] = given.timeout?.origin
    allowsPlaintext = given.allowsPlaintext?.value ?? false
    if !allowsPlaintext {
      allowsPlaintext = try Self.isTrue(chosen(nil, .allowPlaintext, "plaintext"))
    }
    serverSideEncryption = try Self.encryption(
      chosen(variable("S3HEALTH_SSE"), .sse, "encryption"),
      key: chosen(variable("S3HEALTH_SSE_KMS_KEY_ID"), .sseKMSKeyID, "encryption key"))
    requestTimeout = try given.timeout.map { timeout throws(LedgerError) in
      .seconds(try Self.checked(timeout, in: 1...3600))
    }
    maximumAttempts =
      try NumberSetting(chosen(nil, .maxAttempts, "attempts"), of: .maxAttempts)?.number
  }

  private static func addressingStyle(
    _ found: Sourced<String>?
  ) throws(LedgerError) -> S3Configuration.AddressingStyle? {
    guard let found else { return nil }
    guard let style = S3Configuration.AddressingStyle(rawValue: found.value) else {
      throw LedgerError(
        .invalidArguments, "\(found.origin): there is no addressing style \"\(found.value)\"",
        remedy: "use auto, path or virtual")
    }
    return style
  }

  private static func isTrue(_ found: Sourced<String>?) throws(LedgerError) -> Bool {
    switch found?.value {
    case "true": return true
    case nil, "false": return false
    case let word?:
      throw LedgerError(
        .invalidArguments, "\(found?.origin ?? ""): allow_plaintext is \"\(word)\"",
        remedy: "use true or false")
    }
  }

  private static func encryption(
    _ method: Sourced<String>?, key: Sourced<String>?
  ) throws(LedgerError) -> S3Configuration.ServerSideEncryption? {
    switch (method?.value, key) {
    case (nil, nil): return nil
    case ("AES256", nil): return .aes256
    case ("aws:kms", _), (nil, _): return .kms(keyID: key?.value)
    case (let word?, _):
      throw LedgerError(
        .invalidArguments,
        "\(method?.origin ?? ""): there is no server-side encryption \"\(word)\""
          + (key.map { " with the key of \($0.origin)" } ?? ""),
        remedy: "use AES256, or aws:kms with or without sse_kms_key_id")
    }
  }

  private static func checked(
    _ given: Sourced<Int>, in range: ClosedRange<Int>
  ) throws(LedgerError) -> Int {
    guard range.contains(given.value) else {
      throw LedgerError(
        .invalidArguments, "\(given.origin) \(given.value) is out of range",
        remedy: "use \(range.lowerBound) to \(range.upperBound)")
    }
    return given.value
  }
}
