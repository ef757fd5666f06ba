import HealthLedger
import S3Store

extension S3Settings {
  /// The given values, or those of the configuration file.
  init(_ given: GivenSettings, _ file: ConfigurationFile) throws(SettingsError) {
    self.init()
    /// The given value of a setting, or the file's. Its origin is recorded under the setting's
    /// name.
    func chosen(
      _ given: Given<String>?, _ name: ConfigurationFile.Name, _ setting: String
    ) -> String? {
      if let given {
        names[setting] = given.origin
        return given.value
      }
      guard let value = file.values[name] else { return nil }
      origins[setting] = file.path
      return value
    }
    endpointURL = chosen(given.endpoint, .endpointURL, "endpoint")
    region = chosen(given.region, .region, "region")
    profile = chosen(given.profile, .profile, "profile")
    caBundle = chosen(given.caBundle, .caBundle, "ca bundle")
    if let word = chosen(given.addressingStyle, .addressingStyle, "addressing style") {
      addressingStyle = try Self.addressingStyle(word, given.addressingStyle?.origin ?? file.path)
    }
    names["plaintext"] = given.allowsPlaintext?.origin
    names["timeout"] = given.timeout?.origin
    names["attempts"] = given.attempts?.origin
    allowsPlaintext = given.allowsPlaintext?.value ?? false
    if !allowsPlaintext {
      allowsPlaintext = try Self.isTrue(chosen(nil, .allowPlaintext, "plaintext"), file)
    }
    serverSideEncryption = try Self.encryption(
      chosen(given.encryption, .sse, "encryption"),
      keyID: chosen(given.encryptionKey, .sseKMSKeyID, "encryption"))
    names["encryption"] = (given.encryption ?? given.encryptionKey)?.origin
    names["encryption key"] = given.encryptionKey?.origin
    requestTimeout = try given.timeout.map { timeout throws(SettingsError) in
      .seconds(try Self.checked(timeout, in: 1...3600))
    }
    maximumAttempts = try given.attempts.map { attempts throws(SettingsError) in
      try Self.checked(attempts, in: 1...100)
    }
  }

  private static func addressingStyle(
    _ word: String, _ origin: String
  ) throws(SettingsError) -> S3Configuration.AddressingStyle {
    guard let style = S3Configuration.AddressingStyle(rawValue: word) else {
      throw SettingsError(
        "\(origin): there is no addressing style \"\(word)\"", remedy: "use auto, path or virtual")
    }
    return style
  }

  private static func isTrue(
    _ word: String?, _ file: ConfigurationFile
  ) throws(SettingsError) -> Bool {
    switch word {
    case "true": return true
    case nil, "false": return false
    case let word?:
      throw SettingsError(
        "\(file.path): allow_plaintext is \"\(word)\"", remedy: "use true or false")
    }
  }

  private static func encryption(
    _ method: String?, keyID: String?
  ) throws(SettingsError) -> S3Configuration.ServerSideEncryption? {
    switch (method, keyID) {
    case (nil, nil): return nil
    case ("AES256", nil): return .aes256
    case ("aws:kms", _), (nil, _): return .kms(keyID: keyID)
    default:
      throw SettingsError(
        "there is no server-side encryption \"\(method ?? "")\" with these options",
        advice: .chooseEncryption)
    }
  }

  private static func checked(
    _ given: Given<Int>, in range: ClosedRange<Int>
  ) throws(SettingsError) -> Int {
    guard range.contains(given.value) else {
      throw SettingsError(
        "\(given.origin) \(given.value) is out of range",
        remedy: "use \(range.lowerBound) to \(range.upperBound)")
    }
    return given.value
  }
}
