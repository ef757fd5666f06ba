import HealthCollector
import HealthLedger
package import HealthModel
import HealthStreams

/// One listing of several days, instead of one for each (R49).
package struct StreamSurvey: Sendable {
  package let dates: ClosedRange<CalendarDate>
  /// The zones of the store's days, as they were before anything was listed.
  let zones: StoredZones
  /// By the UTC date in their key, in the order of the listing.
  private let batches: [CalendarDate: [ListedBatch]]
  let payloads: ReferenceListing
  let revisions: [CalendarDate: Set<RevisionID>]

  /// The most dates of a survey, so that its memory stays bounded.
  private static let longest = 31

  /// The most days between two dates of one survey. Days in between are listed for nothing.
  private static let widestGap = 3

  /// The first of some ascending dates and those that soon follow it; nil if no other follows.
  static func range(of dates: [CalendarDate]) -> ClosedRange<CalendarDate>? {
    guard let first = dates.first else { return nil }
    var last = first
    for date in dates.dropFirst() {
      guard last.days(until: date) <= widestGap, first.days(until: date) < longest else { break }
      last = date
    }
    return first < last ? first...last : nil
  }

  /// Lists some days. Nil if there are foreign objects, or something may be hidden: only a listing of
  /// each day shows which days that affects.
  ///
  /// Like a recompute, it lists the batches and payloads before the revisions.
  init?(
    of dates: ClosedRange<CalendarDate>, _ zones: StoredZones, _ streams: StreamStore,
    _ ledger: HealthLedger
  ) async throws(LedgerError) {
    let first = TouchedDates.filed(for: dates.lowerBound).lowerBound
    let filed = first...TouchedDates.filed(for: dates.upperBound).upperBound
    do throws(StreamError) {
      let found = try await streams.batches(of: .healthKit, on: filed)
      guard found.foreign.isEmpty else { return nil }
      batches = Dictionary(grouping: found.batches, by: \.place.date)
      payloads = try await streams.references(touching: dates)
    } catch {
      throw LedgerError(error)
    }
    guard payloads.foreign.isEmpty, let revisions = try await ledger.revisions(of: dates)
    else { return nil }
    (self.dates, self.zones, self.revisions) = (dates, zones, revisions)
  }

  /// The batches of samples that can bear on one of its dates.
  func batches(for date: CalendarDate) -> [ListedBatch] {
    let filed = TouchedDates.filed(for: date)
    return (0...filed.lowerBound.days(until: filed.upperBound))
      .compactMap { filed.lowerBound.adding(days: $0) }.flatMap { batches[$0] ?? [] }
  }
}
