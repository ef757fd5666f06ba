import FoundationXMLReader
import TestSupport
import Testing
import XMLTree

#if !PHONE
  import ExpatReader
#endif

/// The readers, which must behave alike.
enum Reader: CaseIterable {
  #if !PHONE
    case expat
  #endif
  case foundation

  static let all = Array(allCases)

  func read(
    _ bytes: [UInt8], maximumElements: Int = 50_000
  ) throws(XMLProblem) -> XMLTree {
    #if !PHONE
      if self == .expat { return try ExpatReader.read(bytes, maximumElements: maximumElements) }
    #endif
    return try FoundationXMLReader.read(bytes, maximumElements: maximumElements)
  }
}

@Suite(.unit) struct XMLReaderTests {
  @Test(arguments: Reader.all) func `an S3 error reads into its fields`(reader: Reader) throws {
    let root = try reader.read(
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Error><Code>SlowDown</Code><Message> Reduce &amp; wait </Message><RequestId/></Error>
        """.utf8))
    #expect(root.name == "Error")
    #expect(root.value("Code") == "SlowDown")
    #expect(root.value("Message") == "Reduce & wait")
    #expect(root.value("RequestId") == nil)
    #expect(root.value("HostId") == nil)
  }

  @Test(arguments: Reader.all) func `namespaces and prefixes do not matter`(reader: Reader) throws {
    let root = try reader.read(
      Array("<s3:R xmlns:s3='http://s3.amazonaws.com/doc/'><s3:A>x</s3:A></s3:R>".utf8))
    #expect(root == XMLTree("R", children: [XMLTree("A", text: "x")]))
  }

  @Test(arguments: Reader.all) func `character references and CDATA are text`(reader: Reader) throws
  {
    let root = try reader.read(Array("<a>&#x1F600;<![CDATA[<b>]]>&#233;</a>".utf8))
    #expect(root.text == "\u{1F600}<b>é")
  }

  @Test(
    arguments: Reader.all,
    [
      "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
      "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
      """
      <!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
      <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
      <l>&d;</l>
      """,
    ])
  func `a document type declaration is refused`(reader: Reader, document: String) {
    #expect(
      throws: XMLProblem("a document type declaration, which no S3 answer has")
    ) { try reader.read(Array(document.utf8)) }
  }

  @Test(
    arguments: Reader.all,
    [
      "", " ", "<a>", "<a></b>", "<a/><b/>", "no", "{\"a\":1}", "<a>&undefined;</a>",
      "<a>\u{1}</a>",
      "<html><body><br></body></html>", "<a b=1/>", "<a/>x", "<a/></s3health-document><b/>",
      "<a/><![CDATA[x]]>", "<a x='1' x='2'/>", "<a>&#0;</a>", "<a", "<a><b></a></b>", "\u{FEFF}",
    ])
  func `what is not XML is refused with its line`(reader: Reader, document: String) {
    #expect { try reader.read(Array(document.utf8)) } throws: {
      "\($0)".contains("at line 1")
    }
  }

  @Test(arguments: Reader.all) func `invalid UTF-8 is refused`(reader: Reader) {
    #expect(throws: XMLProblem.self) {
      try reader.read(Array("<a>".utf8) + [0xFF, 0xC0] + Array("</a>".utf8))
    }
  }

  @Test(arguments: Reader.all)
  func `another encoding, in which a declaration could hide, is refused or read as what it is`(
    reader: Reader
  ) {
    let hidden = "+ADw-!DOCTYPE a+AD4-"
    for encoding in ["UTF-7", "UTF-16", "IBM037"] {
      let document = "<?xml version='1.0' encoding='\(encoding)'?>\(hidden)<a/>"
      #expect(throws: XMLProblem.self, "\(encoding)") { try reader.read(Array(document.utf8)) }
    }
    let wide: [UInt8] = [0xFF, 0xFE] + "<!DOCTYPE a><a/>".utf8.flatMap { [$0, 0] }
    #expect(throws: XMLProblem.self) { try reader.read(wide) }
  }

  @Test(arguments: Reader.all)
  func `elements that occur twice are kept in order, and the first counts`(
    reader: Reader
  ) throws {
    let root = try reader.read(Array("<a><b>1</b><b>2</b></a>".utf8))
    #expect(root.value("b") == "1" && root.children.map(\.text) == ["1", "2"])
  }

  @Test(arguments: Reader.all) func `depth and number of elements are bounded`(reader: Reader)
    throws
  {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
    }
    _ = try reader.read(nested(16))
    #expect(throws: XMLProblem("elements are nested more than 16 deep")) {
      try reader.read(nested(17))
    }
    _ = try reader.read(Array("<a><b/><b/></a>".utf8), maximumElements: 3)
    #expect(throws: XMLProblem("more than 3 elements")) {
      try reader.read(Array("<a><b/><b/><b/></a>".utf8), maximumElements: 3)
    }
    // A million levels must stop early, not exhaust the stack.
    #expect(throws: XMLProblem.self) { try reader.read(nested(1_000_000)) }
  }

  @Test(arguments: Reader.all) func `a thousand entries stay in order`(reader: Reader) throws {
    let document = "<l>" + (0..<1000).map { "<k>\($0)</k>" }.joined() + "</l>"
    let root = try reader.read(Array(document.utf8))
    #expect(root.children.map(\.text) == (0..<1000).map(String.init))
  }
}
