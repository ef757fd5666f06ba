import HealthLedger
package import HealthModel
import S3Store

/// How a person likes the pages: goals, units and a name above them.
package struct PersonSettings: Sendable {
  /// What to reach in a day, in the units of documents; steps are `step_goal`.
  package private(set) var goals: [DailyMetric: Double] = [:]
  package let units: PersonalUnits
  package let displayName: String?
  let origins: [SettingOrigin]

  init(
    goals: Sourced<String>?, units: Sourced<String>?, displayName: Sourced<String>?
  ) throws(SettingsError) {
    guard let chosen = PersonalUnits(units?.value ?? "") else {
      let names = PersonalUnits.choices.map(\.name).joined(separator: ", ")
      throw SettingsError(
        "\(units?.origin ?? ""): \"\(units?.value.prefix(60) ?? "")\" names a unit that can't be chosen",
        remedy: .text("use some of \(names), with commas between them"))
    }
    self.units = chosen
    self.displayName = displayName.map { String($0.value.prefix(80)) }
    origins = [("goals", goals), ("units", units), ("display_name", displayName)].compactMap {
      name, found in
      found.map { SettingOrigin(name, value: $0.value, origin: $0.origin) }
    }
    for part in (goals?.value ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map(\.trimmed)
      guard pair.count == 2, let metric = DailyMetric.named(pair[0]), let number = Double(pair[1]),
        number > 0, metric.plausible.contains(number)
      else {
        throw SettingsError(
          "\(goals?.origin ?? ""): \"\(part.trimmed.prefix(60))\" is not a goal",
          remedy: "write goals as exercise_minutes=30, stand_hours=12, by the keys of metrics")
      }
      self.goals[metric] = number
    }
  }
}
