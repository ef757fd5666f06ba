import Foundation
package import XMLTree

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Parses XML with Foundation into a tree, with limits on depth and number of elements: the parser of
/// apps, as `ExpatReader` is that of the programs.
package enum FoundationXMLReader {
  /// The root element of a complete document.
  package static func read(
    _ bytes: [UInt8], maximumDepth: Int = 16, maximumElements: Int = 50_000
  ) throws(XMLProblem) -> XMLTree {
    let document = try document(bytes)
    let parser = XMLParser(data: Data("<\(envelope)>\(document)</\(envelope)>".utf8))
    let reading = Reading(
      XMLAssembly(maximumDepth: maximumDepth, maximumElements: maximumElements))
    parser.delegate = reading
    parser.shouldResolveExternalEntities = false
    let isWellFormed = withExtendedLifetime(reading) { parser.parse() }
    if let problem = reading.assembly.problem { throw problem }
    // On Linux the parser goes on after an error, and may say that all was well.
    guard isWellFormed, reading.reason == nil, reading.depth == 0, let root = reading.assembly.root
    else {
      throw XMLProblem(
        "\(reading.reason ?? "no element") at line \(max(1, parser.lineNumber))")
    }
    return root
  }

  /// Stands around the document, because the parser passes over what follows the root element.
  fileprivate static let envelope = "s3health-document"

  /// The document without its declaration.
  ///
  /// Refuses what the parser would read without reporting it: a document type declaration, and other
  /// encodings than UTF-8, in which one could hide.
  private static func document(_ bytes: [UInt8]) throws(XMLProblem) -> Substring {
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw XMLProblem("not well-formed (invalid UTF-8) at line 1")
    }
    // In the text of an S3 answer, the character `<` is always escaped.
    guard text.firstRange(of: "<!DOCTYPE") == nil else { throw .documentType }
    var document = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    if document.hasPrefix("<?xml "), let end = document.firstRange(of: "?>") {
      let declaration = document[..<end.lowerBound].lowercased()
      guard
        declaration.firstRange(of: "encoding") == nil || declaration.firstRange(of: "utf-8") != nil
      else { throw XMLProblem("another encoding than UTF-8 at line 1") }
      document = document[end.upperBound...]
    }
    guard document.firstRange(of: "</\(envelope)") == nil else {
      throw XMLProblem("not well-formed at line 1")
    }
    return document
  }
}

/// What the parser's callbacks write.
private final class Reading: NSObject, XMLParserDelegate {
  var assembly: XMLAssembly
  var reason: String?
  private(set) var depth = 0

  init(_ assembly: XMLAssembly) { self.assembly = assembly }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    depth += 1
    if depth == 2, assembly.root != nil { refuse("a second root element", parser) }
    if depth > 1 { assembly.begin(elementName) }
    if assembly.problem != nil { parser.abortParsing() }
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    depth -= 1
    if depth > 0 { assembly.end() }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if depth < 2, !string.trimmed.isEmpty { refuse("text outside of the root element", parser) }
    assembly.append(string.utf8)
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if depth < 2 { refuse("text outside of the root element", parser) }
    assembly.append(block)
  }

  private func refuse(_ what: String, _ parser: XMLParser) {
    guard assembly.problem == nil else { return }
    assembly.problem = XMLProblem("\(what) at line \(max(1, parser.lineNumber))")
    parser.abortParsing()
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    reason = reason ?? "not well-formed (\((parseError as NSError).code))"
  }
}
