import HealthLedger
import HealthModel
import HealthSamples
import HealthSources
import StoreAccess

/// What a corrected time zone changes beside the days that a source has now (R19).
///
/// In the wrong zone, this collector put moments on a date that now belong to the next one or the one
/// before. The source says nothing of the old date any more, so the day would keep its number, and
/// it would stand on two dates. So the source is counted again in the zone of then: what is equal
/// was its own, and is taken away where it was.
struct ZoneCorrection {
  /// The zones of the days now.
  let zones: ReportingZones
  /// The first and last date that may be published, where they were given.
  let from: CalendarDate?
  let to: CalendarDate?
  /// The source's days as drafts in another zone; nil if it can't be read again.
  let recount: ((_ timeZoneName: String) throws(LedgerError) -> [DayDraft])?

  /// What is published instead of drafts that were held back.
  struct Corrected {
    /// First dates that the source has nothing of: while the others are as they were, a run that is
    /// interrupted is made up for by the next one.
    var drafts: [DayDraft] = []
    /// For people.
    var notes: [String] = []
  }

  /// - Parameters:
  ///   - heldBack: the drafts, each with the stored revision that it corrects.
  ///   - all: the dates of all drafts.
  func corrected(
    _ heldBack: [(draft: DayDraft, stored: DailyRevision)], among all: Set<CalendarDate>,
    in opened: OpenedStore
  ) async throws(LedgerError) -> Corrected {
    guard let recount, let model = heldBack.first?.draft else {
      return Corrected(drafts: heldBack.map(\.draft), notes: notReadAgain(heldBack.map(\.stored)))
    }
    let neighbours = try await neighbours(
      of: heldBack.map(\.draft.day.date), notIn: all, like: model, in: opened)
    let pairs = neighbours + heldBack
    var counted: [String: [CalendarDate: DayDraft]] = [:]
    for zone in Set(pairs.map(\.stored.day.timeZoneName)) {
      counted[zone] = Dictionary(
        try drafts(in: zone, recount).map { ($0.day.date, $0) }, uniquingKeysWith: { $1 })
    }
    var corrected = Corrected()
    for (index, (draft, stored)) in pairs.enumerated() {
      let zone = stored.day.timeZoneName
      let left = counted[zone]?[draft.day.date].map { draft.leftBehind(in: stored, by: $0) } ?? []
      if left.isEmpty, index < neighbours.count { continue }
      corrected.drafts.append(draft.without(left))
      guard !left.isEmpty else { continue }
      corrected.notes.append(
        "\(draft.day.date): \(left.map(\.rawValue).joined(separator: ", ")) of this source stood here "
          + "while its days were those of \(zone), and no longer")
    }
    return corrected
  }

  private func drafts(
    in zone: String, _ recount: (String) throws(LedgerError) -> [DayDraft]
  ) throws(LedgerError) -> [DayDraft] {
    do throws(LedgerError) {
      return try recount(zone)
    } catch {
      // In that zone all is on dates that nobody has asked for.
      guard error.code == .dataNotFound else { throw error }
      return []
    }
  }

  /// The days beside the corrected ones that the source has nothing of now.
  private func neighbours(
    of dates: [CalendarDate], notIn all: Set<CalendarDate>, like model: DayDraft,
    in opened: OpenedStore
  ) async throws(LedgerError) -> [(draft: DayDraft, stored: DailyRevision)] {
    let beside = Set(
      dates.flatMap { [$0.adding(days: -1), $0.adding(days: 1)].compactMap(\.self) }
    )
    .subtracting(all).filter { date in
      from.map { $0 <= date } ?? true && to.map { date <= $0 } ?? true
    }
    .sorted()
    var found: [(draft: DayDraft, stored: DailyRevision)] = []
    try await opened.run { ledger async throws(LedgerError) in
      for date in beside {
        // A date that the zone skipped has no day.
        guard let day = try? zones.day(date),
          let stored = try await ledger.resolve(date).latest?.revision
        else { continue }
        var draft = model
        (draft.day, draft.readings, draft.further) = (day, [:], [:])
        (draft.covers, draft.unknownMembers) = (.metrics([]), [:])
        if draft.corrects(stored) { found.append((draft, stored)) }
      }
    }
    return found
  }

  private func notReadAgain(_ stored: [DailyRevision]) -> [String] {
    guard let first = stored.first else { return [] }
    return [
      "\(first.day.date) was published in \(first.day.timeZoneName) before. A source on stdin can't "
        + "be read again, so its numbers may stand on two dates: give the file by its name"
    ]
  }
}
