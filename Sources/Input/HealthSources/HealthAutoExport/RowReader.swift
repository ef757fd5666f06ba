import HealthModel

/// Reads the members of one row after another and collects what is wrong with them.
struct RowReader {
  var calendar: ZoneCalendar
  var problems: ProblemList
  /// Rows whose number is null.
  var emptyRows = 0
  /// Which payload the rows are of.
  var capture = 0
  var sources = RowSources()
  /// The offsets that its dates were written with.
  var offsets = WrittenOffsets()
  /// The dates of the row that is being read, as far as they can be read.
  private(set) var rowDates: [ExportedDate] = []
  /// How many dates have Buddhist years.
  var buddhistDates = 0
  /// An app exports whole days of the phone.
  var moments = InputMoments()
  /// Rows mostly follow one another: the midnight of the last one, as it is written, and its day.
  private var lastDay: (midnight: Int, day: Range<Int>)?
  /// When the payloads were written.
  var writeTimes = WriteTimes()

  init(calendar: ZoneCalendar, problems: ProblemList) {
    (self.calendar, self.problems) = (calendar, problems)
  }

  mutating func beginRow() { rowDates.removeAll(keepingCapacity: true) }

  /// A row of a quantity; nil for one that is wrong, or has no number.
  mutating func quantity(
    _ row: JSONValue, at place: RowPlace, scale: RowScale, or parts: [RowPart] = []
  ) -> QuantityRow? {
    guard let (start, end) = times(of: row, at: place) else { return nil }
    guard let value = row["qty"] else {
      let names = (["qty"] + parts.map(\.member)).map { "'\($0)'" }.joined(separator: " or ")
      problems.add(place.pointer(), "the row has no \(names)", remedy: "export it again as JSON")
      return nil
    }
    if value == .null {
      emptyRows += 1
      return nil
    }
    guard let number = number(value, at: place, "qty", scale) else { return nil }
    return quantityRow(row, start, end, number, at: place)
  }

  /// The rows of one aggregate, each with its part; one of `qty` where there is no aggregate.
  ///
  /// - Parameter parts: those that are wanted.
  mutating func parts(
    _ parts: [RowPart], of row: JSONValue, at place: RowPlace, scale: RowScale
  ) -> [(part: RowPart, row: QuantityRow)] {
    guard parts.contains(where: { row[$0.member] != nil }) else {
      return quantity(row, at: place, scale: scale, or: parts).map { [(.whole, $0)] } ?? []
    }
    guard let (start, end) = times(of: row, at: place) else { return [] }
    var rows: [(part: RowPart, row: QuantityRow)] = []
    let before = problems.count
    for part in parts {
      guard let value = row[part.member], value != .null,
        let number = number(value, at: place, part.member, scale)
      else { continue }
      guard let row = quantityRow(row, start, end, number, at: place) else { return [] }
      rows.append((part, row))
    }
    if rows.isEmpty, problems.count == before { emptyRows += 1 }
    return rows
  }

  /// A pair of pressures: one without the other says nothing.
  mutating func pair(
    _ row: JSONValue, at place: RowPlace, scale: RowScale
  ) -> QuantityRow? {
    guard let (start, end) = times(of: row, at: place) else { return nil }
    let (systolic, diastolic) = (row["systolic"] ?? .null, row["diastolic"] ?? .null)
    switch (systolic, diastolic) {
    case (.null, .null):
      emptyRows += 1
      return nil
    case (.null, _), (_, .null):
      let isSystolic = diastolic == .null
      problems.add(
        place.pointer(), isSystolic ? "systolic without diastolic" : "diastolic without systolic",
        remedy: "give both")
      return nil
    default: break
    }
    guard let first = number(systolic, at: place, "systolic", scale),
      let second = number(diastolic, at: place, "diastolic", scale),
      var pair = quantityRow(row, start, end, first, at: place)
    else { return nil }
    pair.second = second
    return pair
  }

