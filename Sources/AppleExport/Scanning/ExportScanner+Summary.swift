internal import HealthModel

/// Apple's own figures of a day.
extension ExportScanner {
  private struct Fields {
    var date = RawText.absent
    var (energy, energyGoal, energyUnit) = (RawText.absent, RawText.absent, RawText.absent)
    var (exercise, move, stand) = (RawText.absent, RawText.absent, RawText.absent)

    mutating func set(_ name: RawText, _ value: RawText) {
      if name.equals("dateComponents") { date = value }
      if name.equals("activeEnergyBurned") { energy = value }
      if name.equals("activeEnergyBurnedGoal") { energyGoal = value }
      if name.equals("activeEnergyBurnedUnit") { energyUnit = value }
      if name.equals("appleExerciseTime") { exercise = value }
      if name.equals("appleMoveTime") { move = value }
      if name.equals("appleStandHours") { stand = value }
    }
  }

  mutating func takeSummary(from start: Place, attributes: Place, to limit: Place) -> Place? {
    var fields = Fields()
    let tag = walk(start, from: attributes, to: limit) { fields.set($0, $1) }
    guard let tag else { return nil }
    begin(.other, isEmpty: tag.isEmptyElement, isChild: true)
    releaseHeld()
    let date = String(decoding: fields.date.bytes.prefix(11), as: UTF8.self)
    if CalendarDate(date) != nil {
      findings.append(.summary(summary(of: date, fields)))
    } else {
      skip(.date, text: fields.date)
    }
    return tag.place
  }

  private mutating func summary(of date: String, _ fields: Fields) -> ActivitySummary {
    ActivitySummary(
      date: date,
      activeEnergy: amount(fields.energy, fields.energyUnit, in: .kilocalorie),
      activeEnergyGoal: amount(fields.energyGoal, fields.energyUnit, in: .kilocalorie),
      exerciseMinutes: number(fields.exercise), moveMinutes: number(fields.move),
      standHours: number(fields.stand))
  }
}
