/// A QR code as ISO/IEC 18004 has it: bytes as a square of dark and light modules, such as the link that
/// sets an app up (R55). Pure.
package struct QRCode: Hashable, Sendable {
  /// How much of the square may be lost.
  package enum Level: Int, CaseIterable, Sendable {
    /// About 7 %.
    case low
    /// About 15 %.
    case medium

    /// As the square names it.
    var number: Int { self == .low ? 1 : 0 }
  }

  /// 1 to 20: each is four modules wider than the one before.
  package let version: Int
  package let level: Level
  /// Which of the eight patterns was laid over the data.
  package let mask: Int
  private let isDark: [Bool]

  /// Modules on a side, without the light margin of four modules that readers expect.
  package var size: Int { QRVersion(version).size }

  package subscript(row: Int, column: Int) -> Bool { isDark[row * size + column] }

  /// The smallest code that holds the bytes, with the higher level where that makes it no larger.
  ///
  /// - Parameter mask: 0 to 7; nil for the one that is read most easily.
  /// - Returns: nil if the bytes are too many: 858 of them fit.
  package init?(_ bytes: [UInt8], mask: Int? = nil) {
    let fitting = QRVersion.all.first { $0.capacity(.low) >= bytes.count }
    guard let version = fitting else { return nil }
    self.init(
      bytes, version, version.capacity(.medium) >= bytes.count ? .medium : .low, mask: mask)
  }

  /// A code of one version and level; nil if the bytes do not fit.
  package init?(_ bytes: [UInt8], version number: Int, level: Level, mask: Int? = nil) {
    guard let version = QRVersion.all.first(where: { $0.number == number }),
      version.capacity(level) >= bytes.count
    else { return nil }
    self.init(bytes, version, level, mask: mask)
  }

  private init(_ bytes: [UInt8], _ version: QRVersion, _ level: Level, mask: Int?) {
    (self.version, self.level) = (version.number, level)
    var plain = QRSquare(version)
    plain.place(QRData(bytes, version, level).codewords)
    let squares = (mask.map { [$0] } ?? Array(0..<8)).map { mask in
      var square = plain
      square.apply(mask: mask, level)
      return (mask, square)
    }
    // Of equal ones the first.
    let penalties = squares.count > 1 ? squares.map { QRPenalty.of($0.1) } : [0]
    let best = penalties.indices.min { (penalties[$0], $0) < (penalties[$1], $1) } ?? 0
    (self.mask, isDark) = (squares[best].0, squares[best].1.isDark)
  }
}

extension QRCode {
  /// The light modules around the code.
  package static let margin = 4

  /// The code as lines of half blocks, two modules in a character. What is drawn is light, so that it
  /// is right where text is light on a dark ground; readers take the opposite, too.
  package var lines: [String] {
    let edge = -Self.margin..<(size + Self.margin)
    return stride(from: edge.lowerBound, to: edge.upperBound, by: 2).map { row in
      String(
        edge.map { column -> Character in
          switch (isLight(row, column), row + 1 < edge.upperBound && isLight(row + 1, column)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
    }
  }

  /// Columns of its lines.
  package var width: Int { size + 2 * Self.margin }

  private func isLight(_ row: Int, _ column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return true }
    return !self[row, column]
  }
}

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

/// The bytes of a code: mode, length, text and padding, cut into blocks, each with its correction, and
/// interleaved.
struct QRData {
  let codewords: [UInt8]

  init(_ bytes: [UInt8], _ version: QRVersion, _ level: QRCode.Level) {
    let (correction, count) = version.blocks(level)
    let data = Self.data(bytes, version, level)
    // The last blocks are a byte longer where the bytes do not divide.
    let (short, longer) = (data.count / count, data.count % count)
    var rest = data[...]
    let blocks = (0..<count).map { index in
      let block = Array(rest.prefix(index < count - longer ? short : short + 1))
      rest = rest.dropFirst(block.count)
      return block
    }
    let generator = ReedSolomon(correction)
    codewords =
      Self.interleaved(blocks) + Self.interleaved(blocks.map { generator.correction(of: $0) })
  }

  private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
    (0..<(blocks.map(\.count).max() ?? 0)).flatMap { place in
      blocks.compactMap { place < $0.count ? $0[place] : nil }
    }
  }

  private static func data(
    _ bytes: [UInt8], _ version: QRVersion, _ level: QRCode.Level
  ) -> [UInt8] {
    let count = version.dataCount(level)
    var bits: [Bool] = []
    func append(_ value: Int, _ width: Int) {
      bits += (0..<width).reversed().map { value >> $0 & 1 == 1 }
    }
    // Mode 4: bytes.
    append(4, 4)
    append(bytes.count, version.lengthBits)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, count * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var padding: UInt8 = 0xEC
    while data.count < count {
      data.append(padding)
      padding ^= 0xEC ^ 0x11
    }
    return data
  }
}

/// Correction bytes: the remainder of a division in the field of 256 elements, modulo
/// x^8 + x^4 + x^3 + x^2 + 1.
struct ReedSolomon {
  /// The product of (x - 2^i), without its first coefficient, which is 1.
  private let divisor: [UInt8]

  init(_ degree: Int) {
    var divisor = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for place in divisor.indices {
        divisor[place] = Self.product(divisor[place], root)
        if place + 1 < degree { divisor[place] ^= divisor[place + 1] }
      }
      root = Self.product(root, 2)
    }
    self.divisor = divisor
  }

  func correction(of data: [UInt8]) -> [UInt8] {
    var rest = [UInt8](repeating: 0, count: divisor.count)
    for byte in data {
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for (place, coefficient) in divisor.enumerated() {
        rest[place] ^= Self.product(coefficient, factor)
      }
    }
    return rest
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var product = 0
    for place in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7) * 0x11D
      product ^= Int(b >> UInt8(place) & 1) * Int(a)
    }
    return UInt8(truncatingIfNeeded: product)
  }
}
