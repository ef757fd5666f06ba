internal import HealthSamples

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
    if nesting.child == .record || nesting.child == .workout {
      if key.equals("HKTimeZone") {
        if let zone = zones.name(value) {
          report(.timeZone(zone, openSample?.start ?? openWorkout?.start))
        }
      } else if key.equals("HKWasUserEntered") {
        openSample?.isUserEntered = value.equals("1")
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
