package import HealthLedger
package import HealthModel
import S3Store

/// How a person likes the pages: goals, units and a name above them.
package struct PersonSettings: Sendable {
  /// What to reach in a day, in the units of documents; steps are `step_goal`.
  package private(set) var goals: [DailyMetric: Double] = [:]
  package let units: PersonalUnits
  /// Whether somebody has chosen the units here.
  package let areUnitsGiven: Bool
  package let displayName: String?
  let origins: [SettingOrigin]

  package init(
    goals: Sourced<String>?, units: Sourced<String>?, displayName: Sourced<String>?
  ) throws(LedgerError) {
    guard let chosen = PersonalUnits(units?.value ?? "") else {
      let names = PersonalUnits.choices.map(\.name).joined(separator: ", ")
      throw LedgerError(
        .invalidArguments,
        "\(units?.origin ?? ""): \"\(units?.value.prefix(60) ?? "")\" names a unit that can't be chosen",
        remedy: .text("use some of \(names), with commas between them"))
    }
    (self.units, areUnitsGiven) = (chosen, units != nil)
    self.displayName = displayName.map { String($0.value.prefix(80)) }
    origins = [("goals", goals), ("units", units), ("display_name", displayName)].compactMap {
      name, found in
      found.map { SettingOrigin(name, value: $0.value, origin: $0.origin) }
    }
    do throws(InvalidText) {
      self.goals = try PersonalGoals(goals?.value ?? "").numbers
    } catch {
      throw LedgerError(
        .invalidArguments, "\(goals?.origin ?? ""): \(error.message)",
        remedy: "write goals as exercise_minutes=30, stand_hours=12, by the keys of metrics")
    }
  }
}
