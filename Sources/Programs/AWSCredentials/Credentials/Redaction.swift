import Secrets

/// Makes text from elsewhere safe for an error message.
enum Redaction {
  /// One line of printable text of at most `limit` bytes, without any of `secrets` and without any
  /// word that is long and random enough to be one.
  static func words(_ text: String, hiding secrets: [Secret] = [], limit: Int = 400) -> String {
    var text = text
    for secret in secrets where secret.revealed.utf8.count >= 4 {
      text = text.split(separator: secret.revealed, omittingEmptySubsequences: false)
        .joined(separator: "<secret>")
    }
    let words = text.split { $0.isWhitespace || $0.isNewline }.map { word in
      let longest = word.split { !isKeyCharacter($0) }.map(\.utf8.count).max() ?? 0
      return longest >= 32 ? "<long word>" : String(word)
    }
    let line = words.joined(separator: " ").unicodeScalars.filter {
      $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value)
    }
    var result = ""
    for scalar in line {
      guard result.utf8.count < limit else { return result + "..." }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// The characters of access keys, base64 and tokens.
  private static func isKeyCharacter(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || "+/=_-".contains(character))
  }
}
