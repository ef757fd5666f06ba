import HealthLedger
import S3Store

extension S3Flags {
  /// What the command line says, else what the configuration file says.
  init(_ options: StoreOptions, _ file: ConfigurationFile) throws(LedgerError) {
    self.init()
    /// The file's value of a setting that no flag gives, with its origin noted for `doctor`.
    func fallback(_ name: ConfigurationFile.Name, _ setting: String) -> String? {
      guard let value = file.values[name] else { return nil }
      origins[setting] = file.path
      return value
    }
    guard options.endpointUrl.count <= 1 else {
      throw LedgerError(
        .invalidArguments, "--endpoint-url was given \(options.endpointUrl.count) times",
        remedy: "give it once; only `s3health race` spreads over several")
    }
    endpointURL = options.endpointUrl.first ?? fallback(.endpointURL, "endpoint")
    region = options.region ?? fallback(.region, "region")
    profile = options.profile ?? fallback(.profile, "profile")
    caBundle = options.caBundle ?? fallback(.caBundle, "ca bundle")
    addressingStyle = options.addressingStyle
    if addressingStyle == nil, let word = fallback(.addressingStyle, "addressing style") {
      addressingStyle = try Self.addressingStyle(word, file)
    }
    allowsPlaintext = options.allowPlaintext
    if !allowsPlaintext {
      allowsPlaintext = try Self.isTrue(fallback(.allowPlaintext, "plaintext"), file)
    }
    serverSideEncryption = try Self.encryption(
      options.sse ?? fallback(.sse, "encryption"),
      keyID: options.sseKmsKeyId ?? fallback(.sseKMSKeyID, "encryption"))
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
    _ word: String, _ file: ConfigurationFile
  ) throws(LedgerError) -> S3Configuration.AddressingStyle {
    guard let style = S3Configuration.AddressingStyle(rawValue: word) else {
      throw LedgerError(
        .invalidArguments, "\(file.path): there is no addressing style \"\(word)\"",
        remedy: "use auto, path or virtual")
    }
    return style
  }

  private static func isTrue(
    _ word: String?, _ file: ConfigurationFile
  ) throws(LedgerError) -> Bool {
    switch word {
    case "true": return true
    case nil, "false": return false
    case let word?:
      throw LedgerError(
        .invalidArguments, "\(file.path): allow_plaintext is \"\(word)\"",
        remedy: "use true or false")
    }
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
