internal import HealthModel

/// Reads the members of one row after another and collects what is wrong with them.
struct RowReader {
  var calendar: ZoneCalendar
  var problems: ProblemList
  /// Rows whose number is null.
  private(set) var emptyRows = 0
  /// Which payload the rows are of.
  var capture = 0

  init(calendar: ZoneCalendar, problems: ProblemList) {
    (self.calendar, self.problems) = (calendar, problems)
  }

  /// A row of a quantity; nil for one that is wrong, or has no number.
  mutating func quantity(
    _ row: JSONValue, at place: RowPlace, factor: Double, takesAverage: Bool
  ) -> QuantityRow? {
    guard let start = begin(of: row, at: place) else { return nil }
    let end = date(row, "endDate", or: "end", at: place)
    let name = row["qty"] == nil && takesAverage && row["Avg"] != nil ? "Avg" : "qty"
    guard let value = row[name] else {
      problems.add(place.pointer(), "the row has no 'qty'", remedy: "export it again as JSON")
      return nil
    }
    if value == .null {
      emptyRows += 1
      return nil
    }
    guard let number = number(value, at: place, name) else { return nil }
    guard let moment = self.moment(of: start, at: place) else { return nil }
    var last: Int?
    if let end {
      guard let given = self.moment(of: end, at: place), isInterval(moment, given, at: place)
      else { return nil }
      last = given
    }
    return QuantityRow(
      start: moment, end: last, writtenDate: start.date, isMidnight: start.secondsOfDay == 0,
      quantity: number * factor, source: SourcePriority(row["source"]?.stringValue ?? ""),
      capture: capture)
  }

  /// When the row begins: `startDate`, `start` or `date`.
  mutating func begin(of row: JSONValue, at place: RowPlace) -> ExportedDate? {
    guard row.objectValue != nil else {
      problems.add(place.pointer(), "the row is not an object", remedy: "export it again as JSON")
      return nil
    }
    let before = problems.count
    if let start = date(row, "startDate", or: "start", at: place) { return start }
    if let date = date(row, "date", or: "date", at: place) { return date }
    if problems.count == before {
      problems.add(place.pointer(), "the row has no date", remedy: "export it again as JSON")
    }
    return nil
  }

  /// The date in one of two members; nil, without a problem, where both are absent or null.
  mutating func date(
    _ row: JSONValue, _ name: String, or other: String, at place: RowPlace
  ) -> ExportedDate? {
    let used = row[name] == nil ? other : name
    guard let value = row[used], value != .null else { return nil }
    if let text = value.stringValue, let date = ExportedDate(text) { return date }
    problems.add(
      place.pointer(used),
      value.stringValue.map { "'\($0.prefix(40))' is not a date" } ?? "the date is not a string",
      remedy: "write it as 2024-06-10 08:00:00 +0200")
    return nil
  }

  /// A number of 0 or more; -0 becomes 0.
  mutating func number(_ value: JSONValue, at place: RowPlace, _ name: String) -> Double? {
    let what: String
    switch value {
    case .number(let number) where number < 0: what = "\(number) is negative"
    case .number(let number) where number > QuantitySample.greatestQuantity:
      what = "\(number) is more than a day can hold"
    case .number(let number): return number + 0
    case .string: what = "a string, not a number"
    default: what = "not a number"
    }
    problems.add(place.pointer(name), what, remedy: "give a number of 0 or more, or null")
    return nil
  }

  /// A number, or nil where the member is absent or null.
  mutating func optionalNumber(_ row: JSONValue, at place: RowPlace, _ name: String) -> Double? {
    guard let value = row[name], value != .null else { return nil }
    return number(value, at: place, name)
  }

  /// False, with a problem, for an interval that ends before it begins, or is absurdly long.
  mutating func isInterval(_ start: Int, _ end: Int, at place: RowPlace) -> Bool {
    if start <= end, end - start <= QuantitySample.longestStretch { return true }
    problems.add(
      place.pointer(),
      end < start ? "the row ends before it begins" : "the row spans more than 31 days",
      remedy: "correct its dates")
    return false
  }

  /// Seconds since 1970; a date alone begins at the start of its day in the reporting zone.
  mutating func moment(of date: ExportedDate, at place: RowPlace) -> Int? {
    if let moment = date.moment { return moment }
    do {
      return try calendar.day(date.date).start
    } catch {
      problems.add(
        place.pointer(),
        "\(date.date) does not exist in the time zone \(calendar.zones.name(on: date.date))",
        remedy: "correct the date, or the time zone")
      return nil
    }
  }
}
