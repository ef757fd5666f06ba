import CExpat
package import XMLTree

/// Parses XML with expat into a tree, with limits on depth and number of elements.
package enum ExpatReader {
  /// The root element of a complete document.
  package static func read(
    _ bytes: [UInt8], maximumDepth: Int = 16, maximumElements: Int = 50_000
  ) throws(XMLProblem) -> XMLTree {
    guard let parser = XML_ParserCreate(nil) else {
      throw XMLProblem("expat could not be started")
    }
    defer { XML_ParserFree(parser) }
    let reading = Reading(
      parser, XMLAssembly(maximumDepth: maximumDepth, maximumElements: maximumElements))
    // It must live during the call: expat calls back only from inside XML_Parse.
    return try withExtendedLifetime(reading) { () throws(XMLProblem) -> XMLTree in
      XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
      XML_SetElementHandler(parser, elementBegan, elementEnded)
      XML_SetCharacterDataHandler(parser, charactersArrived)
      XML_SetStartDoctypeDeclHandler(parser, documentTypeArrived)
      let isWellFormed = bytes.withUnsafeBytes { raw in
        s3h_expat_parse(
          parser, raw.bindMemory(to: CChar.self).baseAddress, Int32(clamping: raw.count))
      }
      if let problem = reading.assembly.problem { throw problem }
      guard isWellFormed != 0, let root = reading.assembly.root else {
        let reason = s3h_expat_problem(parser).map { String(cString: $0) } ?? "no element"
        throw XMLProblem(
          "\(reason) at line \(s3h_expat_line(parser))")
      }
      return root
    }
  }
}

/// What expat's callbacks read and write.
private final class Reading {
  private let parser: XML_Parser
  var assembly: XMLAssembly {
    didSet { if assembly.problem != nil { s3h_expat_stop(parser) } }
  }

  init(_ parser: XML_Parser, _ assembly: XMLAssembly) {
    (self.parser, self.assembly) = (parser, assembly)
  }
}

private func reading(_ userData: UnsafeMutableRawPointer?) -> Reading? {
  userData.map { Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
}

// Global functions instead of closures, because a closure would carry its isolation into C.

private func elementBegan(
  _ userData: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
  guard let name else { return }
  reading(userData)?.assembly.begin(String(cString: name))
}

private func elementEnded(
  _ userData: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?
) {
  reading(userData)?.assembly.end()
}

private func charactersArrived(
  _ userData: UnsafeMutableRawPointer?, _ characters: UnsafePointer<XML_Char>?, _ count: Int32
) {
  reading(userData)?.assembly.append(UnsafeRawBufferPointer(start: characters, count: Int(count)))
}

private func documentTypeArrived(
  _ userData: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ systemID: UnsafePointer<XML_Char>?, _ publicID: UnsafePointer<XML_Char>?,
  _ hasInternalSubset: Int32
) {
  reading(userData)?.assembly.problem = .documentType
}
