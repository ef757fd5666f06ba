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
