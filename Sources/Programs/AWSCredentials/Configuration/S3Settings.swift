package import ObjectStore
package import S3Store

/// A setting's value with its origin, such as the name of an option, a variable or a file. The value may
/// be a secret: no description or mirror shows it.
package struct Sourced: Codable, Hashable, Sendable {
  package let value: String
  package let origin: String

  package init(_ value: String, by origin: String) { (self.value, self.origin) = (value, origin) }

  /// The same, with the value that it overrides named in its origin. A configuration file holds no
  /// secrets.
  func overruling(_ filed: Sourced) -> Sourced {
    value == filed.value
      ? self : Sourced(value, by: "\(origin), before \(filed.value) of \(filed.origin)")
  }
}

extension Sourced: CustomStringConvertible, CustomReflectable {
  package var description: String { "a setting from \(origin)" }
  package var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}

/// What a user can set of a bucket, by the names that configuration files and `doctor` have for it.
package enum S3Setting: String, CaseIterable, Hashable, Sendable {
  case endpointURL = "endpoint_url"
  case region, profile
  case caBundle = "ca_bundle"
  case addressingStyle = "addressing_style"
  case maximumAttempts = "max_attempts"
  case allowPlaintext = "allow_plaintext"
  case sse
  case sseKeyID = "sse_kms_key_id"
  /// Seconds of one request.
  case timeout
}

/// The caller's own settings of a bucket, from its command line or its configuration file.
package struct S3Settings: Hashable, Sendable {
  private var values: [S3Setting: Sourced] = [:]
  /// The configuration file, which is the origin of what it sets. AWS's environment variables override a
  /// value from a file, as in the AWS CLI. They do not override a value that the caller was given directly.
  package var file: String?

  package init() {}

  package subscript(setting: S3Setting) -> Sourced? {
    get { values[setting] }
    set { values[setting] = newValue }
  }

  /// Whether requests may leave this machine over plain http.
  package var allowsPlaintext: Bool { self[.allowPlaintext]?.value == "true" }

  /// How the server encrypts new objects; nil where nothing is set.
  package func encryption() throws(StoreError) -> S3Configuration.ServerSideEncryption? {
    let (method, key) = (self[.sse], self[.sseKeyID])
    switch (method?.value, key) {
    case (nil, nil): return nil
    case ("AES256", nil): return .aes256
    case ("aws:kms", _), (nil, _): return .kms(keyID: key?.value)
    case (let word?, _):
      throw StoreError(
        .invalidRequest,
        "\(method?.origin ?? ""): there is no server-side encryption \"\(word)\""
          + (key.map { " with the key of \($0.origin)" } ?? ""),
        remedy: "use AES256, or aws:kms with or without sse_kms_key_id")
    }
  }
}
