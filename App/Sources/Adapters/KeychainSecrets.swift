import Secrets

/// The app's secrets: the Keychain, which outlasts the app, so that a reinstalled one has the same
/// `collector_id`.
enum KeychainSecrets {
  static func store() -> any SecretStore { Keychain(service: "com.jaces.ios") }
}
