import HealthModel
import StoreTesting
import TestSupport
import Testing

/// The parser and the canonical writer against Python's json and the rfc8785 package.
@Suite(.process) struct JSONPeerTests {
  @Test func `R13: the parser takes what Python's json takes, and RFC 8785 gives the same bytes`()
    async throws
  {
    var texts = JSONTexts(random: SplitMix64(seed: 8785))
    var all: [[UInt8]] = []
    for _ in 0..<6000 {
      let text = texts.text()
      all += [text, texts.broken(text), texts.broken(text)]
    }
    for depth in 60...70 { all.append(Self.nested(depth)) }
    let input = all.flatMap { Self.hex($0) + [UInt8(ascii: "\n")] }
    let output = try await PeerPython.run("model_json.py", input: input)
    let answers = output.split(separator: UInt8(ascii: "\n")).map(Array.init)
    try #require(answers.count == all.count)

    var good = 0
    for (text, theirs) in zip(all, answers) {
      let ours = (try? JSONValue(parsing: text))?.canonicalBytes
      if ours != nil { good += 1 }
      #expect(
        ours.map(Self.hex) ?? Array("bad".utf8) == theirs,
        "\(String(decoding: text, as: UTF8.self).debugDescription)")
    }
    #expect(good > 6000 && good < 14_000, "both kinds are well represented: \(good)")
  }

  @Test func `R13: canonical numbers are RFC 8785's for thousands of doubles`() async throws {
    var random = SplitMix64(seed: 64)
    var numbers: [Double] = [
      1e21, 1e-7, 123e-20, 9007199254740992, 4.5, 1e23, .leastNonzeroMagnitude,
    ]
    for exponent in -330...308 {
      numbers += [Double("1e\(exponent)"), Double("9.5e\(exponent)")].compactMap { $0 }
        .filter(\.isFinite)
    }
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      if number.isFinite { numbers.append(number) }
    }
    // What health data looks like, and the edges of the plain spelling.
    for _ in 0..<5000 { numbers.append(Double(random.next() % 10_000_000) / 100) }
    for edge in [0.001, 1e15] {
      numbers += [edge.nextDown, edge, edge.nextUp, -edge, -edge.nextUp]
    }
    let input = numbers.flatMap { Self.hex(Array("\($0)".utf8)) + [UInt8(ascii: "\n")] }
    let output = try await PeerPython.run("model_json.py", input: input)
    let answers = output.split(separator: UInt8(ascii: "\n")).map(Array.init)
    try #require(answers.count == numbers.count)
    for (number, theirs) in zip(numbers, answers) {
      #expect(Self.hex(JSONValue.number(number).canonicalBytes) == theirs, "\(number)")
    }
  }

  private static func nested(_ depth: Int) -> [UInt8] {
    Array(repeating: UInt8(ascii: "["), count: depth)
      + Array(repeating: UInt8(ascii: "]"), count: depth)
  }

  private static func hex(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }
}
