import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources

/// What a corrected time zone changes beside the days that a source has now (R19).
///
/// In the wrong zone, this collector put moments on a date that now belong to the next one or the one
/// before. The source no longer mentions the old date, so the day would keep its number, and
/// it would stand on two dates. So the source is counted again in the zone of then: what is equal
/// was its own, and is taken away where it was.
struct ZoneCorrection {
  /// The zones of the days now.
  let zones: ReportingZones
  /// The first and last date that may be published, where they were given.
  let from: CalendarDate?
  let to: CalendarDate?
  /// The days that the source has and this run leaves out, such as the day of an export.
  var leftOut: [ImportSpan.LeftOut] = []
  /// The source's days as drafts in another zone; nil for an export from a pipe, which can't be read
  /// again.
  let recount: ((_ timeZoneName: String) throws(LedgerError) -> [DayDraft])?

  /// A draft with the stored revision that it corrects.
  typealias Correction = (draft: DayDraft, stored: DailyRevision)

  /// What is published beside, or instead of, what the source has.
  struct Corrected {
    var drafts: [DayDraft] = []
    var notes: [String] = []
    /// Why the days beside the source's could not be looked at.
    var failure: LedgerError?

    /// For people.
    var allNotes: [String] {
      notes
        + (failure.map {
          [
            "the days beside those of the source could not be looked at; if their zone was wrong "
              + "before, a number may stand on two dates: \($0.message)"
          ]
        } ?? [])
    }
  }

  /// The drafts of days that take numbers away, from those beside the source's days, or of those that
  /// were held back.
  func corrected(_ corrections: [Correction]) throws(LedgerError) -> Corrected {
    guard !corrections.isEmpty else { return Corrected() }
    var corrected = Corrected()
    var counted: [String: [CalendarDate: DayDraft]] = [:]
    for (zone, days) in Dictionary(grouping: corrections, by: \.stored.day.timeZoneName) {
      if let recount, days.contains(where: { isKnown(zone, on: $0.stored.date) }) {
        counted[zone] = Dictionary(
          try drafts(in: zone, recount).map { ($0.day.date, $0) }, uniquingKeysWith: { $1 })
      } else {
        corrected.notes.append(notCounted(days.map(\.stored.date), in: zone))
      }
    }
    for (draft, stored) in corrections {
      let zone = stored.day.timeZoneName
      let left = counted[zone]?[draft.day.date].map { draft.leftBehind(in: stored, by: $0) } ?? []
      // A day beside the source's that has nothing of it.
      if left.isEmpty, draft.covers == .metrics([]) { continue }
      corrected.drafts.append(draft.without(left))
      guard !left.isEmpty else { continue }
      corrected.notes.append(
        "\(draft.day.date): \(left.map(\.rawValue).joined(separator: ", ")): counted here in \(zone) "
          + "before; this source has them on other dates now")
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

  /// The days of the store beside those that the source has, if this collector counted them in
  /// another zone. They are published before the source's own days: a run that is interrupted
  /// finds them again.
  func beside(_ drafts: [DayDraft], in opened: OpenedStore) async throws(LedgerError)
    -> [Correction]
  {
    guard let model = drafts.first else { return [] }
    let own = Set(drafts.map(\.day.date))
    let dates = Set(own.flatMap { [$0.adding(days: -1), $0.adding(days: 1)].compactMap(\.self) })
      .subtracting(own)
      .filter { date in from.map { $0 <= date } ?? true && to.map { date <= $0 } ?? true }
      .filter { date in
        !leftOut.contains { $0.daysWithData > 0 && ($0.from...$0.to).contains(date) }
      }
    guard !dates.isEmpty else { return [] }
    var found: [Correction] = []
    try await opened.run { ledger async throws(LedgerError) in
      try await ledger.resolve(dates.sorted()) { resolution async throws(LedgerError) in
        // A date that the zone skipped has no day.
        guard let stored = resolution.latest?.revision, let day = try? zones.day(resolution.date)
        else { return }
        var draft = model
        (draft.day, draft.readings) = (day, [:])
        (draft.covers, draft.unknownMembers) = (.metrics([]), [:])
        // This draft only takes numbers away, so data from any source that knows the day is newer.
        if !draft.keepsNewer { draft.capturedAt = min(draft.capturedAt, day.start.timestamp) }
        if draft.corrects(stored) { found.append((draft, stored)) }
      }
    }
    return found
  }

  /// Whether this machine's time zone database has the zone.
  private func isKnown(_ zone: String, on date: CalendarDate) -> Bool {
    (try? ReportingDay(date: date, timeZoneName: zone)) != nil
  }

  private func notCounted(_ dates: [CalendarDate], in zone: String) -> String {
    let days = dates.count == 1 ? "" : " and \(dates.count - 1) more"
    let why =
      recount == nil
      ? "an export from a pipe can't be read again: give the file by its name"
      : "this machine's time zone database has no such zone"
    return "\(dates.min().map { "\($0)" } ?? "")\(days): published in \(zone) before; numbers may "
      + "stand on two dates, because \(why)"
  }
}
