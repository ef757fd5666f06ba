/// An element of a small XML document, such as an S3 answer.
package struct XMLTree: Hashable, Sendable {
  /// Without a namespace prefix.
  package var name: String
  /// The character data directly inside, including white space.
  package var text: String
  package var children: [XMLTree]

  package init(_ name: String, text: String = "", children: [XMLTree] = []) {
    (self.name, self.text, self.children) = (name, text, children)
  }

  /// The first child with this name.
  package func first(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// The text of the first child with this name, without surrounding white space; nil if it is
  /// absent or empty.
  package func value(_ name: String) -> String? {
    guard let text = first(name)?.text.trimmed, !text.isEmpty else { return nil }
    return text
  }
}

/// Why bytes are not the XML document that an S3 server should have sent, as one clause.
package struct XMLProblem: Error, Hashable, CustomStringConvertible, Sendable {
  /// In this program's words only.
  package let description: String
  /// What the server wrote instead of what was expected, unchanged.
  package let answer: String?

  package init(_ description: String, answer: String? = nil) {
    (self.description, self.answer) = (description, answer)
  }

  /// A document type declaration is refused, and so is every entity except the five predefined ones.
  /// No S3 answer has such a declaration, and with one a small document can expand without limit or
  /// refer to files.
  package static let documentType = XMLProblem(
    "a document type declaration, which no S3 answer has")
}

/// The tree of a document that is being parsed, with limits on depth and number of elements.
package struct XMLAssembly {
  /// The root element, once it has ended.
  package private(set) var root: XMLTree?
  /// Why parsing must stop.
  package var problem: XMLProblem?
  private let maximumDepth: Int
  private let maximumElements: Int
  private var open: [(element: XMLTree, text: [UInt8])] = []
  private var elements = 0

  package init(maximumDepth: Int, maximumElements: Int) {
    (self.maximumDepth, self.maximumElements) = (maximumDepth, maximumElements)
  }

  /// An element begins. Its name may have a namespace prefix.
  package mutating func begin(_ name: String) {
    guard problem == nil else { return }
    elements += 1
    if open.count >= maximumDepth {
      problem = XMLProblem("elements are nested more than \(maximumDepth) deep")
    } else if elements > maximumElements {
      problem = XMLProblem("more than \(maximumElements) elements")
    }
    guard problem == nil else { return }
    let local = name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[name.index(after: $0)...] }
    open.append((XMLTree(local.map(String.init) ?? name), []))
  }

  /// The innermost element ends.
  package mutating func end() {
    guard problem == nil, let last = open.popLast() else { return }
    var element = last.element
    element.text = String(decoding: last.text, as: UTF8.self)
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].element.children.append(element)
    }
  }

  /// Character data of the innermost element.
  package mutating func append(_ characters: some Sequence<UInt8>) {
    guard problem == nil, !open.isEmpty else { return }
    open[open.count - 1].text.append(contentsOf: characters)
  }
}

extension String {
  /// Without ASCII white space at both ends.
  package var trimmed: String {
    let isBlank: (Character) -> Bool = { [" ", "\t", "\r", "\n", "\r\n"].contains($0) }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
