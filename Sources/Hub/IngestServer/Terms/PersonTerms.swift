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
      do throws(ReportingZones.Failure) {
        terms.zones = try ReportingZones(parsing: text)
      } catch {
        throw Self.refusal(
          "timezone", LedgerError(error).message,
          "use an IANA name such as Europe/Berlin, and after it NAME@YYYY-MM-DD for each move")
      }
      terms.isZoneSet = true
    }
    if let text = choices[.goals] {
      do throws(InvalidText) {
        terms.goals.merge(try PersonalGoals(text).numbers) { $1 }
      } catch {
        throw Self.refusal(
          "goals", error.message,
          "write goals as exercise_minutes=30, stand_hours=12, by the keys of metrics")
      }
    }
    if let text = choices[.units] {
      guard let units = PersonalUnits(text) else {
        let names = PersonalUnits.choices.map(\.name).joined(separator: ", ")
        throw Self.refusal(
          "units", "\"\(text.prefix(60))\" names a unit that can't be chosen",
          "use some of \(names), with commas between them")
      }
      terms.units = units
    }
    return terms
  }

  private static func refusal(_ name: String, _ message: String, _ remedy: String) -> LedgerError {
    LedgerError(.invalidArguments, "\(name): \(message)", rule: "R64", remedy: .text(remedy))
  }
}
