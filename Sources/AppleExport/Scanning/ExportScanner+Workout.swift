/// Workouts.
extension ExportScanner {
  private struct Fields {
    var activity = RawText.absent
    var (duration, durationUnit) = (RawText.absent, RawText.absent)
    var (distance, distanceUnit) = (RawText.absent, RawText.absent)
    var (energy, energyUnit) = (RawText.absent, RawText.absent)
    var (sourceName, device) = (RawText.absent, RawText.absent)
    var (startDate, endDate) = (RawText.absent, RawText.absent)

    mutating func set(_ name: RawText, _ value: RawText) {
      if name.equals("workoutActivityType") { activity = value }
      if name.equals("duration") { duration = value }
      if name.equals("durationUnit") { durationUnit = value }
      if name.equals("totalDistance") { distance = value }
      if name.equals("totalDistanceUnit") { distanceUnit = value }
      if name.equals("totalEnergyBurned") { energy = value }
      if name.equals("totalEnergyBurnedUnit") { energyUnit = value }
      if name.equals("sourceName") { sourceName = value }
      if name.equals("device") { device = value }
      if name.equals("startDate") { startDate = value }
      if name.equals("endDate") { endDate = value }
    }
  }

  mutating func takeWorkout(from start: Place, attributes: Place, to limit: Place) -> Place? {
    var fields = Fields()
    let tag = walk(start, from: attributes, to: limit) { fields.set($0, $1) }
    guard let tag else { return nil }
    begin(.workout, isEmpty: tag.isEmptyElement, isChild: true)
    releaseHeld()
    if let workout = workout(fields) {
      if tag.isEmptyElement {
        findings.append(.workout(workout))
      } else {
        openWorkout = workout
      }
    }
    return tag.place
  }

  private mutating func workout(_ fields: Fields) -> ExportWorkout? {
    guard let start = moment(fields.startDate), let end = moment(fields.endDate) else {
      return nil
    }
    guard fields.activity.count > 0, fields.activity.count <= ZoneNames.maximumBytes else {
      skip(fields.activity.count > 0 ? .tooLarge : .value, text: fields.activity)
      return nil
    }
    guard let source = source(fields.sourceName, fields.device, nil) else { return nil }
    let activity = AttributeText(fields.activity).string
    let prefix = "HKWorkoutActivityType"
    return ExportWorkout(
      activity: activity.hasPrefix(prefix) ? String(activity.dropFirst(prefix.count)) : activity,
      source: source, start: start, end: end,
      duration: amount(fields.duration, fields.durationUnit, in: .second),
      distance: amount(fields.distance, fields.distanceUnit, in: .metre),
      energy: amount(fields.energy, fields.energyUnit, in: .kilocalorie))
  }
}
