package import S3Store

/// The caller's own settings for an S3 store, from its command line or its configuration file; nil
/// where neither has a value.
package struct S3Settings: Hashable, Sendable {
  /// The address of the server, such as `https://minio.home:9000`.
  package var endpointURL: String?
  /// The bucket's region.
  package var region: String?
  /// The profile of the AWS files.
  package var profile: String?
  /// A PEM file that replaces the system's certificate authorities.
  package var caBundle: String?
  /// Where requests put the bucket's name.
  package var addressingStyle: S3Configuration.AddressingStyle?
  /// Whether requests may leave this machine over plain http.
  package var allowsPlaintext = false
  /// How the server encrypts new objects.
  package var serverSideEncryption: S3Configuration.ServerSideEncryption?
  /// How long one request may take.
  package var requestTimeout: Duration?
  /// How often one request is sent at most.
  package var maximumAttempts: Int?

  /// The configuration file that a setting came from, by the setting's name (`SettingOrigin`), such
  /// as `["region": "s3health.conf"]`. AWS's environment variables override a value from a file, as
  /// in the AWS CLI. They do not override a value that the caller was given directly.
  package var origins: [String: String] = [:]

  /// The caller's name for a setting that it was given directly, by the setting's name, such as a
  /// command line option. Errors and diagnoses show it.
  package var names: [String: String] = [:]

  /// Where a setting's value came from.
  func origin(of setting: String) -> String {
    origins[setting] ?? names[setting] ?? "the \(setting) given"
  }

  package init() {}
}
