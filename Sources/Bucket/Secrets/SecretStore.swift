public import ObjectStore

/// Where an app keeps keys and tokens between its runs: the Keychain on Apple's platforms (`Keychain`),
/// files of one user elsewhere (`SecretFolder`).
///
/// A name has 1 to 100 letters, digits, `-`, `_` and `.`, and does not begin with a dot. A secret has at
/// most 64 KiB. Any task may call any method at any time; of two that keep a secret under one name, one
/// wins, and none finds a part of it.
///
/// An error names the secret and never contains it. Its code is `invalidRequest` for a name or a text that
/// no secret may have, `notAuthorized` for a secret that somebody else could have read or changed, and
/// `unavailable` where the system refuses or the device was not unlocked since its start.
public protocol SecretStore: Sendable {
  /// The secret that was kept last under this name, byte for byte; nil if there is none.
  func secret(named name: String) throws(StoreError) -> Secret?

  /// Keeps a secret, in the place of any that has this name. When it returns, the secret outlasts a
  /// crash.
  func keep(_ secret: Secret, named name: String) throws(StoreError)

  /// Removes a secret. It is not an error if there is none.
  func forget(named name: String) throws(StoreError)
}

/// What every store of secrets takes.
enum SecretLimits {
  static let maximumBytes = 64 << 10

  static func check(_ name: String) throws(StoreError) {
    guard (1...100).contains(name.utf8.count), name.utf8.first != UInt8(ascii: "."),
      name.utf8.allSatisfy(isNameByte)
    else {
      throw StoreError(
        .invalidRequest, "this is not a name for a secret",
        remedy: "use up to 100 letters, digits, and - _ . between them")
    }
  }

  static func check(_ secret: Secret, _ name: String) throws(StoreError) {
    try check(name)
    guard secret.revealed.utf8.count <= maximumBytes else {
      throw StoreError(
        .invalidRequest, "the secret \(name) has more than \(maximumBytes >> 10) KiB")
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
