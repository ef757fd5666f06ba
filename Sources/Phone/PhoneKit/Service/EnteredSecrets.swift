import ObjectStore
import Secrets

/// Secrets that a person has entered, over those that are kept. They are kept once the receiver has
/// taken them.
struct EnteredSecrets: SecretStore {
  let kept: any SecretStore
  /// By their names; nil for one that is to be forgotten.
  let entered: [String: Secret?]

  func secret(named name: String) throws(StoreError) -> Secret? {
    if let secret = entered[name] { return secret }
    return try kept.secret(named: name)
  }

  func keep(_ secret: Secret, named name: String) throws(StoreError) {
    try kept.keep(secret, named: name)
  }

  func forget(named name: String) throws(StoreError) { try kept.forget(named: name) }

  /// Keeps what was entered.
  func keepAll() throws(StoreError) {
    for (name, secret) in entered {
      if let secret { try kept.keep(secret, named: name) } else { try kept.forget(named: name) }
    }
  }
}
