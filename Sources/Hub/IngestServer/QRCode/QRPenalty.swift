/// How hard a code is to read: the mask with the lowest penalty is taken.
enum QRPenalty {
  static func of(_ square: QRSquare) -> Int {
    let places = 0..<square.size
    var penalty = 0
    for line in places {
      penalty += ofLine(places.map { square[line, $0] }) + ofLine(places.map { square[$0, line] })
    }
    // Blocks of one colour.
    for row in places.dropLast() {
      for column in places.dropLast() {
        let first = square[row, column]
        if square[row, column + 1] == first, square[row + 1, column] == first,
          square[row + 1, column + 1] == first
        {
          penalty += 3
        }
      }
    }
    // Far more of one colour than of the other.
    let (dark, all) = (square.isDark.count(where: \.self), square.isDark.count)
    return penalty + 10 * (abs(2 * dark - all) * 10 / all)
  }

  /// What looks like a large square, with light modules on one side of it.
  private static let finders = [
    [true, false, true, true, true, false, true, false, false, false, false],
    [false, false, false, false, true, false, true, true, true, false, true],
  ]

  private static func ofLine(_ line: [Bool]) -> Int {
    var penalty = 0
    var start = 0
    for place in 1...line.count where place == line.count || line[place] != line[start] {
      // Runs of one colour.
      if place - start >= 5 { penalty += place - start - 2 }
      start = place
    }
    for start in 0..<max(0, line.count - 10) {
      let piece = line[start..<(start + 11)]
      penalty += 40 * finders.count { piece.elementsEqual($0) }
    }
    return penalty
  }
}
