import ObjectStore
import Testing
import XMLTree

@testable import S3Store

@Suite(.unit) struct ListAnswerTests {
  private func answer(
    _ inside: String, prefix: String = "", startAfter: String? = nil, place: ListPlace? = nil,
    truncated: String? = "<IsTruncated>false</IsTruncated>", bucket: String = "b",
    isShallow: Bool = false
  ) throws -> ListAnswer {
    var request = ListRequest(
      prefix: prefix, startAfter: startAfter, continuation: place?.description)
    request.isShallow = isShallow
    let query = try #require(ListQuery(request))
    let end = inside.contains("<IsTruncated>") ? "" : truncated ?? ""
    return try ListAnswer(
      Array("<ListBucketResult>\(inside)\(end)</ListBucketResult>".utf8), for: query, in: bucket)
  }

  private func contents(_ keys: String...) -> String {
    keys.map { "<Contents><Key>\($0)</Key><Size>3</Size></Contents>" }.joined()
  }

  private func folders(_ names: String...) -> String {
    names.map { "<CommonPrefixes><Prefix>\($0)</Prefix></CommonPrefixes>" }.joined()
  }

  @Test func `folders are read beside the keys, decoded, and after the start`() throws {
    let text = "<EncodingType>url</EncodingType>" + contents("p/x") + folders("p/a%20b/", "p/c/")
    let read = try answer(text, prefix: "p/", isShallow: true)
    #expect(read.folders == ["p/a b/", "p/c/"] && read.entries.map(\.key) == ["p/x"])
    let later = try answer(text, prefix: "p/", startAfter: "p/c/", isShallow: true)
    #expect(later.folders.isEmpty && later.entries.map(\.key) == ["p/x"])
  }

  @Test func `a page of folders goes on after the last of both`() throws {
    let more =
      "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>"
    let read = try answer(
      more + contents("p/b") + folders("p/a/", "p/c/"), prefix: "p/", isShallow: true)
    #expect(read.next == ListPlace(lastKey: "p/c/", token: "t"))
  }

