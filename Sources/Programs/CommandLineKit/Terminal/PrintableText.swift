import HealthModel

extension String {
  /// The text with control characters escaped, so that it can't control the terminal. Stored
  /// documents and keys may come from anybody.
  package var printable: String {
    // Most text is plain ASCII, and that is seen sooner without its characters.
    utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F } ? self : spellingOut(\.isControl)
  }

  /// The same for a text of several lines: line feeds and tabs stay.
  package var printableLines: String {
    spellingOut { $0.isControl && $0 != "\n" && $0 != "\t" }
  }
}

extension [UInt8] {
  /// Text of other programs' formats with its control characters as JSON escapes them, except for
  /// the ends of lines and tabs. JSON stays the same document.
  package var printableLines: [UInt8] {
    guard contains(where: { !(0x20..<0x7F).contains($0) && $0 != 0x0A && $0 != 0x09 }) else {
      return self
    }
    var text = ""
    for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
      if scalar.isControl, scalar != "\n", scalar != "\t" {
        text += "\\u" + String(String(scalar.value + 0x10000, radix: 16).suffix(4))
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return Array(text.utf8)
  }
}

extension Unicode.Scalar {
  /// Control characters, and characters that change the direction of text.
  package var isControl: Bool {
    // Most text is ASCII and needs no lookup in the table of categories.
    if isASCII { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default:
      (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        || [0x061C, 0x200E, 0x200F].contains(value)
    }
  }
}

extension String {
  /// The text, with blanks appended up to `width` characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text, with blanks before it up to `width` characters.
  package func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