  /// A row that says how long something took: by `qty`, else from its start to its end.
  mutating func duration(
    _ row: JSONValue, at place: RowPlace, scale: RowScale
  ) -> QuantityRow? {
    if let value = row["qty"], value != .null {
      return quantity(row, at: place, scale: scale)
    }
    guard let (start, end) = times(of: row, at: place) else { return nil }
    guard let end else {
      emptyRows += 1
      return nil
    }
    guard var timed = quantityRow(row, start, end, 0, at: place) else { return nil }
    timed.quantity = Double((timed.end ?? timed.start) - timed.start) / 60
    return timed
  }

  private mutating func quantityRow(
    _ row: JSONValue, _ start: ExportedDate, _ end: ExportedDate?, _ number: Double,
    at place: RowPlace
  ) -> QuantityRow? {
    guard let moment = self.moment(of: start, at: place) else { return nil }
    var last: Int?
    if let end {
      guard let given = self.moment(of: end, at: place), isInterval(moment, given, at: place)
      else { return nil }
      last = given
    }
    return QuantityRow(
      start: moment, end: last, written: start, quantity: number,
      source: sources.number(of: row["source"]?.stringValue ?? ""), capture: capture)
  }

  private mutating func number(
    _ value: JSONValue, at place: RowPlace, _ name: String, _ scale: RowScale
  ) -> Double? {
    guard let number = number(value, at: place, name) else { return nil }
    let counted = scale.counted(number)
    guard counted >= 0, counted <= QuantitySample.greatestQuantity else {
      problems.add(
        place.pointer(name), "\(number) is out of range", remedy: "correct the number or its unit")
      return nil
    }
    return counted
  }

  /// When the row begins, and when it ends: `startDate`, `start` or `date`; `endDate` or `end`, if any.
  ///
  /// - Parameter others: members that stand for its beginning where it has none of these, of a row of a night.
  mutating func times(
    of row: JSONValue, at place: RowPlace, or others: [String] = []
  ) -> (start: ExportedDate, end: ExportedDate?)? {
    guard row.objectValue != nil else {
      problems.add(place.pointer(), "the row is not an object", remedy: "export it again as JSON")
      return nil
    }
    let before = problems.count
    var start = date(row, "startDate", or: "start", at: place)
    for name in ["date"] + others where start == nil {
      start = date(row, name, or: name, at: place)
    }
    if let start {
      let end = date(row, "endDate", or: "end", at: place)
      noteDay(of: start, to: end, isNight: !others.isEmpty)
      return (start, end)
    }
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
    do throws(ExportedDate.Fault) {
      guard let text = value.stringValue else { throw .noText }
      let date = try ExportedDate.read(text)
      note(date)
      rowDates.append(date)
      writeTimes.see(date)
      return date
    } catch {
      problems.add(
        place.pointer(used), error.words(of: value.stringValue ?? ""),
        remedy: "write it as 2024-06-10 08:00:00 +0200")
      return nil
    }
  }

  /// Notes how a date was written.
  mutating func note(_ date: ExportedDate) {
    date.note(in: &offsets)
    if date.isBuddhist { buddhistDates += 1 }
  }

  /// What people should know of the dates; nil where they are as usual.
  var dateRemark: String? {
    guard buddhistDates > 0 else { return nil }
    let were = buddhistDates == 1 ? "1 date was" : "\(buddhistDates) dates were"
    return "\(were) written in Buddhist years, and read \(ExportedDate.buddhistShift) years earlier"
  }

  /// How many rows have no number; nil where all have one.
  var emptyRemark: String? {
    guard emptyRows > 0 else { return nil }
    return "\(emptyRows == 1 ? "1 row has" : "\(emptyRows) rows have") no number (null)"
  }

  /// The days of an input are those on which its rows begin: a night that lasts past midnight does not say
  /// that the input has the next day. And an app that exports the days from a midnight on has what reaches
  /// over that midnight, too, and nothing else of the day before.
  private mutating func noteDay(of start: ExportedDate, to end: ExportedDate?, isNight: Bool) {
    guard let day = day(of: start) else { return }
    let isOver = end?.moment.map { $0 > day.upperBound } ?? false
    moments.add((isOver ? start.moment ?? day.lowerBound : day.lowerBound)..<day.upperBound)
    if !isNight { writeTimes.note(isOver ? end?.date ?? start.date : start.date) }
  }

