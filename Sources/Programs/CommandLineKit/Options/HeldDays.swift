package import HealthLedger
package import HealthModel

// What a store holds, where a command asks for all of it, or finds nothing of what it was asked for.

extension OpenedStore {
  /// Reads. Where that finds nothing, the error says which days there are instead.
  package func read<Output>(
    _ settings: Settings, _ work: (HealthLedger) async throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    do throws(LedgerError) {
      return try await run(work)
    } catch  where error.code == .dataNotFound {
      guard let held = try await held(settings) else { throw error }
      var error = error
      error.details.append(.init("the store has \(held.words)"))
      throw error
    }
  }

  /// Says which days there are instead, where no date of a range has a revision.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND if there are none.
  package func sayHeldDays(
    outside range: DateRange, _ settings: Settings
  ) async throws(LedgerError) {
    guard let held = try await held(settings),
      held.upperBound < range.from || held.lowerBound > range.to
    else { return }
    StandardStreams.remark(
      "s3health: no data from \(range.from) to \(range.to); the store has \(held.lowerBound) to "
        + "\(held.upperBound)")
  }

  /// From the first to the last day that the store holds; nil if that can't be known. It lists the
  /// store, so it is for where nothing was found.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND if there is none: an empty store, a misspelt name or a person
  ///   who does not exist must not look like days that are missing.
  package func held(
    _ settings: Settings
  ) async throws(LedgerError) -> ClosedRange<CalendarDate>? {
    do throws(LedgerError) {
      return try await run { ledger async throws(LedgerError) in try await ledger.heldDates() }
    } catch  where error.code == .dataNotFound {
      try await checkPersonExists(settings)
      throw error
    } catch {
      return nil
    }
  }

  /// Throws if the settings name a person who does not exist.
  private func checkPersonExists(_ settings: Settings) async throws(LedgerError) {
    guard let id = settings.store.personID else { return }
    let exists = try await run { ledger async throws(LedgerError) in
      try await ledger.holdsAnything()
    }
    let person = "/people/\(id)"
    if !exists {
      throw .unknownPerson(
        id, in: name.hasSuffix(person) ? String(name.dropLast(person.count)) : name)
    }
  }
}

extension LedgerError {
  /// Nobody has this id. A typing error creates no person and shows no missing days (R64).
  ///
  /// - Parameter storeName: the store that the people share.
  package static func unknownPerson(_ id: PersonID, in storeName: String) -> LedgerError {
    LedgerError(
      .dataNotFound, "unknown person \(id) in \(storeName)", rule: "R64",
      remedy: .text(
        "check the id: `s3health people ls` lists who there is, and `s3health people add \(id)` "
          + "adds a person"))
  }
}

extension HealthLedger {
  /// From the first to the last day in the store.
  ///
  /// - Parameter end: the last date to look at; nil for all.
  /// - Throws: `LedgerError` DATA_NOT_FOUND if the store has none.
  package func heldDates(
    upTo end: CalendarDate? = nil
  ) async throws(LedgerError) -> ClosedRange<CalendarDate> {
    let holdings = try await holdings(to: end)
    if let extent = holdings.extent { return extent }
    var error = nothingHeld(upTo: end)
    if holdings.foreignObjects > 0 {
      error.details.append(
        .init("objects there that don't belong to the ledger: \(holdings.foreignObjects.grouped)"))
    }
    throw error
  }

  /// All days in the store, the oldest first: one range, unless a stray date makes that one very long.
  /// Then the widest gaps are left out, and a remark names them.
  ///
  /// - Parameter end: the last date to include if the store's last is earlier.
  /// - Throws: `LedgerError` DATA_NOT_FOUND if the store has none.
  package func heldRanges(
    upTo end: CalendarDate? = nil
  ) async throws(LedgerError) -> [DateRange] {
    var ranges: [DateRange] = []
    for piece in try await holdings().pieces(upTo: end, atMost: DateRange.mostDays) {
      let range = try DateRange(
        from: piece.lowerBound, to: piece.upperBound, maximumDays: DateRange.mostDays)
      if let last = ranges.last, let from = last.to.adding(days: 1),
        let to = range.from.adding(days: -1)
      {
        StandardStreams.remark(
          "note: \(from.extent(to: to, days: from.days(until: to) + 1)) left out: no day is held "
            + "between \(last.to) and \(range.from)")
      }
      ranges.append(range)
    }
    if ranges.isEmpty { throw nothingHeld() }
    return ranges
  }

  /// The newest day in the store, but for dates that no zone has reached yet: they are mistyped.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND if the store has none.
  package func newestDay(around today: CalendarDate) async throws(LedgerError) -> CalendarDate {
    let tomorrow = today.adding(days: 1) ?? today
    // Most stores have one of the last month, which one request finds.
    for from in [today.adding(days: -31), nil] {
      let runs = try await holdings(from: from).runs
      let begun = runs.last { $0.first <= tomorrow }.map { min($0.last, tomorrow) }
      if let newest = begun ?? (from == nil ? runs.last?.last : nil) { return newest }
    }
    throw nothingHeld()
  }

  /// A range without the dates before the first in the store; of a range before it, that day.
  package func sinceFirst(_ range: DateRange) async throws(LedgerError) -> DateRange {
    guard let first = try await firstHeld(), range.from < first else { return range }
    return try DateRange(
      from: first, to: max(first, range.to), maximumDays: DateRange.mostDays)
  }

  package func nothingHeld(upTo end: CalendarDate? = nil) -> LedgerError {
    LedgerError(
      .dataNotFound, "the store holds no days \(end.map { "up to \($0)" } ?? "yet")",
      key: layout.dataPrefix,
      remedy: end == nil
        ? "publish one: s3health put --input FILE, or s3health import export.zip"
        : "look at what it has: s3health ls")
  }
}

extension ClosedRange<CalendarDate> {
  /// For people.
  fileprivate var words: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)"
  }
}
