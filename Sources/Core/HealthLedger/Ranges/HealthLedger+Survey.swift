package import HealthModel
import ObjectStore

extension HealthLedger {
  /// The revisions of each of some dates, by one request per thousand objects (R34).
  ///
  /// - Returns: nil if there are too many for one listing, or something may hide some. Then each
  ///   date has to be listed by itself.
  package func revisions(
    of dates: ClosedRange<CalendarDate>
  ) async throws(LedgerError) -> [CalendarDate: Set<RevisionID>]? {
    let range = (0...dates.lowerBound.days(until: dates.upperBound))
      .compactMap { dates.lowerBound.adding(days: $0) }
    do throws(StoreError) {
      let days = try await survey(range)
      guard days.count == range.count, days.values.allSatisfy({ $0.obstacle == nil }) else {
        return nil
      }
      return days.mapValues { Set($0.revisions) }
    } catch {
      throw LedgerError(error)
    }
  }

  /// What one listing reports about every date from the first to the last of `dates` (R34).
  ///
  /// It makes one request per thousand objects instead of two per day. Dates without objects are
  /// present with empty knowledge. It only saves requests and never changes an answer. Keys between
  /// days, which only verification needs, are attached to the day before them, or to the day of
  /// whose folder they are a copy.
  func survey(
    _ dates: [CalendarDate], withStrays: Bool = false
  ) async throws(StoreError) -> [CalendarDate: DayKnowledge] {
    guard let first = dates.first, let last = dates.last else { return [:] }
    let following = withStrays ? last.adding(days: 1) : nil
    let end = following ?? last
    var days = Dictionary(uniqueKeysWithValues: dates.map { ($0, DayKnowledge()) })
    var pointerEntries: [CalendarDate: ListEntry] = [:]
    var request = ListRequest(
      prefix: commonPrefix(layout.dayPrefix(first), layout.dayPrefix(end)),
      startAfter: following == nil ? layout.dayPrefix(first) : start(beside: first))
    var listed = 0
    var latest = first
    pages: while true {
      let page: ListPage
      do throws(StoreError) {
        page = try await list(request)
      } catch  where error.concernsOnePlace {
        // Only the days that are there are affected, and their own requests meet the obstacle
        // again.
        return [:]
      }
      listed += page.entries.count
      guard listed <= Self.maximumRevisionsPerDay else {
        // Too much for memory. Without this knowledge, each day is read by its own requests.
        return [:]
      }
      for entry in page.entries {
        let member = layout.member(entry.key)
        // An obstacle never means "there is nothing" (R29).
        if let obstacle = entry.obstacle {
          for date in dates where layout.lies(date, below: entry.key) {
            days[date]?.obstacle = obstacle
          }
        }
        if let date = member?.date, days[date] != nil { latest = date }
        switch member {
        case .revision(let date, _) where date > last, .pointer(let date) where date > last:
          break pages
        case .revision(let date, let id):
          days[date]?.revisions.append(id)
          days[date]?.versions[id] = ObjectVersion(entry)
        case .pointer(let date): pointerEntries[date] = entry
        case .foreign(let date?): days[date]?.foreignKeys.append(entry.key)
        case .foreign(nil):
          guard withStrays else { continue }
          let copy = layout.folderCopy(entry.key)
          if let date = copy?.date, days[date] != nil {
            days[date]?.strayKeys.append(entry.key)
          } else if copy?.isOfDay != true, !isBelow(layout.dayPrefix(first), entry.key),
            isBelow(layout.dayPrefix(end), entry.key)
          {
            days[latest]?.strayKeys.append(entry.key)
          }
        case nil: continue
        }
      }
      guard let next = page.next else { break }
      request.continuation = next
    }
    for (date, entry) in pointerEntries {
      guard var day = days[date] else { continue }
      day.pointer = pointer(of: date, listedAs: entry, greatest: day.revisions.max())
      day.pointerVersion = ObjectVersion(entry)
      days[date] = day
    }
    return days
  }

  /// The pointer's value without reading it, if its etag equals that of a pointer to the greatest
  /// revision: for a content hash, equal etags mean equal bytes (R16). Nil if it must be read.
  private func pointer(
    of date: CalendarDate, listedAs entry: ListEntry, greatest: RevisionID?
  ) -> PointerReading? {
    guard let greatest, let etag = entry.etag else { return nil }
    let value = LatestPointer(date: date, revisionID: greatest)
    guard store.predictedETag(of: value.encoded) == etag else { return nil }
    return .valid(value, etag)
  }

  /// Where to begin so that the copies of the first day's folder are listed as well: `08 2` sorts
  /// before `08/`. It is after everything in the folder of the day before.
  private func start(beside date: CalendarDate) -> String {
    let folder = layout.dayPrefix(date).dropLast()
    let digit = folder.last?.wholeNumberValue ?? 0
    return "\(folder.dropLast())\(digit == 0 ? "/" : "\(digit - 1)")~"
  }

  private func isBelow(_ bound: String, _ key: String) -> Bool {
    key.utf8.lexicographicallyPrecedes(bound.utf8)
  }

  private func commonPrefix(_ a: String, _ b: String) -> String {
    let common = zip(a, b).prefix { $0 == $1 }.map(\.0)
    return String(common)
  }
}
