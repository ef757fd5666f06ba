/// What the caller's own settings say about an S3 store, a command line's or else a configuration
/// file's; nil where neither says anything.
package struct S3Flags: Hashable, Sendable {
  /// The address of the server, such as `https://minio.home:9000`.
  package var endpointURL: String?
  /// The region to sign for.
  package var region: String?
  /// The profile of the AWS files.
  package var profile: String?
  /// A PEM file that replaces the system's certificate authorities.
  package var caBundle: String?
  /// Where the bucket's name goes.
  package var addressingStyle: S3Configuration.AddressingStyle?
  /// Lets plain http leave this machine.
  package var allowsPlaintext = false
  /// What new objects are to be encrypted with.
  package var serverSideEncryption: S3Configuration.ServerSideEncryption?
  /// Bound on one request.
  package var requestTimeout: Duration?
  /// Most sends of one request.
  package var maximumAttempts: Int?

  /// The configuration file that a setting came from, by the setting's name (`SettingOrigin`), such
  /// as `["region": "s3health.conf"]`. What comes from a file is overruled by AWS's variables, as
  /// aws-cli has it for its own files; what the caller was given directly is not.
  package var origins: [String: String] = [:]

  /// What the caller calls a setting that it was given directly, by the setting's name: a command
  /// line has its flags here. For `doctor` and for errors.
  package var names: [String: String] = [:]

  /// Where a setting's value came from.
  func origin(of setting: String) -> String {
    origins[setting] ?? names[setting] ?? "the \(setting) given"
  }

  package init() {}
}
