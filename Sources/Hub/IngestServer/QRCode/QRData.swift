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
