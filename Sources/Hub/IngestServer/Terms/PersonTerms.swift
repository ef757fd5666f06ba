package import HealthLedger
package import HealthModel
package import HealthSources

/// The zone, goals and units that apply to a person (R65): their own settings, or else the server's. Pure.
package struct PersonTerms: Hashable, Sendable {
  package private(set) var zones: ReportingZones
  /// Whether somebody has set the zone.
  package private(set) var isZoneSet: Bool
  /// What to reach in a day, in the units of documents.
  package private(set) var goals: [DailyMetric: Double]
  package private(set) var units: PersonalUnits

  package init(
    zones: ReportingZones, isZoneSet: Bool, goals: [DailyMetric: Double], units: PersonalUnits
  ) {
    (self.zones, self.isZoneSet) = (zones, isZoneSet)
    (self.goals, self.units) = (goals, units)
  }

  /// These terms with a person's own settings in their place.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a value that can't be used. Then nothing may be made
  ///   for the person.
  package func with(_ choices: PersonChoices) throws(LedgerError) -> PersonTerms {
    var terms = self
    if let text = choices[.timezone] {
      do throws(LedgerError) {
        terms.zones = try ReportingZones(parsing: text)
      } catch {
        throw PersonChoices.refusal(
          .timezone, error.message,
          "use an IANA name such as Europe/Berlin, and after it NAME@YYYY-MM-DD for each move")
      }
      terms.isZoneSet = true
    }
    if let goals = try choices.chosenGoals { terms.goals.merge(goals) { $1 } }
    if let units = try choices.chosenUnits { terms.units = units }
    return terms
  }
}
