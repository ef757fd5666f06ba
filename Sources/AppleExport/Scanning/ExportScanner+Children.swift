/// What stands inside records and workouts.
extension ExportScanner {
  /// `HKWasUserEntered` tells that a person typed the sample in, `HKTimeZone` where it was taken.
  mutating func takeMetadata(from start: Place, attributes: Place, to limit: Place) -> Place? {
    var cursor = TagCursor(attributes, to: limit)
    var (key, value) = (RawText.absent, RawText.absent)
    reading: while true {
      switch cursor.next() {
      case .attribute:
        if cursor.name.equals("key") {
          key = cursor.value
        } else if cursor.name.equals("value") {
          value = cursor.value
        }
      case .end: break reading
      case .broken: return nil
      }
    }
    guard cursor.place - start <= maximumTagBytes else { return nil }
    if nesting.child == .record || nesting.child == .workout {
      if key.equals("HKTimeZone") {
        if let zone = zones.name(value) {
          tell(.timeZone(zone, openSample?.start ?? openWorkout?.start))
        }
      } else if key.equals("HKWasUserEntered") {
        openSample?.isUserEntered = value.equals("1")
      }
    }
    begin(.other, isEmpty: cursor.isEmptyElement, isChild: false)
    return cursor.place
  }

  /// A workout's sums, which newer exports tell here and not in its own attributes.
  mutating func takeStatistics(from start: Place, attributes: Place, to limit: Place) -> Place? {
    var cursor = TagCursor(attributes, to: limit)
    var (type, sum, unit) = (RawText.absent, RawText.absent, RawText.absent)
    reading: while true {
      switch cursor.next() {
      case .attribute:
        if cursor.name.equals("type") {
          type = cursor.value
        } else if cursor.name.equals("sum") {
          sum = cursor.value
        } else if cursor.name.equals("unit") {
          unit = cursor.value
        }
      case .end: break reading
      case .broken: return nil
      }
    }
    guard cursor.place - start <= maximumTagBytes else { return nil }
    if type.starts(with: "HKQuantityTypeIdentifierDistance") {
      if let distance = amount(sum, unit, .distance) { openWorkout?.distance = distance }
    } else if type.equals("HKQuantityTypeIdentifierActiveEnergyBurned") {
      if let energy = amount(sum, unit, .energy) { openWorkout?.energy = energy }
    }
    begin(.other, isEmpty: cursor.isEmptyElement, isChild: false)
    return cursor.place
  }

  /// A number in the unit that a dimension is told in; nil if there is none or no such unit.
  mutating func amount(
    _ text: RawText, _ unit: RawText, _ dimension: Dimension
  ) -> Double? {
    guard let number = number(text) else { return nil }
    return dimension.convert(number, from: units.unit(unit))
  }
}

/// What is converted while scanning: the figures of workouts and of Apple's own days.
enum Dimension {
  /// In seconds.
  case duration
  /// In metres.
  case distance
  /// In kilocalories.
  case energy

  func convert(_ number: Double, from unit: SampleUnit) -> Double? {
    switch (self, unit) {
    case (.duration, .second), (.distance, .metre), (.energy, .kilocalorie),
      (.energy, .largeCalorie):
      number
    case (.duration, .minute): number * 60
    case (.duration, .hour): number * 3600
    case (.distance, .kilometre): number * 1000
    case (.distance, .centimetre): number / 100
    case (.distance, .mile): number * 1609.344
    case (.distance, .yard): number * 0.9144
    case (.distance, .foot): number * 0.3048
    case (.distance, .inch): number * 0.0254
    case (.energy, .smallCalorie): number / 1000
    case (.energy, .kilojoule): number / 4.184
    default: nil
    }
  }
}
