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
