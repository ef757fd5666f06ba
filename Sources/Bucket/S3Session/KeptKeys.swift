import ObjectStore
import S3Store
import Secrets
import SigV4
import Synchronization

/// Keys from an app's secrets. They are read once, and again after the store has refused them: the app
/// may have kept newer ones.
final class KeptKeys: CredentialsProvider {
  private let secrets: any SecretStore
  private let known = Mutex<ResolvedCredentials?>(nil)

  init(_ secrets: any SecretStore) { self.secrets = secrets }

  func credentials() async throws(CredentialsError) -> ResolvedCredentials {
    if let resolved = known.withLock({ $0 }) { return resolved }
    let resolved = ResolvedCredentials(try read(), source: "the app's secrets")
    known.withLock { $0 = resolved }
    return resolved
  }

  func invalidate(_ rejected: ResolvedCredentials) async {
    known.withLock { if $0 == rejected { $0 = nil } }
  }

  private func read() throws(CredentialsError) -> SigningCredentials {
    let id = try secret(S3Store.KeyName.accessKeyID)
    let key = try secret(S3Store.KeyName.secretAccessKey)
    guard let id, let key else {
      throw CredentialsError(
        .notFound, "the app's secrets have no \(id == nil ? "access key" : "secret access key")",
        remedy: "enter the bucket's keys in the app")
    }
    return SigningCredentials(
      accessKeyID: id.revealed, secretAccessKey: key.revealed,
      sessionToken: try secret(S3Store.KeyName.sessionToken)?.revealed)
  }

  private func secret(_ name: String) throws(CredentialsError) -> Secret? {
    do throws(SecretStoreError) {
      return try secrets.secret(named: name)
    } catch {
      throw CredentialsError(
        .sourceFailed, error.message, remedy: error.remedy.map { .text($0) })
    }
  }
}
