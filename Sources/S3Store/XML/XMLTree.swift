/// An element of a small XML document, such as an S3 answer.
struct XMLTree: Hashable, Sendable {
  /// Without a namespace prefix.
  var name: String
  /// The character data directly inside, white space included.
  var text: String
  var children: [XMLTree]

  init(_ name: String, text: String = "", children: [XMLTree] = []) {
    (self.name, self.text, self.children) = (name, text, children)
  }

  /// The first child of a name.
  func first(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// The text of the first child of a name, without surrounding white space; nil where it is
  /// absent or empty.
  func value(_ name: String) -> String? {
    guard let text = first(name)?.text.trimmed, !text.isEmpty else { return nil }
    return text
  }
}

extension String {
  /// Without ASCII white space at its ends.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { [" ", "\t", "\r", "\n", "\r\n"].contains($0) }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
