import ObjectStore

extension ConformanceSuite {
  /// Segments that break careless clients: reserved in URLs, in XML, in forms, beyond ASCII, long.
  private static let oddSegments = [
    " ", "a b", " lead", "trail ", "a+b", "100%", "%2F", "%41", "~tilde~", "k=v", "x&y", "(1)",
    "a'b\"c", "<x>&amp;", "semi;colon", "co:lon", "q?uery", "fr#agment", "at@", "do$lar", "!*",
    "back\\slash", "com,ma", "[b]{c}", "pi|pe", "ca^ret", "`tick`", ".hidden", "...", "dot.", "-",
    "caf\u{E9}", "日本語", "🏃🏽‍♀️", "\u{200B}", "\u{FFFD}", String(repeating: "n", count: 255),
    String(repeating: "\u{E9}", count: 127),
  ]

  static let keyCases: [ConformanceCase] = [
    ConformanceCase("odd keys are kept, listed and removed as they are") { bench in
      for (number, segment) in oddSegments.enumerated() {
        try await bench.stored("odd/\(segment)", [UInt8(number)])
        try await bench.stored("odd-\(number)/\(segment)/x", [UInt8(number), 1])
      }
      let expected = oddSegments.map { "odd/" + $0 }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      try expect(try await bench.listing("odd/"), are: expected)
      try expect(try await bench.listing("odd/", limit: 7), are: expected)
      for (number, segment) in oddSegments.enumerated() {
        try await bench.holds("odd/\(segment)", [UInt8(number)])
        try await bench.holds("odd-\(number)/\(segment)/x", [UInt8(number), 1])
        try expect(
          try await bench.listing("odd-\(number)/\(segment)"), are: ["odd-\(number)/\(segment)/x"])
        try await bench.delete("odd/\(segment)")
      }
      try expect(try await bench.listing("odd/"), are: [])
    },
    ConformanceCase("a key of the greatest length is kept") { bench in
      let room = 1024 - bench.prefix.utf8.count
      let wide = (0..<4).map { _ in String(repeating: "w", count: 200) }.joined(separator: "/")
      let deep = String(repeating: "d/", count: (room - wide.utf8.count) / 2 - 1)
      let key =
        deep + wide + String(repeating: "e", count: room - deep.utf8.count - wide.utf8.count)
      try await bench.stored(key, [1])
      try await bench.holds(key, [1])
      try expect(try await bench.listing(), are: [key])
    },
    ConformanceCase(
      "keys that differ in case or normalisation are different", needs: [.create, .exactNames]
    ) { bench in
      let names = ["Cafe", "cafe", "cafe\u{301}", "caf\u{E9}"]
      for (number, name) in names.enumerated() { try await bench.stored(name, [UInt8(number)]) }
      for (number, name) in names.enumerated() { try await bench.holds(name, [UInt8(number)]) }
      try expect(try await bench.listing(), are: names)
    },
  ]
}