  /// The phone's day: that of the reporting zone, unless the row shows that the phone was elsewhere.
  private mutating func day(of date: ExportedDate) -> Range<Int>? {
    guard let moment = date.moment else { return try? calendar.day(date.date).range }
    let midnight = moment - date.secondsOfDay
    if let last = lastDay, last.midnight == midnight, last.day.contains(moment) { return last.day }
    guard let own = try? calendar.day(at: moment) else { return nil }
    let local = own.day.local(Timestamp(secondsSince1970: moment))
    let isElsewhere = !date.isUTC && local.offsetSeconds != date.offset
    let day = isElsewhere ? midnight..<midnight + 86_400 : own.range
    lastDay = (midnight, day)
    return day
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

/// Turns a row's number into the unit in which its kind is counted.
struct RowScale {
  let kind: SampleKind
  /// The unit as the payload spells it.
  let spelling: String?
  /// Nil where nobody can convert it: numbers stay as they are, and are not used.
  let unit: PayloadUnit?

  /// A scale for a unit as a payload spells it.
  init(_ kind: SampleKind, _ spelling: String?) {
    (self.kind, self.spelling) = (kind, spelling)
    unit = spelling.flatMap(PayloadUnit.init).flatMap { $0.counted(1, as: kind) == nil ? nil : $0 }
  }

  /// That of a row: its own unit, where it names one, comes before that of all rows.
  func own(of row: JSONValue) -> RowScale {
    guard let own = row["units"]?.stringValue, own != spelling else { return self }
    return RowScale(kind, own)
  }

  func counted(_ number: Double) -> Double { unit?.counted(number, as: kind) ?? number }
}

/// For each date, when the payloads with rows of it were written (R19). Pure.
///
/// A payload does not say when it was made, but that was before its file was written.
struct WriteTimes {
  /// The newest of these times; nil if one of them is not known.
  private var moments: [CalendarDate: Timestamp?] = [:]
  private var dates: Set<CalendarDate> = []
  /// Rows mostly follow one another.
  private var last: CalendarDate?
  private var newest = Int.min

  /// When the newest payload with a row of the date was written; nil if that is not known. A row may lie on
  /// the date beside the one that is written in it.
  func moment(of date: CalendarDate) -> Timestamp? {
    Self.around(date).lazy.compactMap { moments[$0] }.first ?? nil
  }

  /// Records a date in a row of the payload that is being read.
  mutating func see(_ date: ExportedDate) { newest = max(newest, date.moment ?? .min) }

  /// Records that the payload that is being read has a row of a date.
  mutating func note(_ date: CalendarDate) {
    guard date != last else { return }
    last = date
    dates.insert(date)
  }

  /// Takes what a payload that was written at a moment has of a date and of those beside it.
  mutating func take(_ later: WriteTimes, writtenAt moment: Timestamp, on date: CalendarDate) {
    for date in Self.around(date) where later.moments[date] != nil {
      moments[date] = .some(max(moments[date].flatMap(\.self) ?? moment, moment))
    }
  }

  private static func around(_ date: CalendarDate) -> [CalendarDate] {
    [date, date.adding(days: -1), date.adding(days: 1)].compactMap(\.self)
  }

  /// Ends a payload.
  ///
  /// - Parameter moment: when its file was written; nil if that is not known.
  mutating func end(at moment: Timestamp?) {
    // If the file seems to be older than its rows, its time was lost when it was copied.
    let written = moment.flatMap { $0.secondsSince1970 < newest ? nil : $0 }
    for date in dates {
      switch (moments[date], written) {
      case (nil, _), (_, nil): moments[date] = .some(written)
      case (let known?, let written?): moments[date] = known.map { max($0, written) }
      }
    }
    (dates, last, newest) = ([], nil, .min)
  }
}
