import ObjectStore
import S3Store
import Secrets
import SigV4

/// Keys from an app's secrets, read for each request: the app may have kept newer ones.
struct KeptKeys: CredentialsProvider {
  private let secrets: any SecretStore

  init(_ secrets: any SecretStore) { self.secrets = secrets }

  func credentials() async throws(StoreError) -> ResolvedCredentials {
    ResolvedCredentials(try read(), source: "the app's secrets")
  }

  /// Nothing is cached.
  func invalidate(_ rejected: ResolvedCredentials) async {}

  private func read() throws(StoreError) -> SigningCredentials {
    let id = try secrets.secret(named: S3Store.KeyName.accessKeyID)
    let key = try secrets.secret(named: S3Store.KeyName.secretAccessKey)
    guard let id, let key else {
      throw StoreError(
        .notAuthorized,
        "the app's secrets have no \(id == nil ? "access key" : "secret access key")",
        remedy: "enter the bucket's keys in the app")
    }
    return SigningCredentials(
      accessKeyID: id.revealed, secretAccessKey: key.revealed,
      sessionToken: try secrets.secret(named: S3Store.KeyName.sessionToken)?.revealed)
  }
}
