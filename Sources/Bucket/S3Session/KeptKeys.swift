import ObjectStore
import S3Store
import Secrets
import SigV4

/// Keys from an app's secrets, read for each request: the app may have kept newer ones.
struct KeptKeys: CredentialsProvider {
  private let secrets: any SecretStore

  init(_ secrets: any SecretStore) { self.secrets = secrets }

  func credentials() async throws(ConfigurationError) -> ResolvedCredentials {
    ResolvedCredentials(try read(), source: "the app's secrets")
  }

  /// Nothing is cached.
  func invalidate(_ rejected: ResolvedCredentials) async {}

  private func read() throws(ConfigurationError) -> SigningCredentials {
    let id = try secret(S3Store.KeyName.accessKeyID)
    let key = try secret(S3Store.KeyName.secretAccessKey)
    guard let id, let key else {
      throw ConfigurationError(
        .notFound, "the app's secrets have no \(id == nil ? "access key" : "secret access key")",
        remedy: "enter the bucket's keys in the app")
    }
    return SigningCredentials(
      accessKeyID: id.revealed, secretAccessKey: key.revealed,
      sessionToken: try secret(S3Store.KeyName.sessionToken)?.revealed)
  }

  private func secret(_ name: String) throws(ConfigurationError) -> Secret? {
    do throws(SecretStoreError) {
      return try secrets.secret(named: name)
    } catch {
      throw ConfigurationError(
        .sourceFailed, error.message, remedy: error.remedy.map { .text($0) })
    }
  }
}