  @Test(arguments: ["q/a/", "p/a", "p/", "p/a/b/", "%"])
  func `anything but a folder directly below the prefix is a problem`(name: String) {
    #expect(throws: XMLProblem.self) {
      try answer(
        "<EncodingType>url</EncodingType>" + folders(name), prefix: "p/", isShallow: true)
    }
  }

  @Test func `a server that ignores the delimiter, or repeats a page, is a problem`() {
    #expect(throws: XMLProblem("a key below a folder, where folders were asked for")) {
      try answer(contents("p/a/b"), prefix: "p/", isShallow: true)
    }
    #expect(throws: XMLProblem("the same keys again instead of the next page")) {
      try answer(
        folders("p/a/"), prefix: "p/", place: ListPlace(lastKey: "p/a/", token: "t"),
        isShallow: true)
    }
  }

  @Test
  func `a next page keeps a folder that sorts before it, as a store that lists by folder sends`()
    throws
  {
    let place = ListPlace(lastKey: "people/p/", token: "t")
    let answer = try answer(
      folders("people/p/", "people/p-1/", "people/q/"), prefix: "people/", place: place,
      isShallow: true)
    #expect(answer.folders == ["people/p-1/", "people/q/"])
  }

  @Test func `an entry is read with all that it says`() throws {
    let answer = try answer(
      """
      <IsTruncated>false</IsTruncated><Contents><Key>a/b</Key><Size>12</Size>
      <ETag>&quot;e&quot;</ETag><LastModified>2026-11-21T07:33:59.123Z</LastModified></Contents>
      """)
    #expect(
      answer.entries == [
        ListEntry(key: "a/b", size: 12, etag: ETag("\"e\""), lastModified: 1_795_246_439)
      ])
    #expect(answer.next == nil)
  }

  @Test(arguments: [
    ("a%2Fb", "a/b"), ("a+b", "a b"), ("a%2Bb", "a+b"), ("%E2%82%AC", "€"), ("%25", "%"),
    ("a%0Ab", "a\nb"), ("%20a%20", " a "),
  ])
  func `an encoded key is decoded once`(text: String, key: String) throws {
    let answer = try answer("<EncodingType>url</EncodingType>" + contents(text))
    #expect(answer.entries.map(\.key) == [key])
  }

  @Test func `a key that is not encoded is taken as it is`() throws {
    #expect(try answer(contents("a+b%20c ")).entries.map(\.key) == ["a+b%20c "])
  }

  @Test(arguments: ["%", "%2", "%GG", "%FF", "%C3"])
  func `a key that can't be decoded is a problem`(text: String) {
    #expect(throws: XMLProblem.self) {
      try answer("<EncodingType>url</EncodingType>" + contents(text))
    }
  }

  @Test(arguments: ["-1", "x", "", "99999999999999999999"])
  func `a size that cannot be read is a problem`(size: String) {
    #expect(throws: XMLProblem("an entry without a size")) {
      try answer("<Contents><Key>a</Key><Size>\(size)</Size></Contents>")
    }
  }

  @Test func `order is that of bytes, not of Unicode`() throws {
    // U+FFFD sorts after U+10000 by UTF-16 and before it by UTF-8.
    #expect(try answer(contents("\u{FFFD}", "\u{10000}")).isOrdered)
    #expect(try !answer(contents("\u{10000}", "\u{FFFD}")).isOrdered)
    #expect(try !answer(contents("a", "a")).isOrdered)
  }

  @Test func `a next page begins after the last key`() throws {
    let place = ListPlace(lastKey: "b", token: "t")
    #expect(try answer(contents("c"), place: place).entries.count == 1)
    #expect(throws: XMLProblem("the same keys again instead of the next page")) {
      try answer(contents("b", "c"), place: place)
    }
  }

  @Test func `the token goes on as it came, however odd`() throws {
    let answer = try answer(
      contents("a") + """
        <IsTruncated>true</IsTruncated><NextContinuationToken> 1:a+%2F é&amp; </NextContinuationToken>
        """)
    #expect(answer.next == ListPlace(lastKey: "a", token: " 1:a+%2F é& "))
    let place = try #require(answer.next)
    let query = try #require(
      ListQuery(ListRequest(prefix: "", continuation: place.description)))
    #expect(query.parameters.first { $0.name == "continuation-token" }?.value == " 1:a+%2F é& ")
  }

  @Test(arguments: ["", "a", "a:b", "€", String(repeating: "x", count: 1024), "é\u{301}"])
  func `a place is read back as it was written`(key: String) {
    for token in ["", "t", "3:x", "€", "\u{301}"] {
      let place = ListPlace(lastKey: key, token: token)
      #expect(ListPlace(place.description) == place)
    }
  }

  @Test(arguments: ["", "x", ":", "-1:a", "5:a", "99999999999999999999:a", "1:€"])
  func `a place that was not written here is refused`(text: String) {
    #expect(ListPlace(text) == nil)
  }

  @Test func `pages ask for what is wanted and no more than a thousand`() throws {
    let query = try #require(ListQuery(ListRequest(prefix: "p/", startAfter: "p/a", limit: 5000)))
    #expect(
      query.parameters.map { "\($0.name)=\($0.value ?? "")" } == [
        "encoding-type=url", "list-type=2", "max-keys=1000", "prefix=p/", "start-after=p/a",
      ])
  }

  @Test(arguments: ["", "<IsTruncated/>", "<IsTruncated>maybe</IsTruncated>"])
  func `an answer that does not say whether it is the last page is a problem`(text: String) {
    // An empty one would pass for "there is nothing".
    for keys in ["", contents("a")] {
      #expect(
        throws: XMLProblem("a page that does not say whether more follow (IsTruncated)")
      ) { try answer(keys + text, truncated: nil) }
    }
  }

  @Test(arguments: ["true", "True", " true\n"])
  func `a page that is not the last is known by its word in any spelling`(word: String) throws {
    let token = "<NextContinuationToken>t</NextContinuationToken>"
    let more = try answer(contents("a") + "<IsTruncated>\(word)</IsTruncated>" + token)
    #expect(more.next == ListPlace(lastKey: "a", token: "t"))
    #expect(throws: XMLProblem("a page that is not the last and has no continuation token")) {
      try answer(contents("a") + "<IsTruncated>\(word)</IsTruncated>")
    }
  }

  @Test(arguments: [
    ("", "p/"), ("p", "p/"), ("q/", "p/"), ("p/", ""), ("e\u{301}/", "é/"), ("p+/", "p /"),
  ])
  func `an answer for another prefix is a problem, even an empty one`(said: String, asked: String) {
    #expect(throws: XMLProblem("the keys of another prefix", answer: "\"\(said)\"")) {
      try answer("<Prefix>\(said)</Prefix>", prefix: asked)
    }
  }

  /// As AWS and moto, MinIO, RADOS gateway (which leaves it as it is), and servers that say none.
  @Test(arguments: [
    "<EncodingType>url</EncodingType><Prefix>a%20b%2Bc%25/%C3%A9/</Prefix>",
    "<EncodingType>url</EncodingType><Prefix>a+b%2Bc%25/%C3%A9/</Prefix>",
    "<EncodingType>url</EncodingType><Prefix>a b+c%/é/</Prefix>",
    "<Prefix>a b+c%/é/</Prefix>", "",
  ])
  func `the prefix is known in each server's spelling`(prefix: String) throws {
    let answer = try answer("<Name>b</Name>\(prefix)", prefix: "a b+c%/é/")
    #expect(answer.entries.isEmpty && answer.next == nil)
  }

  @Test func `an answer for another bucket is a problem`() throws {
    #expect(throws: XMLProblem("the keys of another bucket", answer: "other")) {
      try answer("<Name>other</Name>")
    }
    // The alias of an access point.
    _ = try answer("<Name>other</Name>", bucket: "mine-x1y2z3-s3alias")
  }

  @Test func `an answer to another question is a problem`() throws {
    let query = try #require(ListQuery(ListRequest(prefix: "")))
    #expect(throws: XMLProblem("something else than a <ListBucketResult>", answer: "<Other>")) {
      try ListAnswer(Array("<Other/>".utf8), for: query, in: "b")
    }
  }
}
