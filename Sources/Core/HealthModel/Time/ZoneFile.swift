/// One compiled zone of the time zone database: a TZif file, version 2 or later (RFC 9636, R4).
struct ZoneFile: Sendable {
  /// Moments, ascending, at which the offset may change; seconds since 1970.
  private let changes: [Int]
  /// The offset from each of those moments on; seconds east of UTC.
  private let offsets: [Int]
  /// The offset before the first change.
  private let firstOffset: Int
  /// What holds from the last change on; nil where the file has no rule.
  private let closingRule: ClosingRule?

  /// Reads a file; nil where it is not whole and sound.
  init?(_ bytes: [UInt8]) {
    guard bytes.count < 1 << 20, let first = Header(bytes, at: 0) else { return nil }
    let secondAt = 44 + first.blockLength(timeSize: 4)
    guard let header = Header(bytes, at: secondAt), header.typeCount > 0 else { return nil }

    let timesAt = secondAt + 44
    let kindsAt = timesAt + 8 * header.changeCount
    let typesAt = kindsAt + header.changeCount
    let footerAt = timesAt + header.blockLength(timeSize: 8)
    guard footerAt < bytes.count, bytes[footerAt] == UInt8(ascii: "\n"),
      let footerEnd = bytes[(footerAt + 1)...].firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }

    let typeOffsets = (0..<header.typeCount).map { type in
      Int(Int32(truncatingIfNeeded: Self.integer(bytes, at: typesAt + 6 * type, size: 4)))
    }
    let kinds = bytes[kindsAt..<typesAt].map(Int.init)
    guard kinds.allSatisfy({ $0 < typeOffsets.count }),
      typeOffsets.allSatisfy({ abs($0) < 86_400 })
    else { return nil }
    self.changes = (0..<header.changeCount).map {
      Self.integer(bytes, at: timesAt + 8 * $0, size: 8)
    }
    self.offsets = kinds.map { typeOffsets[$0] }
    self.firstOffset = typeOffsets[0]

    let footer = String(decoding: bytes[(footerAt + 1)..<footerEnd], as: UTF8.self)
    self.closingRule = ClosingRule(footer)
    // A rule that is there and not understood would make every later day wrong.
    guard footer.isEmpty || closingRule != nil else { return nil }
  }

  /// Seconds east of UTC that hold at a moment.
  func offset(at seconds: Int) -> Int {
    guard let last = changes.last, seconds < last else {
      return closingRule?.offset(at: seconds) ?? offsets.last ?? firstOffset
    }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstOffset : offsets[low - 1]
  }

  /// A big-endian integer of four or eight bytes, without its sign for four.
  private static func integer(_ bytes: [UInt8], at place: Int, size: Int) -> Int {
    Int(
      truncatingIfNeeded: bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// The counts that stand at the head of either block.
  private struct Header {
    let changeCount: Int
    let typeCount: Int
    private let otherCounts: (utc: Int, standard: Int, leap: Int, characters: Int)

    init?(_ bytes: [UInt8], at place: Int) {
      guard bytes.count >= place + 44, bytes[place...].starts(with: "TZif".utf8),
        bytes[place + 4] >= UInt8(ascii: "2")
      else { return nil }
      let counts = (0..<6).map { ZoneFile.integer(bytes, at: place + 20 + 4 * $0, size: 4) }
      // No count can exceed the file, so no sum of them can overflow.
      guard counts.allSatisfy({ $0 <= bytes.count }) else { return nil }
      self.changeCount = counts[3]
      self.typeCount = counts[4]
      self.otherCounts = (counts[0], counts[1], counts[2], counts[5])
    }

    func blockLength(timeSize: Int) -> Int {
      changeCount * (timeSize + 1) + typeCount * 6 + otherCounts.characters
        + otherCounts.leap * (timeSize + 4) + otherCounts.standard + otherCounts.utc
    }
  }
}
