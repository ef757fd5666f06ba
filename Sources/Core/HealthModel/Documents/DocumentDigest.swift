import ContentDigests

/// The digest that a revision holds of itself (R60): SHA-256 over the canonical bytes of all its
/// other members. Any reader with a JSON library can compute it, and damage in any value shows.
package enum DocumentDigest {
  /// The member's name.
  static let name = "digest"

  /// The digest of a document, as the member has it, whatever digest the document itself gives.
  package static func text(of members: [String: JSONValue]) -> String {
    var others = members
    others[name] = nil
    return text(of: JSONValue.object(others).canonicalBytes)
  }

  /// The digest of canonical bytes that lack the member.
  static func text(of bytes: [UInt8]) -> String { prefix + ContentDigest.hex(of: bytes) }

  /// Whether a text has the form of a digest, right or wrong.
  static func isForm(_ text: String) -> Bool {
    text.hasPrefix(prefix) && text.utf8.count == prefix.utf8.count + 64
      && text.utf8.dropFirst(prefix.utf8.count).allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private static let prefix = "sha256:"
}

extension DocumentReader {
  /// Holds the document against its own digest, if it has one (R60). That hides nothing: which
  /// value has changed is not known, and most are right (R41).
  mutating func digest(of members: [String: JSONValue]) {
    guard members[DocumentDigest.name] != nil,
      let text = string(DocumentDigest.name, of: members, rule: "R60", hides: false)
    else { return }
    let pointer = "/\(DocumentDigest.name)"
    guard DocumentDigest.isForm(text) else {
      return note(
        "R60", .badDigest, at: pointer,
        "\(text.quoted) is not of the form sha256: and 64 lower-case hex digits")
    }
    guard DocumentDigest.text(of: members) != text else { return }
    note(
      "R60", .digestDiffers, at: pointer,
      "the document is damaged, or was changed after it was written: its digest does not match")
  }
}
