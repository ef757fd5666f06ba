internal import HealthModel
internal import HealthSamples

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
