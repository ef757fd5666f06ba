internal import HealthModel

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
    if elements.depth == 1, name.equals("Record") {
      return takeRecord(from: start, attributes: place, to: limit)
    }
    return takeOther(name, from: start, attributes: place, to: limit)
  }

  private mutating func takeOther(
    _ name: RawText, from start: Place, attributes: Place, to limit: Place
  ) -> Place? {
    let isChild = elements.depth == 1 || elements.mustBeChild(name)
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
    case 13 where elements.depth == 2 && name.equals("MetadataEntry"):
      return takeMetadata(from: start, attributes: attributes, to: limit)
    case 17 where elements.depth == 2 && name.equals("WorkoutStatistics"):
      return takeStatistics(from: start, attributes: attributes, to: limit)
    case 12 where elements.depth == 2 && name.equals("WorkoutEvent"):
      return takeEvent(from: start, attributes: attributes, to: limit)
    case 10 where !hasBegun && name.equals("HealthData"):
      return takeRoot(from: start, attributes: attributes, to: limit)
    default:
      // From the name on, because a broken tag may have anything in it.
      guard let next = end(ofTag: start, from: start + 1, to: limit) else { return nil }
      if isOther(name) { countOther(name) }
      begin(ElementStack.Element(name), isEmpty: next[-2] == Mark.slash, isChild: isChild)
      return next
    }
  }

  /// Whether an element holds what is not read: a child of `HealthData`, or a workout's route.
  private func isOther(_ name: RawText) -> Bool {
    if elements.depth == 1 { return held == nil && !name.equals("Me") }
    return elements.depth == 2 && elements.child == .workout && name.equals("WorkoutRoute")
  }

  /// Counts an element of a name; a file of many names counts the first ones.
  mutating func countOther(_ name: RawText) {
    guard name.count <= 64 else { return }
    let name = String(decoding: name.bytes, as: UTF8.self)
    if others[name] != nil || others.count < 100 { others[name, default: 0] += 1 }
  }

  /// Follows a start tag that was taken.
  @inline(__always)
  mutating func begin(_ element: ElementStack.Element, isEmpty: Bool, isChild: Bool) {
    if isChild, elements.depth > 1 { finishChild() }
    if !isEmpty, elements.isInside { elements.open(element) }
  }

  private mutating func takeEndTag(from start: Place, to limit: Place) -> Place? {
    guard let next = end(ofTag: start, from: start + 2, to: limit) else { return nil }
    var end = start + 2
    while end < next - 1, !Mark.isSpace(end.pointee) { end += 1 }
    let name = RawText(start + 2, to: end)
    if name.count == 10, elements.isInside, name.equals("HealthData") {
      finishChild()
      releaseHeld()
      elements.end()
      isComplete = true
    } else if held != nil, name.equals("Correlation") {
      endCorrelation()
    } else if elements.close(name) {
      finishChild()
    }
    return next
  }

  /// Reports the record or workout whose children are now all read.
  mutating func finishChild() {
    elements.closeChild()
    if let sample = openSample {
      report(.sample(sample))
      openSample = nil
    }
    if let workout = openWorkout {
      findings.append(.workout(workout.closed))
      openWorkout = nil
    }
  }

  private mutating func takeRoot(
    from start: Place, attributes: Place, to limit: Place
  ) -> Place? {
    guard let tag = startTag(from: start, attributes: attributes, to: limit) else { return nil }
    let locale = tag["locale"]
    hasBegun = true
    elements.begin()
    if locale.start != nil, locale.count <= ZoneNames.maximumBytes {
      findings.append(.locale(AttributeText(locale).string))
    }
    if tag.isEmptyElement {
      elements.end()
      isComplete = true
    }
    return tag.end
  }

  private mutating func takeExportDate(
    from start: Place, attributes: Place, to limit: Place
  ) -> Place? {
    guard let tag = startTag(from: start, attributes: attributes, to: limit) else { return nil }
    begin(.other, isEmpty: tag.isEmptyElement, isChild: true)
    releaseHeld()
    if let date = moment(tag["value"]) {
      exportOffset = dates.offset
      findings.append(.exportDate(date))
    }
    return tag.end
  }

  /// A tag of which an export has few; nil if it can't be taken.
  func startTag(from start: Place, attributes: Place, to limit: Place) -> StartTag? {
    StartTag(from: start, attributes: attributes, to: limit, maximumBytes: maximumTagBytes)
  }

  /// The place after a tag that is looked at from a place within it.
  ///
  /// Nil if the tag is cut short by the limit, not well-formed or too long.
  @inline(__always)
  func end(ofTag start: Place, from place: Place, to limit: Place) -> Place? {
    var tagEnd = TagEnd()
    guard case .ended(let next) = tagEnd.look(from: place, to: limit),
      next - start <= maximumTagBytes
    else { return nil }
    return next
  }
}

