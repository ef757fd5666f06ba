import HealthCollector
package import HealthLedger
package import HealthModel
import HealthSources
import HealthStreams
import ObjectStore

/// Makes the days again that are asked for and those that markers name, then deletes the markers:
/// carries out what `SweepMachine` decides (R49).
package struct MarkerSweep: Sendable {
  private let deriver: DayDeriver
  private let today: CalendarDate
  private let now: @Sendable () -> Timestamp
  private let isDryRun: Bool
  /// The run by which all that a sweep says can be undone.
  package let runID: RunID

  /// - Parameters:
  ///   - today: days after it are not derived yet.
  ///   - now: this machine's clock.
  package init(
    _ deriver: DayDeriver, today: CalendarDate,
    now: @escaping @Sendable () -> Timestamp, isDryRun: Bool = false
  ) {
    (self.deriver, self.today, self.now, self.isDryRun) = (deriver, today, now, isDryRun)
    runID = RunID(at: now())
  }

  /// What a sweep did beside the days.
  package struct Result: Hashable, Sendable {
    /// Markers that are gone.
    package var deleted = 0
    /// Markers that stay: younger than 20 minutes, or of days that are not settled.
    package var kept = 0
    /// Objects among the markers that are not markers.
    package var unreadable: [String] = []
  }

  /// - Parameter each: takes each day as soon as it is done, the oldest first.
  /// - Throws: `LedgerError` if the markers can't be listed or read. Failures of days go to `each`.
  package func run(
    _ dates: Set<CalendarDate>,
    each: (CalendarDate, Swift.Result<DayDeriver.Result, LedgerError>) throws(LedgerError) -> Void
  ) async throws(LedgerError) -> Result {
    var machine = SweepMachine(dates: dates)
    var result = Result()
    // The dates of markers depend on them. If they change during the sweep, the next one looks again.
    let zones = try await deriver.readZones()
    var listed: [String: ListedMarker] = [:]
    var (survey, wantsSurvey): (StreamSurvey?, Bool) = (nil, true)
    var action = machine.start()
    while true {
      switch action {
      case .listMarkers:
        action = machine.handle(.markers(try await markers(in: zones, &listed, &result)))
      case .recompute(let date):
        // After the markers were listed, so that it shows every batch whose marker may be deleted.
        if wantsSurvey, survey?.dates.contains(date) != true {
          let dates = [date] + machine.rest.reversed()
          survey = await deriver.survey(of: dates)
          wantsSurvey = survey != nil || StreamSurvey.range(of: dates) == nil
        }
        action = machine.handle(
          .recomputed(isSettled: try await recompute(date, in: zones, after: survey, each)))
      case .deleteMarker(let key):
        if !isDryRun, let marker = listed[key] {
          do throws(StreamError) { try await deriver.streams.delete(marker) } catch {
            throw LedgerError(error)
          }
        }
        action = machine.handle(.deletedMarker)
      case .finish(let deleted, let kept):
        (result.deleted, result.kept) = (deleted, kept)
        return result
      }
    }
  }

  private func recompute(
    _ date: CalendarDate, in zones: ReportingZones, after survey: StreamSurvey?,
    _ each: (CalendarDate, Swift.Result<DayDeriver.Result, LedgerError>) throws(LedgerError) -> Void
  ) async throws(LedgerError) -> Bool {
    do throws(LedgerError) {
      // The night of a day can begin before the day does; then the marker waits. But a day that was derived
      // before had begun in another zone, and its numbers may now belong to another date.
      if date > today, try await deriver.readBasis(date) == nil { return false }
      let found = try await deriver.recompute(date, after: survey, run: runID)
      try each(date, .success(found))
      return found.isSettled && found.zones == zones
    } catch {
      try each(date, .failure(error))
      return false
    }
  }

  private func markers(
    in zones: ReportingZones, _ listed: inout [String: ListedMarker], _ result: inout Result
  ) async throws(LedgerError) -> [SweepMachine.Marker] {
    let offset = await deriver.streams.store.clockOffset() ?? 0
    let storeNow = now().adding(seconds: offset).secondsSince1970
    var pending: [(ListedMarker, PendingMarker)] = []
    do throws(StreamError) {
      let listing = try await deriver.streams.markers()
      result.unreadable = listing.foreign.map(\.key)
      for marker in listing.markers {
        switch try await deriver.streams.read(marker) {
        case nil: continue
        case .failure: result.unreadable.append(marker.key.rawValue)
        case .success(let read): pending.append((marker, read))
        }
      }
    } catch {
      throw LedgerError(error)
    }
    return try pending.map { (marker, read) throws(LedgerError) in
      listed[marker.key.rawValue] = marker
      // If the store's clock is not known, the writer's is used.
      let stored = marker.lastModified ?? read.receivedAt.secondsSince1970
      return SweepMachine.Marker(
        key: marker.key.rawValue, dates: try dates(of: read, in: zones),
        isOld: storeNow - stored > SweepMachine.minimumAge)
    }
  }

  private func dates(
    of marker: PendingMarker, in zones: ReportingZones
  ) throws(LedgerError) -> Set<CalendarDate> {
    var dates: Set<CalendarDate> = []
    do throws(ReportingDay.Failure) {
      for span in marker.spans {
        dates.formUnion(
          try TouchedDates.dates(
            from: span.lowerBound, to: span.upperBound, receivedAt: marker.receivedAt
          ) { (moment) throws(ReportingDay.Failure) in try zones.date(at: moment) })
      }
    } catch {
      throw LedgerError(error)
    }
    return dates
  }
}
