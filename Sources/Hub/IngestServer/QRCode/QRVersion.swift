/// The size of a code, and what it holds.
struct QRVersion: Hashable, Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  static let all = (1...20).map(QRVersion.init)

  var size: Int { 17 + 4 * number }

  /// The rows and columns on which the small squares lie.
  var alignments: [Int] {
    guard number > 1 else { return [] }
    let count = number / 7 + 2
    let step = (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<(count - 1)).map { size - 7 - $0 * step }.reversed()
  }

  /// Bytes of data and correction together.
  var codewordCount: Int {
    var modules = (16 * number + 128) * number + 64
    if number > 1 {
      let count = number / 7 + 2
      modules -= (25 * count - 10) * count - 55
      if number > 6 { modules -= 36 }
    }
    return modules / 8
  }

  /// The correction bytes of each block, and how many blocks there are.
  func blocks(_ level: QRCode.Level) -> (correction: Int, count: Int) {
    let table = level == .low ? Self.low : Self.medium
    return table[number - 1]
  }

  func dataCount(_ level: QRCode.Level) -> Int {
    let blocks = blocks(level)
    return codewordCount - blocks.correction * blocks.count
  }

  /// How many digits of two the length has.
  var lengthBits: Int { number < 10 ? 8 : 16 }

  /// The most bytes of a text: the mode and the length take 12 or 20 bits.
  func capacity(_ level: QRCode.Level) -> Int { dataCount(level) - (4 + lengthBits + 7) / 8 }

  private static let low = [
    (7, 1), (10, 1), (15, 1), (20, 1), (26, 1), (18, 2), (20, 2), (24, 2), (30, 2), (18, 4),
    (20, 4), (24, 4), (26, 4), (30, 4), (22, 6), (24, 6), (28, 6), (30, 6), (28, 7), (28, 8),
  ]
  private static let medium = [
    (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5),
    (30, 5), (22, 8), (22, 9), (24, 9), (24, 10), (28, 10), (28, 11), (26, 13), (26, 14), (26, 16),
  ]
}
