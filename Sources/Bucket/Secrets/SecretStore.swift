/// Where an app keeps keys and tokens between its runs: the Keychain on Apple's platforms (`Keychain`),
/// files of one user elsewhere (`SecretFolder`).
///
/// A name has 1 to 100 letters, digits, `-`, `_` and `.`, and does not begin with a dot. A secret has at
/// most 64 KiB. Any task may call any method at any time; of two that keep a secret under one name, one
/// wins, and none finds a part of it.
public protocol SecretStore: Sendable {
  /// The secret that was kept last under this name, byte for byte; nil if there is none.
  func secret(named name: String) throws(SecretStoreError) -> Secret?

  /// Keeps a secret, in the place of any that has this name. When it returns, the secret outlasts a
  /// crash.
  func keep(_ secret: Secret, named name: String) throws(SecretStoreError)

  /// Removes a secret. It is not an error if there is none.
  func forget(named name: String) throws(SecretStoreError)
}

/// Why a secret can't be read, kept or removed. It never holds the secret.
public struct SecretStoreError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: String, Hashable, Sendable {
    /// The name is none that a secret may have, or the secret is too large.
    case invalid
    /// The device has not been unlocked since its start. The same call succeeds later.
    case locked
    /// Somebody else could have read or changed the secret, so it is not used.
    case exposed
    /// The system refused, or its storage failed.
    case unavailable
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, as one clause with the name of the secret.
  public let message: String
  /// What to do next, as an imperative clause.
  public let remedy: String?

  /// For stores of your own.
  public init(_ code: Code, _ message: String, remedy: String? = nil) {
    (self.code, self.message, self.remedy) = (code, message, remedy)
  }
}

extension SecretStoreError: CustomStringConvertible {
  /// One line: what failed, and what to do.
  public var description: String { remedy.map { "\(message); \($0)" } ?? message }
}

/// What every store of secrets takes.
enum SecretLimits {
  static let maximumBytes = 64 << 10

  static func check(_ name: String) throws(SecretStoreError) {
    guard (1...100).contains(name.utf8.count), name.utf8.first != UInt8(ascii: "."),
      name.utf8.allSatisfy(isNameByte)
    else {
      throw SecretStoreError(
        .invalid, "this is not a name for a secret",
        remedy: "use up to 100 letters, digits, and - _ . between them")
    }
  }

  static func check(_ secret: Secret, _ name: String) throws(SecretStoreError) {
    try check(name)
    guard secret.revealed.utf8.count <= maximumBytes else {
      throw SecretStoreError(.invalid, "the secret \(name) has more than \(maximumBytes >> 10) KiB")
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
