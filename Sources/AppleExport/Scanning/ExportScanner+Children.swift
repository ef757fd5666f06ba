internal import HealthSamples

/// What stands inside records and workouts.
extension ExportScanner {
  /// `HKWasUserEntered` tells that a person typed the sample in, `HKTimeZone` where it was taken.
  mutating func takeMetadata(from start: Place, attributes: Place, to limit: Place) -> Place? {
    var (key, value) = (RawText.absent, RawText.absent)
    let tag = walk(start, from: attributes, to: limit) { name, text in
      if name.equals("key") { key = text } else if name.equals("value") { value = text }
    }
    guard let tag else { return nil }
    if nesting.child == .record || nesting.child == .workout {
      if key.equals("HKTimeZone") {
        if let zone = zones.name(value) {
          tell(.timeZone(zone, openSample?.start ?? openWorkout?.start))
        }
      } else if key.equals("HKWasUserEntered") {
        openSample?.isUserEntered = value.equals("1")
      }
    }
    begin(.other, isEmpty: tag.isEmptyElement, isChild: false)
    return tag.place
  }

  /// A workout's sums, which newer exports tell here and not in its own attributes.
  mutating func takeStatistics(from start: Place, attributes: Place, to limit: Place) -> Place? {
    var (type, sum, unit) = (RawText.absent, RawText.absent, RawText.absent)
    let tag = walk(start, from: attributes, to: limit) { name, text in
      if name.equals("type") { type = text }
      if name.equals("sum") { sum = text }
      if name.equals("unit") { unit = text }
    }
    guard let tag else { return nil }
    if type.starts(with: "HKQuantityTypeIdentifierDistance") {
      if let distance = amount(sum, unit, in: .metre) { openWorkout?.distance = distance }
    } else if type.equals("HKQuantityTypeIdentifierActiveEnergyBurned") {
      if let energy = amount(sum, unit, in: .kilocalorie) { openWorkout?.energy = energy }
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
