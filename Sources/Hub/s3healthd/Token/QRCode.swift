import CQRCode

/// A QR code (ISO/IEC 18004), such as of the link that sets an app up (R55), made by libqrencode.
struct QRCode {
  /// Modules on a side.
  private let size: Int
  private let isDark: [Bool]

  /// The light modules that readers expect around the code.
  private static let margin = 4

  /// The smallest code that holds the text, with the higher level of correction where that makes it no
  /// larger; nil if the text is too long for any.
  init?(_ text: String) {
    guard let low = Self.modules(text, QR_ECLEVEL_L) else { return nil }
    let medium = Self.modules(text, QR_ECLEVEL_M)
    (size, isDark) = medium.flatMap { $0.size == low.size ? $0 : nil } ?? low
  }

  private static func modules(
    _ text: String, _ level: QRecLevel
  ) -> (size: Int, isDark: [Bool])? {
    let bytes = Array(text.utf8)
    // Of version 0 the smallest that does.
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, level) else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    let modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size)
    return (size, modules.map { $0 & 1 == 1 })
  }

  /// Columns of its lines.
  var width: Int { size + 2 * Self.margin }

  /// The code as lines of half blocks, two modules in a character. What is drawn is light, so that it
  /// is right where text is light on a dark ground; readers take the opposite, too.
  var lines: [String] {
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

  private func isLight(_ row: Int, _ column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return true }
    return !isDark[row * size + column]
  }
}
