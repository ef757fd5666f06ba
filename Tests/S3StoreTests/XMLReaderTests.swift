import Testing

@testable import S3Store

@Suite(.tags(.unit)) struct XMLReaderTests {
  @Test func `an S3 error reads into its fields`() throws {
    let root = try XMLReader.read(
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

  @Test func `namespaces and prefixes do not matter`() throws {
    let root = try XMLReader.read(
      Array("<s3:R xmlns:s3='http://s3.amazonaws.com/doc/'><s3:A>x</s3:A></s3:R>".utf8))
    #expect(root == XMLTree("R", children: [XMLTree("A", text: "x")]))
  }

  @Test func `character references and CDATA are text`() throws {
    let root = try XMLReader.read(Array("<a>&#x1F600;<![CDATA[<b>]]>&#233;</a>".utf8))
    #expect(root.text == "\u{1F600}<b>é")
  }

  @Test(arguments: [
    "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
    "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
    """
    <!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
    <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
    <l>&d;</l>
    """,
  ])
  func `a document type declaration is refused`(document: String) {
    #expect(
      throws: XMLProblem(description: "a document type declaration, which no S3 answer has")
    ) { try XMLReader.read(Array(document.utf8)) }
  }

  @Test(arguments: [
    "", " ", "<a>", "<a></b>", "<a/><b/>", "no", "{\"a\":1}", "<a>&undefined;</a>", "<a>\u{1}</a>",
    "<html><body><br></body></html>", "<a b=1/>", "\u{FEFF}",
  ])
  func `what is not XML is refused with its line`(document: String) {
    #expect { try XMLReader.read(Array(document.utf8)) } throws: {
      "\($0)".contains("at line 1")
    }
  }

  @Test func `invalid UTF-8 is refused`() {
    #expect(throws: XMLProblem.self) {
      try XMLReader.read(Array("<a>".utf8) + [0xFF, 0xC0] + Array("</a>".utf8))
    }
  }

  @Test func `depth and number of elements are bounded`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
    }
    _ = try XMLReader.read(nested(16))
    #expect(throws: XMLProblem(description: "elements are nested more than 16 deep")) {
      try XMLReader.read(nested(17))
    }
    _ = try XMLReader.read(Array("<a><b/><b/></a>".utf8), maximumElements: 3)
    #expect(throws: XMLProblem(description: "more than 3 elements")) {
      try XMLReader.read(Array("<a><b/><b/><b/></a>".utf8), maximumElements: 3)
    }
    // A million levels must stop early, not exhaust the stack.
    #expect(throws: XMLProblem.self) { try XMLReader.read(nested(1_000_000)) }
  }

  @Test func `a thousand entries stay in order`() throws {
    let document = "<l>" + (0..<1000).map { "<k>\($0)</k>" }.joined() + "</l>"
    let root = try XMLReader.read(Array(document.utf8))
    #expect(root.children.map(\.text) == (0..<1000).map(String.init))
  }
}
