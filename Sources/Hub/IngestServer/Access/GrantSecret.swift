import ContentDigests
import Digests

/// What an agent holds of its grant: a code, a token to refresh with, or a token to read with (R63).
/// Only digests of it are kept. Pure.
///
/// A code and a token to refresh with also hold the secret of the family, which never changes: by it a
/// used one can be distinguished from a forged one.
struct GrantSecret: Hashable, Sendable {
  enum Kind: String, CaseIterable, Hashable, Sendable {
    case code = "s3c"
    case refresh = "s3r"
    case access = "s3a"
  }

  let kind: Kind
  /// The grant's id: 16 hex digits.
  let grant: String
  /// 32 hex digits; empty for a token to read with.
  let family: String
  /// 64 hex digits.
  let key: String

  init(_ kind: Kind, of grant: String, family: String = "", key: String) {
    (self.kind, self.grant, self.key) = (kind, grant, key)
    self.family = kind == .access ? "" : family
  }

  /// Reads what was sent; nil for anything else.
  init?(_ text: String) {
    guard text.utf8.count <= 200 else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let kind = parts.first.flatMap(Kind.init(rawValue:)),
      parts.count == (kind == .access ? 3 : 4), let key = parts.last, Self.isHex(key, 64),
      Self.isHex(parts[1], 16), kind == .access || Self.isHex(parts[2], 32)
    else { return nil }
    self.init(kind, of: parts[1], family: kind == .access ? "" : parts[2], key: key)
  }

  var text: String {
    ([kind.rawValue, grant] + (family.isEmpty ? [] : [family]) + [key]).joined(separator: "_")
  }

  /// What is kept of it.
  var digest: [UInt8] { SHA256.digest(Array(text.utf8)) }
  var familyDigest: [UInt8] { SHA256.digest(Array(family.utf8)) }

  static func isHex(_ text: String, _ count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// So many hex digits of the system's generator.
  static func random(_ digits: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Hex.string((0..<digits / 2).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}

/// Random digits for what may be given out, made before it is decided whether it is.
struct FreshKeys: Hashable, Sendable {
  let grant = GrantSecret.random(16)
  let family = GrantSecret.random(32)
  let access = GrantSecret.random(64)
  /// Also that of a code.
  let refresh = GrantSecret.random(64)
}
