import StoreTesting

/// Random JSON texts with every liberty that the grammar gives, and ways to break them.
struct JSONTexts {
  var random: SplitMix64

  /// A text that is JSON, but for the rare key that comes twice or number beyond a double.
  mutating func text() -> [UInt8] {
    Array((blanks() + value(depth: 0) + blanks()).utf8)
  }

  /// The text with up to three bytes changed, added or taken away.
  mutating func broken(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where place < text.count: text.remove(at: place)
      case 1 where place < text.count: text[place] = UInt8.random(in: 0...255, using: &random)
      case 2: text.insert(random.pick(Array("{}[],:\"\\0-+.eEtNu\u{1} ".utf8)), at: place)
      case 3: text.removeSubrange(place...)
      default: text.insert(contentsOf: random.pick(Self.oddities), at: place)
      }
    }
    return text
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth < 6 ? 9 : 7), using: &random) {
    case 0: return random.pick(["null", "true", "false"])
    case 1...3: return number()
    case 4...6: return string()
    case 7:
      return "[" + blanks() + list { generator in generator.value(depth: depth + 1) } + "]"
    default:
      return "{" + blanks()
        + list { generator in
          generator.string() + generator.blanks() + ":" + generator.blanks()
            + generator.value(depth: depth + 1)
        } + "}"
    }
  }

  private mutating func list(_ element: (inout JSONTexts) -> String) -> String {
    let count = Int.random(in: 0...4, using: &random)
    return (0..<count).map { _ in element(&self) + blanks() }.joined(separator: "," + blanks())
  }

  /// A number in one of the spellings that JSON has.
  mutating func number() -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let double = Double(bitPattern: random.next())
      return double.isFinite ? double.description : "0"
    case 1: return String(Int.random(in: -1000...1000, using: &random))
    case 2: return String(Int64(bitPattern: random.next()))
    case 3:
      return random.pick(["-0", "-0.0", "0e5", "1e999", "-1e400", "1e-400", "5e-324", "1e308"])
    case 4: return random.pick(["1e20", "1e21", "123456789012345678901234567890", "1e-6", "1e-7"])
    case 5: return "0." + String(random.next())
    case 6:
      return String(random.next() % 1000) + "." + String(random.next() % 100)
        + random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + String(random.next() % 30)
    default: return String(Double(random.next() % 1_000_000) / 1000)
    }
  }

  private mutating func string() -> String {
    let count = Int.random(in: 0...5, using: &random)
    return "\"" + (0..<count).map { _ in random.pick(Self.characters) }.joined() + "\""
  }

  private mutating func blanks() -> String {
    random.chance(4) ? random.pick([" ", "\n", "\t", "\r\n", "  "]) : ""
  }

  private static let characters = [
    "a", "b", "Z", "0", " ", "é", "e\u{301}", "€", "😀", "\u{FFFF}", "\u{E000}", "\u{7F}", "\u{80}",
    "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0041", "\\u00e9", "\\u0000",
    "\\u001f", "\\ud83d\\ude00", "\\uDBFF\\uDFFF", "\\uFFFE", "/", "\u{2028}", "\u{FB33}",
  ]

  /// Overlong forms, surrogates in UTF-8, cut sequences, half pairs, and other favourites.
  private static let oddities: [[UInt8]] = [
    [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
    [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xEF, 0xBB, 0xBF], [0x80], [0xF0, 0x9F, 0x98],
    Array("\"\\ud83d\"".utf8), Array("\"\\ude00\\ud83d\"".utf8), Array("\\x41".utf8),
    Array("\\u12".utf8), Array("NaN".utf8), Array("-Infinity".utf8), Array("01".utf8),
    Array("1.".utf8), Array(".5".utf8), Array("+1".utf8), Array(",".utf8), Array("//x\n".utf8),
    Array("'a'".utf8), Array("\u{A0}".utf8), Array("0x1F".utf8), [0x0C], [0x00],
  ]
}
