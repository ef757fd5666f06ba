package import HealthModel

extension PersonChoices {
  /// The daily goals, in the units of documents; nil if none were set.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a value that can't be used.
  package var chosenGoals: [DailyMetric: Double]? {
    get throws(LedgerError) {
      guard let text = self[.goals] else { return nil }
      do throws(InvalidText) {
        return try PersonalGoals(text).numbers
      } catch {
        throw Self.refusal(
          .goals, error.message,
          "write goals as exercise_minutes=30, stand_hours=12, by the keys of metrics")
      }
    }
  }

  /// The units for pages; nil if none were set.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a value that can't be used.
  package var chosenUnits: PersonalUnits? {
    get throws(LedgerError) {
      guard let text = self[.units] else { return nil }
      guard let units = PersonalUnits(text) else {
        let names = PersonalUnits.choices.map(\.name).joined(separator: ", ")
        throw Self.refusal(
          .units, "\"\(text.prefix(60))\" names a unit that can't be chosen",
          "use some of \(names), with commas between them")
      }
      return units
    }
  }

  /// The error for an invalid value. No day may then be made for the person.
  package static func refusal(_ name: Name, _ message: String, _ remedy: String) -> LedgerError {
    LedgerError(
      .invalidArguments, "\(name.rawValue): \(message)", rule: "R64", remedy: .text(remedy))
  }
}
