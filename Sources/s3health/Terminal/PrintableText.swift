import HealthModel

extension String {
  /// The text without characters that a terminal would obey: a stored document or key may be
  /// anybody's.
  var printable: String { spellingOut(\.isControl) }

  /// The same for a text of several lines: line feeds and tabs stay.
  var printableLines: String {
    spellingOut { $0.isControl && $0 != "\n" && $0 != "\t" }
  }
}

extension Unicode.Scalar {
  /// Control characters, and those that turn the direction of text.
  var isControl: Bool {
    // Nearly all text is ASCII, of which the table of categories need not be asked.
    if isASCII { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
  }
}

extension String {
  /// The text with blanks after it up to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text with blanks before it up to `width` characters.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
