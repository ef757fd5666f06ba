import CExpat

/// Why bytes are not an XML document that an S3 server would send, as one clause.
struct XMLProblem: Error, Hashable, CustomStringConvertible {
  let description: String
}

/// Parses XML with expat into a tree, with limits on depth and number of elements.
///
/// A document type declaration is refused, and so is every entity except the five predefined ones.
/// No S3 answer has such a declaration, and with one a small document can expand without limit or
/// refer to files.
enum XMLReader {
  /// The root element of a complete document.
  static func read(
    _ bytes: [UInt8], maximumDepth: Int = 16, maximumElements: Int = 50_000
  ) throws(XMLProblem) -> XMLTree {
    guard let parser = XML_ParserCreate(nil) else {
      throw XMLProblem(description: "expat could not be started")
    }
    defer { XML_ParserFree(parser) }
    let assembly = XMLAssembly(
      parser: parser, maximumDepth: maximumDepth, maximumElements: maximumElements)
    // It must live during the call: expat calls back only from inside XML_Parse.
    return try withExtendedLifetime(assembly) { () throws(XMLProblem) -> XMLTree in
      XML_SetUserData(parser, Unmanaged.passUnretained(assembly).toOpaque())
      XML_SetElementHandler(parser, elementBegan, elementEnded)
      XML_SetCharacterDataHandler(parser, charactersArrived)
      XML_SetStartDoctypeDeclHandler(parser, documentTypeArrived)
      let isWellFormed = bytes.withUnsafeBytes { raw in
        s3h_expat_parse(
          parser, raw.bindMemory(to: CChar.self).baseAddress, Int32(clamping: raw.count))
      }
      if let problem = assembly.problem { throw XMLProblem(description: problem) }
      guard isWellFormed != 0, let root = assembly.root else {
        let reason = s3h_expat_problem(parser).map { String(cString: $0) } ?? "no element"
        throw XMLProblem(
          description: "\(reason) at line \(s3h_expat_line(parser))")
      }
      return root
    }
  }
}

/// The tree during parsing.
private final class XMLAssembly {
  let parser: XML_Parser
  let maximumDepth: Int
  let maximumElements: Int
  var open: [(element: XMLTree, text: [UInt8])] = []
  var root: XMLTree?
  var elements = 0
  var problem: String?

  init(parser: XML_Parser, maximumDepth: Int, maximumElements: Int) {
    (self.parser, self.maximumDepth) = (parser, maximumDepth)
    self.maximumElements = maximumElements
  }

  func stop(_ problem: String) {
    self.problem = self.problem ?? problem
    s3h_expat_stop(parser)
  }

  func begin(_ name: String) {
    elements += 1
    guard open.count < maximumDepth else {
      return stop("elements are nested more than \(maximumDepth) deep")
    }
    guard elements <= maximumElements else { return stop("more than \(maximumElements) elements") }
    let local = name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[name.index(after: $0)...] }
    open.append((XMLTree(local.map(String.init) ?? name), []))
  }

  func end() {
    guard let last = open.popLast() else { return }
    var element = last.element
    element.text = String(decoding: last.text, as: UTF8.self)
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].element.children.append(element)
    }
  }

  func append(_ characters: UnsafeRawBufferPointer) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text.append(contentsOf: characters)
  }
}

private func assembly(_ userData: UnsafeMutableRawPointer?) -> XMLAssembly? {
  userData.map { Unmanaged<XMLAssembly>.fromOpaque($0).takeUnretainedValue() }
}

// Global functions instead of closures, because a closure would carry its isolation into C.

private func elementBegan(
  _ userData: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
  guard let name else { return }
  assembly(userData)?.begin(String(cString: name))
}

private func elementEnded(
  _ userData: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?
) {
  assembly(userData)?.end()
}

private func charactersArrived(
  _ userData: UnsafeMutableRawPointer?, _ characters: UnsafePointer<XML_Char>?, _ count: Int32
) {
  assembly(userData)?.append(UnsafeRawBufferPointer(start: characters, count: Int(count)))
}

private func documentTypeArrived(
  _ userData: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ systemID: UnsafePointer<XML_Char>?, _ publicID: UnsafePointer<XML_Char>?,
  _ hasInternalSubset: Int32
) {
  assembly(userData)?.stop("a document type declaration, which no S3 answer has")
}

/// An element of a small XML document, such as an S3 answer.
struct XMLTree: Hashable, Sendable {
  /// Without a namespace prefix.
  var name: String
  /// The character data directly inside, including white space.
  var text: String
  var children: [XMLTree]

  init(_ name: String, text: String = "", children: [XMLTree] = []) {
    (self.name, self.text, self.children) = (name, text, children)
  }

  /// The first child with this name.
  func first(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// The text of the first child with this name, without surrounding white space; nil if it is
  /// absent or empty.
  func value(_ name: String) -> String? {
    guard let text = first(name)?.text.trimmed, !text.isEmpty else { return nil }
    return text
  }
}

extension String {
  /// Without ASCII white space at both ends.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { [" ", "\t", "\r", "\n", "\r\n"].contains($0) }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
