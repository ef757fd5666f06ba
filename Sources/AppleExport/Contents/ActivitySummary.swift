/// Apple's own figures of a day, by the device's calendar: a check on ours.
package struct ActivitySummary: Hashable, Sendable {
  /// `YYYY-MM-DD` as written.
  package var date: String
  /// Kilocalories; nil where not told or in an unknown unit.
  package var activeEnergy: Double?
  /// 0 where nothing was worn.
  package var activeEnergyGoal: Double?
  package var exerciseMinutes: Double?
  package var moveMinutes: Double?
  package var standHours: Double?

  package init(
    date: String, activeEnergy: Double? = nil, activeEnergyGoal: Double? = nil,
    exerciseMinutes: Double? = nil, moveMinutes: Double? = nil, standHours: Double? = nil
  ) {
    (self.date, self.activeEnergy, self.activeEnergyGoal) = (date, activeEnergy, activeEnergyGoal)
    (self.exerciseMinutes, self.moveMinutes) = (exerciseMinutes, moveMinutes)
    self.standHours = standHours
  }
}
