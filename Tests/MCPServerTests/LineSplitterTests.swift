import Testing

@testable import MCPServer

/// Lines out of pieces of a stream (R53).
@Suite(.unit) struct LineSplitterTests {
  private func lines(_ pieces: [String], maximumBytes: Int = 100) -> [LineSplitter.Line] {
    var splitter = LineSplitter(maximumBytes: maximumBytes)
    var lines = pieces.flatMap { splitter.take(Array($0.utf8)) }
    if let last = splitter.last() { lines.append(last) }
    return lines
  }

  private func whole(_ text: String) -> LineSplitter.Line { .whole(Array(text.utf8)) }

  @Test func `lines are the same however the stream is cut`() {
    let text = "one\n\ntwo words\nthree"
    let expected = [whole("one"), whole(""), whole("two words"), whole("three")]
    #expect(lines([text]) == expected)
    #expect(lines(text.map(String.init)) == expected)
    for cut in 0...text.count {
      #expect(lines([String(text.prefix(cut)), String(text.dropFirst(cut))]) == expected)
    }
  }

  @Test func `a line beyond the bound is reported and not kept, and the next is whole again`() {
    let long = String(repeating: "x", count: 11)
    #expect(lines([long + "\nshort\n"], maximumBytes: 10) == [.tooLong, whole("short")])
    #expect(
      lines(long.map(String.init) + ["\nshort"], maximumBytes: 10) == [
        .tooLong, whole("short"),
      ])
    #expect(lines([String(repeating: "x", count: 10)], maximumBytes: 10).first != .tooLong)
    #expect(lines([long], maximumBytes: 10) == [.tooLong])
  }

  @Test func `an end right after a newline is not a line`() {
    #expect(lines(["one\n"]) == [whole("one")])
    #expect(lines([""]) == [])
  }
}
