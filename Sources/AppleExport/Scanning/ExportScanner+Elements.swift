/// Tags that lie whole in a chunk.
extension ExportScanner {
  /// Takes the tag at a place and returns the place after it.
  ///
  /// Nil, with nothing changed, if it is cut short by the limit or not well-formed.
  @inline(__always)
  mutating func takeElement(from start: Place, to limit: Place) -> Place? {
    if start[1] == Mark.slash { return takeEndTag(from: start, to: limit) }
    var place = start + 1
    while place < limit, !Mark.isSpace(place.pointee), place.pointee != Mark.greater,
      place.pointee != Mark.slash
    { place += 1 }
    guard place < limit, place > start + 1 else { return nil }
    let name = RawText(start + 1, to: place)
    if nesting.depth == 1, name.equals("Record") {
      return takeRecord(from: start, attributes: place, to: limit)
    }
    return takeOther(name, from: start, attributes: place, to: limit)
  }

  private mutating func takeOther(
    _ name: RawText, from start: Place, attributes: Place, to limit: Place
  ) -> Place? {
    let isChild = nesting.depth == 1 || nesting.mustBeChild(name)
    switch name.count {
    case 6 where isChild && name.equals("Record"):
      return takeRecord(from: start, attributes: attributes, to: limit)
    case 7 where isChild && name.equals("Workout"):
      return takeWorkout(from: start, attributes: attributes, to: limit)
    case 11 where isChild && name.equals("Correlation"):
      return takeCorrelation(from: start, attributes: attributes, to: limit)
    case 15 where isChild && name.equals("ActivitySummary"):
      return takeSummary(from: start, attributes: attributes, to: limit)
    case 10 where isChild && name.equals("ExportDate"):
      return takeExportDate(from: start, attributes: attributes, to: limit)
    case 13 where nesting.depth == 2 && name.equals("MetadataEntry"):
      return takeMetadata(from: start, attributes: attributes, to: limit)
    case 17 where nesting.depth == 2 && name.equals("WorkoutStatistics"):
      return takeStatistics(from: start, attributes: attributes, to: limit)
    case 10 where !hasBegun && name.equals("HealthData"):
      return takeRoot(from: start, attributes: attributes, to: limit)
    default:
      var tagEnd = TagEnd()
      // From the name on, for in a broken tag there may be anything in it.
      guard case .ended(let next) = tagEnd.look(from: start + 1, to: limit),
        next - start <= maximumTagBytes
      else { return nil }
      begin(Nesting.Element(name), isEmpty: next[-2] == Mark.slash, isChild: isChild)
      return next
    }
  }

  /// Follows a start tag that was taken.
  @inline(__always)
  mutating func begin(_ element: Nesting.Element, isEmpty: Bool, isChild: Bool) {
    if isChild, nesting.depth > 1 { finishChild() }
    if !isEmpty, nesting.isInside { nesting.open(element) }
  }

  private mutating func takeEndTag(from start: Place, to limit: Place) -> Place? {
    var tagEnd = TagEnd()
    guard case .ended(let next) = tagEnd.look(from: start + 2, to: limit),
      next - start <= maximumTagBytes
    else { return nil }
    var end = start + 2
    while end < next - 1, !Mark.isSpace(end.pointee) { end += 1 }
    let name = RawText(start + 2, to: end)
    if name.count == 10, nesting.isInside, name.equals("HealthData") {
      finishChild()
      releaseHeld()
      nesting.end()
      isComplete = true
    } else if held != nil, name.equals("Correlation") {
      endCorrelation()
    } else if nesting.close(name) {
      finishChild()
    }
    return next
  }

  /// Tells the record or workout whose children are now all read.
  mutating func finishChild() {
    nesting.closeChild()
    if let sample = openSample {
      tell(.sample(sample))
      openSample = nil
    }
    if let workout = openWorkout {
      findings.append(.workout(workout))
      openWorkout = nil
    }
  }

  private mutating func takeRoot(
    from start: Place, attributes: Place, to limit: Place
  ) -> Place? {
    var cursor = TagCursor(attributes, to: limit)
    var locale = RawText.absent
    reading: while true {
      switch cursor.next() {
      case .attribute: if cursor.name.equals("locale") { locale = cursor.value }
      case .end: break reading
      case .broken: return nil
      }
    }
    guard cursor.place - start <= maximumTagBytes else { return nil }
    hasBegun = true
    nesting.begin()
    if locale.start != nil, locale.count <= ZoneNames.maximumBytes {
      findings.append(.locale(AttributeText(locale).string))
    }
    if cursor.isEmptyElement {
      nesting.end()
      isComplete = true
    }
    return cursor.place
  }

  private mutating func takeExportDate(
    from start: Place, attributes: Place, to limit: Place
  ) -> Place? {
    var cursor = TagCursor(attributes, to: limit)
    var value = RawText.absent
    reading: while true {
      switch cursor.next() {
      case .attribute: if cursor.name.equals("value") { value = cursor.value }
      case .end: break reading
      case .broken: return nil
      }
    }
    guard cursor.place - start <= maximumTagBytes else { return nil }
    begin(.other, isEmpty: cursor.isEmptyElement, isChild: true)
    releaseHeld()
    if let date = date(value) {
      exportOffset = dates.offset
      findings.append(.exportDate(date))
    } else {
      skip(.date, text: value)
    }
    return cursor.place
  }
}
