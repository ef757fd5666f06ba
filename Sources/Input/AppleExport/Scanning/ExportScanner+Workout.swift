internal import HealthModel

/// Workouts.
extension ExportScanner {
  mutating func takeWorkout(from start: Place, attributes: Place, to limit: Place) -> Place? {
    guard let tag = startTag(from: start, attributes: attributes, to: limit) else { return nil }
    begin(.workout, isEmpty: tag.isEmptyElement, isChild: true)
    releaseHeld()
    countOther(RawText(start + 1, to: attributes))
    if let workout = workout(tag) {
      if tag.isEmptyElement {
        findings.append(.workout(workout.closed))
      } else {
        openWorkout = workout
      }
    }
    return tag.end
  }

  private mutating func workout(_ tag: StartTag) -> OpenWorkout? {
    guard let start = moment(tag["startDate"]), let end = moment(tag["endDate"]) else { return nil }
    let type = tag["workoutActivityType"]
    guard type.count > 0, let name = activities.name(type) else {
      skip(type.count > 0 ? .tooLarge : .value, text: type)
      return nil
    }
    guard let source = source(tag["sourceName"], tag["device"], nil) else { return nil }
    var workout = OpenWorkout(ExportWorkout(type: name, source: source, start: start, end: end))
    // Exports before iOS 16 have the totals here, later ones in the statistics.
    workout.addDuration(figure(tag["duration"], tag["durationUnit"], in: .second))
    workout.add(figure(tag["totalDistance"], tag["totalDistanceUnit"], in: .metre), as: .distance)
    workout.add(
      figure(tag["totalEnergyBurned"], tag["totalEnergyBurnedUnit"], in: .kilocalorie),
      as: .totalEnergy)
    return workout
  }

  /// A workout's sums, means and extremes by type.
  mutating func takeStatistics(from start: Place, attributes: Place, to limit: Place) -> Place? {
    guard let tag = startTag(from: start, attributes: attributes, to: limit) else { return nil }
    if elements.child == .workout, var workout = openWorkout {
      openWorkout = nil
      addStatistics(tag, to: &workout)
      openWorkout = workout
    }
    begin(.other, isEmpty: tag.isEmptyElement, isChild: false)
    return tag.end
  }

  private mutating func addStatistics(_ tag: StartTag, to workout: inout OpenWorkout) {
    let identifier = tag["type"]
    guard identifier.starts(with: "HKQuantityTypeIdentifier"),
      identifier.count <= ZoneNames.maximumBytes
    else { return }
    let (type, unit) = (identifier.dropping(24), tag["unit"])
    if type.equals("HeartRate") {
      workout.add(figure(tag["average"], unit, in: .countPerMinute), as: .averageHeartRate)
      workout.add(figure(tag["maximum"], unit, in: .countPerMinute), as: .maximumHeartRate)
    } else if type.equals("StepCount") {
      workout.add(figure(tag["sum"], unit, in: .count), as: .steps)
    } else if type.equals("SwimmingStrokeCount") {
      workout.add(figure(tag["sum"], unit, in: .count), as: .swimmingStrokes)
    } else if type.equals("ActiveEnergyBurned") {
      workout.add(figure(tag["sum"], unit, in: .kilocalorie), as: .activeEnergy)
    } else if type.equals("BasalEnergyBurned") {
      workout.addBasalEnergy(figure(tag["sum"], unit, in: .kilocalorie))
    } else if type.starts(with: "Distance") {
      workout.addDistance(
        figure(tag["sum"], unit, in: .metre), type: AttributeText(type).string)
    } else if type.ends(with: "Speed") {
      workout.addSpeed(
        average: figure(tag["average"], unit, in: .kilometrePerHour),
        maximum: figure(tag["maximum"], unit, in: .kilometrePerHour),
        type: AttributeText(type).string)
    }
  }

  /// What a workout's metadata say of it, such as `HKElevationAscended` of `12345 cm`.
  mutating func addMetadata(_ key: RawText, _ value: RawText, to workout: inout OpenWorkout) {
    if key.equals("HKElevationAscended") {
      workout.add(quantity(value, in: .metre), as: .elevationAscended)
    } else if key.equals("HKElevationDescended") {
      workout.add(quantity(value, in: .metre), as: .elevationDescended)
    } else if key.equals("HKAverageSpeed") {
      workout.add(quantity(value, in: .kilometrePerHour), as: .averageSpeed)
    } else if key.equals("HKMaximumSpeed") {
      workout.add(quantity(value, in: .kilometrePerHour), as: .maximumSpeed)
    }
  }

  /// Where a workout was paused.
  mutating func takeEvent(from start: Place, attributes: Place, to limit: Place) -> Place? {
    guard let tag = startTag(from: start, attributes: attributes, to: limit) else { return nil }
    if openWorkout != nil, elements.child == .workout {
      let type = tag["type"]
      let isPause =
        type.equals("HKWorkoutEventTypePause") || type.equals("HKWorkoutEventTypeMotionPaused")
      let isResume =
        type.equals("HKWorkoutEventTypeResume") || type.equals("HKWorkoutEventTypeMotionResumed")
      if isPause || isResume, let moment = moment(tag["date"]) {
        openWorkout?.addPause(at: moment, isPause: isPause)
      }
    }
    begin(.other, isEmpty: tag.isEmptyElement, isChild: false)
    return tag.end
  }

  /// A number of a workout in a unit as one of another.
  private mutating func figure(
    _ text: RawText, _ unit: RawText, in other: SampleUnit
  ) -> OpenWorkout.Number {
    guard text.count > 0 else { return .absent }
    guard let number = number(text), number >= 0 else { return .invalid }
    return units.unit(unit).convert(number, to: other).map { .value($0) } ?? .unknownUnit
  }

  /// A number and its unit, parted by a blank.
  private mutating func quantity(_ text: RawText, in other: SampleUnit) -> OpenWorkout.Number {
    guard text.count > 0 else { return .absent }
    guard let blank = text.bytes.firstIndex(of: 0x20) else { return .invalid }
    return figure(
      RawText(start: text.start, count: blank), text.dropping(blank + 1), in: other)
  }
}
