extension String {
  /// The text with each character that would not be seen, or would move others, spelled out as
  /// `\u{202e}`: controls, format characters (bidi marks among them), line and paragraph
  /// separators, and code points that are no characters.
  var visible: String {
    guard unicodeScalars.contains(where: \.isUnseen) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isUnseen {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isNoncharacterCodePoint
    }
  }
}
