extension String {
  /// The text with some of its characters spelled out as `\u{202e}`, so that they are seen and not
  /// obeyed.
  package func spellingOut(_ isSpelledOut: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isSpelledOut) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if isSpelledOut(scalar) {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text as messages show it: bounded, so that a hostile document can't flood a log.
  var quoted: String {
    "\"" + prefix(80) + (dropFirst(80).isEmpty ? "\"" : "…\"")
  }
}
