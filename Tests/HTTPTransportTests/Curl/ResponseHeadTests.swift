import HTTPClient
import Testing

@testable import CurlTransport

@Suite(.unit) struct `A response's head` {
  private func read(_ lines: [String]) -> (ResponseHead, ResponseHead.Step) {
    var head = ResponseHead()
    var step = ResponseHead.Step.more
    for line in lines where step == .more { step = take(line + "\r\n", &head) }
    return (head, step)
  }

  private func take(_ line: some StringProtocol, _ head: inout ResponseHead) -> ResponseHead.Step {
    Array(line.utf8).withUnsafeBytes { head.take($0) }
  }

  @Test func `forgets interim responses but not their size`() {
    let (head, step) = read(["HTTP/1.1 100 Continue", "A: 1", "", "HTTP/1.1 200", "B: 2", ""])
    #expect(step == .complete && head.status == 200 && head.fields.all == [HTTPField("B", "2")])
    let endless = Array(repeating: ["HTTP/1.1 100 Continue", ""], count: 10_000).flatMap { $0 }
    #expect(read(endless).1 == .tooLarge)
  }

  @Test func `finds the first value of a name in any case, with its folded lines`() {
    let fields = read([
      "HTTP/1.1 200 OK", "ETag:  \"a\" ", "X-Long: one", "  two", "\tthree", "etag: \"b\"",
      "X-Empty:",
      "",
    ]).0.fields
    for name in ["etag", "ETAG", "ETag"] { #expect(fields[name] == "\"a\"") }
    #expect(fields["x-long"] == "one two three" && fields["X-EMPTY"] == "")
    // Of another length, and different in a bit that is not of a letter's case.
    for name in ["etags", "eta", "", "x_long", "x-lonG\0", "X\rLong"] {
      #expect(fields[name] == nil, "\(name.debugDescription)")
    }
    #expect(fields.all.map(\.name) == ["ETag", "X-Long", "etag", "X-Empty"])
  }

  @Test(arguments: [
    ("Host", "hOST", true), ("Host", "Hos", false), ("a[b", "a{b", false), ("@", "`", false),
  ])
  func `names are equal in any case of their letters alone`(a: String, b: String, equal: Bool) {
    #expect(
      a.caseInsensitiveEqual(b) == equal
        && HeaderFields([HTTPField(a, "x")])[b] == (equal ? "x" : nil))
  }

  @Test func `is bounded in fields and bytes`() {
    let most = Array(repeating: "A: b", count: ResponseHead.maximumFields)
    #expect(read(["HTTP/1.1 200 OK"] + most + [""]).1 == .complete)
    #expect(read(["HTTP/1.1 200 OK"] + most + ["A: b", ""]).1 == .tooLarge)
    let long = "A: " + String(repeating: "b", count: ResponseHead.maximumBytes)
    #expect(read(["HTTP/1.1 200 OK", long]).1 == .tooLarge)
  }

  @Test(arguments: ["no field", ": x", "HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 20", " folded"])
  func `with a malformed line is refused`(line: String) {
    #expect(read(line.hasPrefix("HTTP") ? [line] : ["HTTP/1.1 200 OK", line]).1 == .malformed)
  }

  @Test(arguments: [
    ("12", 12), ("0", 0), ("99999999999999999999", Int.max), ("-1", nil), ("", nil),
  ])
  func `gives the length it promises`(text: String, length: Int?) {
    #expect(
      read(["HTTP/1.1 200 OK", "content-length: \(text)", ""]).0.fields.contentLength == length)
  }

  @Test func `survives any line`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var head = ResponseHead()
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let alphabet = Array("HTTP/1.12 00:\r\n\t aé\0".utf8)
        let line = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
          alphabet.randomElement(using: &generator) ?? 0
        }
        _ = line.withUnsafeBytes { head.take($0) }
      }
      #expect(head.isComplete == false || head.status >= 200)
    }
  }
}
