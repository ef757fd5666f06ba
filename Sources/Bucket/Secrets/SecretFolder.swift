import Foundation
public import ObjectStore

/// Secrets as files of a folder that only their owner can read (0600 in 0700).
///
/// For Linux and for tests; an app on Apple's platforms uses `Keychain`. A file that another user owns,
/// or could read or write, is refused: its content may be known, or not what was kept.
public struct SecretFolder: SecretStore {
  private let path: String

  /// - Parameter path: the folder. It is made with the first secret, and those above it.
  public init(path: String) { self.path = path }

  /// The secret of this name; nil if there is none.
  public func secret(named name: String) throws(StoreError) -> Secret? {
    try SecretLimits.check(name)
    let bytes: [UInt8]
    do throws(SmallFile.TrustFailure) {
      bytes = try SmallFile.readTrusted(
        file(name), maximumBytes: SecretLimits.maximumBytes, isSecret: true)
    } catch {
      guard let refusal = refusal(error, name) else { return nil }
      throw refusal
    }
    guard bytes.count <= SecretLimits.maximumBytes,
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw StoreError(
        .invalidRequest, "the file of the secret \(name) is too large or is not text",
        remedy: "keep the secret again")
    }
    return Secret(text)
  }

  /// Keeps a secret in the place of any other of this name.
  public func keep(_ secret: Secret, named name: String) throws(StoreError) {
    try SecretLimits.check(secret, name)
    do throws(SystemFailure) {
      try PrivateFolder.create(path)
      try SmallFile.replace(file(name), with: Array(secret.revealed.utf8))
    } catch {
      throw failed("kept", name, error)
    }
  }

  /// Removes a secret, if there is one.
  public func forget(named name: String) throws(StoreError) {
    try SecretLimits.check(name)
    guard unsafe unlink(file(name)) != 0, errno != ENOENT else { return }
    throw failed("removed", name, SystemFailure())
  }

  private func file(_ name: String) -> String { path + "/" + name }

  /// Nil if there is no such file.
  private func refusal(
    _ failure: SmallFile.TrustFailure, _ name: String
  ) -> StoreError? {
    func exposed(_ why: String, _ remedy: StoreError.Remedy) -> StoreError {
      StoreError(.notAuthorized, "the file of the secret \(name) \(why)", remedy: remedy)
    }
    switch failure {
    case .system(let failure) where failure.number == ENOENT: return nil
    case .system(let failure): return failed("read", name, failure)
    case .notAFile: return exposed("is not an ordinary file", "remove it")
    case .foreign: return exposed("belongs to another user", "keep the secret again")
    case .openToOthers:
      return exposed("can be read or changed by others", "run: chmod 600 \(file(name))")
    }
  }

  private func failed(_ what: String, _ name: String, _ failure: SystemFailure) -> StoreError {
    StoreError(
      .unavailable, "the secret \(name) can't be \(what): \(failure.reason)",
      remedy: "check the folder \(path)")
  }
}
