import HealthModel

extension String {
  /// The text with each character that would not be seen, or would move others, spelled out as
  /// `\u{202e}`: controls, format characters (bidi marks among them), line and paragraph
  /// separators, and code points that are not characters.
  var visible: String { spellingOut(\.isUnseen) }
}

extension Unicode.Scalar {
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isNoncharacterCodePoint
    }
  }
}