/// What stands inside records and workouts.
extension ExportScanner {
  /// `HKWasUserEntered` says that a person typed the sample in, `HKTimeZone` where it was taken.
  mutating func takeMetadata(from start: Place, attributes: Place, to limit: Place) -> Place? {
    var (key, value) = (RawText.absent, RawText.absent)
    // Not a `StartTag`: many records have one.
    let tag = TagCursor.walk(
      from: start, attributes: attributes, to: limit, maximumBytes: maximumTagBytes
    ) { name, text in
      if name.equals("key") { key = text } else if name.equals("value") { value = text }
    }
    guard let tag else { return nil }
    if elements.child == .record || elements.child == .workout {
      if key.equals("HKTimeZone") {
        if let zone = zones.name(value) {
          let start = openSample?.start ?? openWorkout?.start
          report(.timeZone(zone, start, ofSleep: openSample?.kind == .sleepAnalysis))
        }
      } else if key.equals("HKWasUserEntered") {
        openSample?.isUserEntered = value.equals("1")
      }
      if openSample != nil {
        var mark = EntryMark()
        mark.add(key, value)
        openSample?.mark &+= mark.number
      } else if var workout = openWorkout {
        openWorkout = nil
        addMetadata(key, value, to: &workout)
        openWorkout = workout
      }
    }
    begin(.other, isEmpty: tag.isEmptyElement, isChild: false)
    return tag.place
  }

  /// A number as one of another unit; nil if there is none or its unit does not convert.
  mutating func amount(
    _ text: RawText, _ unit: RawText, in other: SampleUnit
  ) -> Double? {
    number(text).flatMap { units.unit(unit).convert($0, to: other) }
  }
}

/// Apple's own figures of a day.
extension ExportScanner {
  mutating func takeSummary(from start: Place, attributes: Place, to limit: Place) -> Place? {
    guard let tag = startTag(from: start, attributes: attributes, to: limit) else { return nil }
    begin(.other, isEmpty: tag.isEmptyElement, isChild: true)
    releaseHeld()
    let text = tag["dateComponents"]
    let date = String(decoding: text.bytes.prefix(11), as: UTF8.self)
    if CalendarDate(date) != nil {
      findings.append(.summary(summary(of: date, tag)))
    } else {
      skip(.date, text: text)
    }
    return tag.end
  }

  private mutating func summary(of date: String, _ tag: StartTag) -> ActivitySummary {
    let unit = tag["activeEnergyBurnedUnit"]
    return ActivitySummary(
      date: date, activeEnergy: amount(tag["activeEnergyBurned"], unit, in: .kilocalorie),
      activeEnergyGoal: amount(tag["activeEnergyBurnedGoal"], unit, in: .kilocalorie),
      exerciseMinutes: number(tag["appleExerciseTime"]), moveMinutes: number(tag["appleMoveTime"]),
      standHours: number(tag["appleStandHours"]))
  }
}
