/// Walks over the attributes of one start tag.
struct TagCursor {
  /// Where the next attribute, or the tag's end, is looked for.
  var place: Place
  /// The end of the chunk, or of the tag where that is known.
  let limit: Place
  private(set) var name = RawText.absent
  private(set) var value = RawText.absent
  /// Whether the tag ended with `/>`.
  private(set) var isEmptyElement = false

  enum Step {
    case attribute
    /// `place` is after the `>`.
    case end
    /// Not well-formed, or cut short by the limit.
    case broken
  }

  init(_ place: Place, to limit: Place) { (self.place, self.limit) = (place, limit) }

  /// Takes the next attribute or the tag's end.
  @inline(__always)
  mutating func next() -> Step {
    skipSpace()
    guard place < limit else { return .broken }
    switch place.pointee {
    case Mark.greater:
      place += 1
      return .end
    case Mark.slash:
      guard place + 1 < limit, place[1] == Mark.greater else { return .broken }
      place += 2
      isEmptyElement = true
      return .end
    default:
      return takeName() && takeValue() ? .attribute : .broken
    }
  }

  @inline(__always)
  private mutating func skipSpace() {
    while place < limit, Mark.isSpace(place.pointee) { place += 1 }
  }

  /// Takes a name and the `=` after it.
  @inline(__always)
  private mutating func takeName() -> Bool {
    let start = place
    while place < limit, Self.isNameByte(place.pointee) { place += 1 }
    name = RawText(start, to: place)
    skipSpace()
    guard name.count > 0, place < limit, place.pointee == Mark.equals else { return false }
    place += 1
    skipSpace()
    return true
  }

  /// Takes a value in quotes of either kind.
  @inline(__always)
  private mutating func takeValue() -> Bool {
    guard place < limit else { return false }
    let quote = place.pointee
    guard quote == Mark.quote || quote == Mark.apostrophe else { return false }
    place += 1
    return takeValue(upTo: quote)
  }

  /// Takes a value whose opening quote is behind `place`.
  @inline(__always)
  mutating func takeValue(upTo quote: UInt8) -> Bool {
    let end = ByteSearch.first(quote, or: Mark.less, from: place, to: limit)
    guard end < limit, end.pointee == quote else { return false }
    value = RawText(place, to: end)
    place = end + 1
    return true
  }

  @inline(__always)
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, Mark.equals, Mark.less, Mark.greater, Mark.slash, Mark.quote, Mark.apostrophe:
      false
    default: true
    }
  }
}
