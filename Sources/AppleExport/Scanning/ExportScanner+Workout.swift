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
    var cursor = TagCursor(attributes, to: limit)
    var fields = Fields()
    reading: while true {
      switch cursor.next() {
      case .attribute: fields.set(cursor.name, cursor.value)
      case .end: break reading
      case .broken: return nil
      }
    }
    guard cursor.place - start <= maximumTagBytes else { return nil }
    begin(.workout, isEmpty: cursor.isEmptyElement, isChild: true)
    releaseHeld()
    if let workout = workout(fields) {
      if cursor.isEmptyElement {
        findings.append(.workout(workout))
      } else {
        openWorkout = workout
      }
    }
    return cursor.place
  }

  private mutating func workout(_ fields: Fields) -> ExportWorkout? {
    guard let start = date(fields.startDate) else {
      skip(.date, text: fields.startDate)
      return nil
    }
    guard let end = date(fields.endDate) else {
      skip(.date, text: fields.endDate)
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
      duration: amount(fields.duration, fields.durationUnit, .duration),
      distance: amount(fields.distance, fields.distanceUnit, .distance),
      energy: amount(fields.energy, fields.energyUnit, .energy))
  }
}
