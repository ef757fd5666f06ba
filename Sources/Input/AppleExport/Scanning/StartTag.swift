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
