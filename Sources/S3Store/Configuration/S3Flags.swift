/// What the command line, or else a configuration file, says about an S3 store; nil where neither
/// says anything.
package struct S3Flags: Hashable, Sendable {
  /// `--endpoint-url`
  package var endpointURL: String?
  /// `--region`
  package var region: String?
  /// `--profile`
  package var profile: String?
  /// `--ca-bundle`
  package var caBundle: String?
  /// `--addressing-style`
  package var addressingStyle: S3Configuration.AddressingStyle?
  /// `--allow-plaintext`
  package var allowsPlaintext = false
  /// `--sse` and `--sse-kms-key-id`
  package var serverSideEncryption: S3Configuration.ServerSideEncryption?
  /// `--timeout`, of one request.
  package var requestTimeout: Duration?
  /// `--max-attempts`
  package var maximumAttempts: Int?

  /// Where a setting came from if not from its flag, by the setting's name (`SettingOrigin`), such
  /// as `["region": "s3health.conf"]`. What comes from a file is overruled by AWS's variables, as
  /// aws-cli has it for its own files; a flag is not.
  package var origins: [String: String] = [:]

  package init() {}
}
