internal import HealthSamples

/// Workouts.
extension ExportScanner {
  mutating func takeWorkout(from start: Place, attributes: Place, to limit: Place) -> Place? {
    guard let tag = startTag(from: start, attributes: attributes, to: limit) else { return nil }
    begin(.workout, isEmpty: tag.isEmptyElement, isChild: true)
    releaseHeld()
    if let workout = workout(tag) {
      if tag.isEmptyElement {
        findings.append(.workout(workout))
      } else {
        openWorkout = workout
      }
    }
    return tag.end
  }

  private mutating func workout(_ tag: StartTag) -> ExportWorkout? {
    guard let start = moment(tag["startDate"]), let end = moment(tag["endDate"]) else { return nil }
    let type = tag["workoutActivityType"]
    guard type.count > 0, type.count <= ZoneNames.maximumBytes else {
      skip(type.count > 0 ? .tooLarge : .value, text: type)
      return nil
    }
    guard let source = source(tag["sourceName"], tag["device"], nil) else { return nil }
    let activity = AttributeText(type).string
    let prefix = "HKWorkoutActivityType"
    return ExportWorkout(
      activity: activity.hasPrefix(prefix) ? String(activity.dropFirst(prefix.count)) : activity,
      source: source, start: start, end: end,
      duration: amount(tag["duration"], tag["durationUnit"], in: .second),
      distance: amount(tag["totalDistance"], tag["totalDistanceUnit"], in: .metre),
      energy: amount(tag["totalEnergyBurned"], tag["totalEnergyBurnedUnit"], in: .kilocalorie))
  }
}
