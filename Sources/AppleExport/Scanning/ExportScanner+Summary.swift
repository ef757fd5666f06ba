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
    begin(.other, isEmpty: cursor.isEmptyElement, isChild: true)
    releaseHeld()
    if Self.isDate(fields.date) {
      findings.append(.summary(summary(fields)))
    } else {
      skip(.date, text: fields.date)
    }
    return cursor.place
  }

  private mutating func summary(_ fields: Fields) -> ActivitySummary {
    ActivitySummary(
      date: String(decoding: fields.date.bytes, as: UTF8.self),
      activeEnergy: amount(fields.energy, fields.energyUnit, .energy),
      activeEnergyGoal: amount(fields.energyGoal, fields.energyUnit, .energy),
      exerciseMinutes: number(fields.exercise), moveMinutes: number(fields.move),
      standHours: number(fields.stand))
  }

  /// Whether a text is `YYYY-MM-DD` and such a day exists.
  private static func isDate(_ text: RawText) -> Bool {
    guard text.count == 10, text.bytes[4] == UInt8(ascii: "-"), text.bytes[7] == UInt8(ascii: "-")
    else { return false }
    func number(_ range: Range<Int>) -> Int64? {
      range.reduce(0) { number, index in
        let digit = text.bytes[index] &- 0x30
        return digit <= 9 ? number.map { $0 * 10 + Int64(digit) } : nil
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return false
    }
    return DateReading.days(year: year, month: month, day: day) != nil
  }
}
