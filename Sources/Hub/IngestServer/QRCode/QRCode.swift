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

  /// The outline of the dark modules, for a drawing `width` wide: a rectangle for each run of a row.
  package var outline: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        let start = column
        while column < size, self[row, column] { column += 1 }
        let length = column - start
        if length > 0 {
          path += "M\(start + Self.margin) \(row + Self.margin)h\(length)v1h-\(length)z"
        }
        column += 1
      }
    }
    return path
  }

  /// Columns of its lines.
  package var width: Int { size + 2 * Self.margin }

  private func isLight(_ row: Int, _ column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return true }
    return !self[row, column]
  }
}
