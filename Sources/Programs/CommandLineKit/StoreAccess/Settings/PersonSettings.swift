import AWSCredentials
package import HealthLedger
package import HealthModel

/// How a person likes the pages: goals and units.
package struct PersonSettings: Sendable {
  /// What to reach in a day, in the units of documents; steps are `step_goal`.
  package private(set) var goals: [DailyMetric: Double] = [:]
  package let units: PersonalUnits
  /// Whether somebody has chosen the units here.
  package let areUnitsGiven: Bool

  /// Throws if one of the values of `--goals` and `--units` can't be used.
  package static func check(goals: String?, units: String?) throws(LedgerError) {
    _ = try Self(
      goals: goals.map { Sourced($0, by: "--goals") },
      units: units.map { Sourced($0, by: "--units") })
  }

  init(goals: Sourced?, units: Sourced?) throws(LedgerError) {
    guard let chosen = PersonalUnits(units?.value ?? "") else {
      let names = PersonalUnits.choices.map(\.name).joined(separator: ", ")
      throw LedgerError(
        .invalidArguments,
        "\(units?.origin ?? ""): \"\(units?.value.prefix(60) ?? "")\" names a unit that can't be chosen",
        remedy: .text("use some of \(names), with commas between them"))
    }
    (self.units, areUnitsGiven) = (chosen, units != nil)
    do throws(InvalidText) {
      self.goals = try PersonalGoals(goals?.value ?? "").numbers
    } catch {
      throw LedgerError(
        .invalidArguments, "\(goals?.origin ?? ""): \(error.message)",
        remedy: "write goals as exercise_minutes=30, stand_hours=12, by the keys of metrics")
    }
  }
}
