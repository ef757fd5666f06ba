/// A start tag that was read whole, of an element that an export has few of.
struct StartTag {
  private var attributes: [(name: RawText, value: RawText)] = []
  /// The place after the tag.
  private(set) var end: Place
  /// Whether the tag ended with `/>`.
  private(set) var isEmptyElement = false

  /// The value of an attribute; the last one where it stands twice.
  subscript(name: StaticString) -> RawText {
    attributes.last { $0.name.equals(name) }?.value ?? .absent
  }

  /// Nil if the tag is cut short by the limit, not well-formed or longer than `maximumBytes`.
  init?(from start: Place, attributes place: Place, to limit: Place, maximumBytes: Int) {
    end = start
    let cursor = TagCursor.walk(
      from: start, attributes: place, to: limit, maximumBytes: maximumBytes
    ) { attributes.append(($0, $1)) }
    guard let cursor else { return nil }
    (end, isEmptyElement) = (cursor.place, cursor.isEmptyElement)
  }
}

extension TagCursor {
  /// Hands the attributes of a tag, one after the other, to `take`; returns the cursor at its end.
  ///
  /// Nil if the tag is cut short by the limit, not well-formed or longer than `maximumBytes`.
  @inline(__always)
  static func walk(
    from start: Place, attributes: Place, to limit: Place, maximumBytes: Int,
    _ take: (_ name: RawText, _ value: RawText) -> Void
  ) -> TagCursor? {
    var cursor = TagCursor(attributes, to: limit)
    while true {
      switch cursor.next() {
      case .attribute: take(cursor.name, cursor.value)
      case .end: return cursor.place - start <= maximumBytes ? cursor : nil
      case .broken: return nil
      }
    }
  }
}

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

  /// Takes a name and the `=` after it. iOS 8 wrote metadata as attributes, with spaces in their names.
  @inline(__always)
  private mutating func takeName() -> Bool {
    let start = place
    var end = place
    repeat {
      while place < limit, Self.isNameByte(place.pointee) { place += 1 }
      end = place
      skipSpace()
    } while place > end && place < limit && Self.isNameByte(place.pointee)
    name = RawText(start, to: end)
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

/// Finds where a tag ends, over any number of chunks: at the first `>` outside quotes.
///
/// `<` can't stand in a tag: where it does the tag is broken, and what follows is looked at again.
struct TagEnd {
  /// The quote that is open, or 0.
  private var quote: UInt8 = 0

  enum Outcome {
    /// The place after `>`.
    case ended(Place)
    /// The place of the `<` that can't stand here.
    case broken(Place)
    /// The chunk is over.
    case open
  }

  /// Goes on from a place inside the tag, after its `<`.
  @inline(__always)
  mutating func look(from start: Place, to end: Place) -> Outcome {
    var place = start
    while place < end {
      if quote != 0 {
        place = ByteSearch.first(quote, or: Mark.less, from: place, to: end)
        guard place < end else { return .open }
        guard place.pointee == quote else { return .broken(place) }
        quote = 0
      } else {
        switch place.pointee {
        case Mark.greater: return .ended(place + 1)
        case Mark.less: return .broken(place)
        case Mark.quote, Mark.apostrophe: quote = place.pointee
        default: break
        }
      }
      place += 1
    }
    return .open
  }
}
