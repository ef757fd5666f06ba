/// The modules while a code is made.
struct QRSquare {
  let version: QRVersion
  let size: Int
  private(set) var isDark: [Bool]
  /// Modules that hold no data, and on which no mask lies.
  private var isFixed: [Bool]

  /// The patterns that readers look for; the places of the format are kept free.
  init(_ version: QRVersion) {
    self.version = version
    size = version.size
    isDark = .init(repeating: false, count: size * size)
    isFixed = isDark
    for place in 0..<size {
      fix(6, place, place.isMultiple(of: 2))
      fix(place, 6, place.isMultiple(of: 2))
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { finder(row, column) }
    let places = version.alignments
    for row in places {
      for column in places where !isCorner(row, column) { alignment(row, column) }
    }
    drawFormat(0)
    drawVersion()
  }

  subscript(row: Int, column: Int) -> Bool { isDark[row * size + column] }

  private mutating func fix(_ row: Int, _ column: Int, _ dark: Bool) {
    isDark[row * size + column] = dark
    isFixed[row * size + column] = true
  }

  /// A large square with the light line around it.
  private mutating func finder(_ row: Int, _ column: Int) {
    for down in -4...4 {
      for right in -4...4 {
        let (y, x) = (row + down, column + right)
        guard (0..<size).contains(y), (0..<size).contains(x) else { continue }
        let ring = max(abs(down), abs(right))
        fix(y, x, ring != 2 && ring != 4)
      }
    }
  }

  /// A small square.
  private mutating func alignment(_ row: Int, _ column: Int) {
    for down in -2...2 {
      for right in -2...2 { fix(row + down, column + right, max(abs(down), abs(right)) != 1) }
    }
  }

  /// Whether a large square is there already.
  private func isCorner(_ row: Int, _ column: Int) -> Bool {
    let (first, last) = (6, size - 7)
    return (row, column) == (first, first) || (row, column) == (first, last)
      || (row, column) == (last, first)
  }

  // MARK: - Format and version

  /// Fifteen bits, twice: level and mask with ten bits of correction.
  private mutating func drawFormat(_ data: Int) {
    let bits = Self.protected(data, by: 0x537, 10) ^ 0x5412
    func isSet(_ place: Int) -> Bool { bits >> place & 1 == 1 }
    for place in 0..<6 { fix(place, 8, isSet(place)) }
    fix(7, 8, isSet(6))
    fix(8, 8, isSet(7))
    fix(8, 7, isSet(8))
    for place in 9..<15 { fix(8, 14 - place, isSet(place)) }
    for place in 0..<8 { fix(8, size - 1 - place, isSet(place)) }
    for place in 8..<15 { fix(size - 15 + place, 8, isSet(place)) }
    fix(size - 8, 8, true)
  }

  /// Eighteen bits, twice, from version 7 on.
  private mutating func drawVersion() {
    guard version.number > 6 else { return }
    let bits = Self.protected(version.number, by: 0x1F25, 12)
    for place in 0..<18 {
      let (far, near) = (size - 11 + place % 3, place / 3)
      fix(near, far, bits >> place & 1 == 1)
      fix(far, near, bits >> place & 1 == 1)
    }
  }

  /// Data with its remainder behind it.
  private static func protected(_ data: Int, by divisor: Int, _ width: Int) -> Int {
    var rest = data
    for _ in 0..<width { rest = rest << 1 ^ (rest >> (width - 1)) * divisor }
    return data << width | rest
  }

  // MARK: - Data

  /// Lays bytes in pairs of columns, from right to left, up and down in turns.
  mutating func place(_ codewords: [UInt8]) {
    var place = 0
    var (right, goesUp) = (size - 1, true)
    while right > 0 {
      // The column of dots is not part of a pair.
      if right == 6 { right = 5 }
      for step in 0..<size {
        let row = goesUp ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] {
          // A few modules at the end stay light.
          guard place < codewords.count * 8 else { continue }
          isDark[row * size + column] = codewords[place / 8] >> UInt8(7 - place % 8) & 1 == 1
          place += 1
        }
      }
      (right, goesUp) = (right - 2, !goesUp)
    }
  }

  /// Turns the data modules over that a mask names, and writes which mask that is.
  mutating func apply(mask: Int, _ level: QRCode.Level) {
    for row in 0..<size {
      for column in 0..<size
      where !isFixed[row * size + column] && Self.turns(mask, row, column) {
        isDark[row * size + column].toggle()
      }
    }
    drawFormat(level.number << 3 | mask)
  }

  private static func turns(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    let product = row * column
    return switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: product % 2 + product % 3 == 0
    case 6: (product % 2 + product % 3) % 2 == 0
    default: ((row + column) % 2 + product % 3) % 2 == 0
    }
  }
}

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
