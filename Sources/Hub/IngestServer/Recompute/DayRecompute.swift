import HealthCollector
package import HealthLedger
package import HealthModel
import HealthStreams
package import ObjectStore
package import StreamDays
import Synchronization

/// Makes the days again that batches touch, one at a time, and sweeps old markers: carries out what
/// `DayQueue` decides (R49, R54).
package final class DayRecompute: Sendable {
  /// What became of a day or a sweep, for the log and the counters.
  package enum Event: Sendable {
    case day(CalendarDate, Result<DayDeriver.Result, LedgerError>, milliseconds: Int)
    case sweep(Result<MarkerSweep.Result, LedgerError>)
    /// What was done with the zones of the store's days when the server started or the person's changed.
    case zones(ZoneDecision)
  }

  let deriver: DayDeriver
  private let terms: TermsCache
  private let now: @Sendable () -> Timestamp
  private let report: @Sendable (Event) -> Void
  /// Shared with the days of other people, if there are any (R65).
  private let places: WorkPlaces?
  private let queue = Mutex(DayQueue())
  private let elapsed = ElapsedTime()
  private let signal = WakeSignal()
  /// The person's zones at the last decision about the store's.
  private let settled = Mutex<StoredZones?>(nil)
  /// Whether to sweep before anything else.
  private let sweepsNow = Mutex(false)
  /// The last date that began with a batch, and the day before it while that may have to be made again.
  private let begun = Mutex<(date: CalendarDate?, before: CalendarDate?)>((nil, nil))

  /// How long one recompute may take, in seconds: its creates must not arrive long after (R54).
  static let maximumSeconds = 60

  /// - Parameters:
  ///   - terms: say in which zone the person's days are. They are read before each day and sweep.
  ///   - now: this machine's clock.
  ///   - places: how many days and sweeps of all people are worked on at a time.
  package init(
    _ deriver: DayDeriver, terms: TermsCache, places: WorkPlaces? = nil,
    now: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (Event) -> Void
  ) {
    (self.deriver, self.terms, self.places, self.now) = (deriver, terms, places, now)
    self.report = report
  }

  package var count: Int { queue.withLock(\.count) }

  /// Entries of these moments are stored. Returns at once; the days follow.
  ///
  /// - Parameter markers: the markers of the batch, which go when its days are settled; none where
  ///   whoever made them keeps them.
  package func touched(
    _ spans: [ClosedRange<Timestamp>], markers: [ObjectKey] = [], receivedAt: Timestamp
  ) {
    // Until the terms are read, the dates are unknown. The sweep will find the markers.
    guard terms.known != nil else { return sweepNow() }
    let moment = elapsed.seconds
    // New zones are read while a day is made, and then all markers are left to a sweep. Under this lock,
    // dates in the old zones are added before that.
    let isAdded = queue.withLock { queue in
      let zones = deriver.knownZones
      var dates: Set<CalendarDate> = []
      for span in spans {
        let found = try? TouchedDates.dates(
          from: span.lowerBound, to: span.upperBound, receivedAt: receivedAt
        ) { (moment) throws(ReportingDay.Failure) in try zones.date(at: moment) }
        dates.formUnion(found ?? [])
      }
      guard !dates.isEmpty, let today = try? zones.date(at: now()) else { return false }
      queue.add(dates, markers: markers.map(\.rawValue), today: today, at: moment)
      begun.withLock {
        if dates.contains(today), $0.date != today { $0 = (today, today.adding(days: -1)) }
      }
      return true
    }
    guard isAdded else { return }
    signal.raise()
  }

  /// Makes today and yesterday again, and sweeps, without waiting for the time of the next sweep.
  package func workNow() {
    if terms.known != nil, let today {
      let moment = elapsed.seconds
      queue.withLock {
        $0.add(
          Set([today, today.adding(days: -1) ?? today]), markers: [], today: today, at: moment)
      }
    }
    sweepNow()
  }

  private func sweepNow() {
    sweepsNow.withLock { $0 = true }
    signal.raise()
  }

  /// Works until it is cancelled, from a first sweep on.
  package func run() async {
    var sweeps = SweepSchedule(at: elapsed.seconds)
    while !Task.isCancelled {
      let sweepsNow = sweepsNow.withLock { isAsked in
        defer { isAsked = false }
        return isAsked
      }
      if sweepsNow || elapsed.seconds >= sweeps.next {
        let isDone = await sweep()
        sweeps.swept(isDone: isDone, at: elapsed.seconds)
      }
      await completeDayBefore()
      let moment = elapsed.seconds
      switch queue.withLock({ $0.next(at: moment) }) {
      case .recompute(let date): await recompute(date)
      case .wait(let until): await signal.wait(seconds: min(until, sweeps.next) - moment)
      case .idle:
        deriver.rest()
        await signal.wait(seconds: sweeps.next - moment)
      }
    }
  }

  /// Makes the day before a date again that has begun with a batch, where all that is known of its numbers came
  /// before its end: what was received since shows that they are whole (R33).
  func completeDayBefore() async {
    guard let date = begun.withLock(\.before) else { return }
    guard let resolution = try? await deriver.ledger.resolve(date) else { return }
    begun.withLock { if $0.before == date { $0.before = nil } }
    guard let latest = resolution.latest, !PartialNumbers(latest.revision).isEmpty, let today
    else { return }
    let moment = elapsed.seconds
    queue.withLock { $0.add([date], markers: [], today: today, at: moment) }
  }

  /// Makes the days that wait, without waiting for more batches; those that are left when the time is
  /// over keep their markers.
  package func finish(seconds: Int) async {
    _ = await TimeLimit.run(seconds) { [self] in
      // What fails again and again keeps its markers.
      var attempts: [CalendarDate: Int] = [:]
      while !Task.isCancelled,
        case .recompute(let date) = queue.withLock({ $0.next(at: .greatestFiniteMagnitude) }),
        attempts[date, default: 0] < 2
      {
        attempts[date, default: 0] += 1
        await recompute(date)
      }
    }
  }

  /// Checks the zones of the store's days when the server starts and after the person's change.
  private func settleZones() async throws(LedgerError) {
    let own = deriver.ownZones
    let before = settled.withLock(\.self)
    guard before != own else { return }
    let decision = try await deriver.decideZones(mayChange: true, isChange: before != nil)
    settled.withLock { $0 = own }
    report(.zones(decision))
  }

  private var today: CalendarDate? { try? deriver.knownZones.date(at: now()) }

  /// Nil also if the task was cancelled while it waited.
  private func place() async -> WorkPlaces.Held? { await places?.enter("") }

  private func recompute(_ date: CalendarDate) async {
    // What covers the recompute is asked for once it begins.
    let place = await place()
    defer { withExtendedLifetime(place) {} }
    let start = elapsed.seconds
    let (deriver, terms, zones) = (deriver, terms, deriver.knownZones)
    let isCovered = queue.withLock { $0.isCovered(at: start) }
    let late = LedgerError(
      .storageUnavailable, "the day was not made within \(Self.maximumSeconds) seconds",
      rule: "R49")
    let found: Result<DayDeriver.Result, LedgerError>
    do throws(LedgerError) {
      found = .success(
        try await TimeLimit.run(Self.maximumSeconds, orThrow: late) {
          [self] () async throws(LedgerError) in
          try await terms.current()
          try await settleZones()
          return try await deriver.recompute(date, isCovered: isCovered)
        })
    } catch {
      found = .failure(error)
    }
    let ending = DayQueue.Ending(found)
    if deriver.knownZones != zones {
      // In the new zones, the waiting markers may name other dates.
      queue.withLock { $0.leaveMarkers() }
      sweepsNow.withLock { $0 = true }
    }
    let moment = elapsed.seconds
    if ending != .settled, Task.isCancelled {
      // The server ends. `finish` makes the day, or its markers stay.
      queue.withLock { $0.interrupted(at: moment) }
      return
    }
    for marker in queue.withLock({ $0.done(ending, at: moment) }) {
      // A marker that stays costs a sweep, no more.
      if let key = ObjectKey(marker) { try? await deriver.streams.deleteMarker(key) }
    }
    report(.day(date, found, milliseconds: Int((elapsed.seconds - start) * 1000)))
  }

  /// Makes the days again that markers name, and deletes the old ones.
  ///
  /// - Returns: whether the markers could be listed.
  private func sweep() async -> Bool {
    let place = await place()
    defer { withExtendedLifetime(place) {} }
    do throws(LedgerError) {
      try await terms.current()
      try await settleZones()
      guard let today else { return true }
      let sweep = MarkerSweep(deriver, today: today, now: now)
      let result = try await sweep.run([]) { [report] date, result in
        report(.day(date, result, milliseconds: 0))
      }
      report(.sweep(.success(result)))
      return true
    } catch {
      // The server ends: that is not a failure of the store.
      if !Task.isCancelled { report(.sweep(.failure(error))) }
      return false
    }
  }
}

extension DayQueue.Ending {
  /// What became of a recompute.
  init(_ result: Result<DayDeriver.Result, LedgerError>) {
    guard case .success(let day) = result else {
      self = .failed
      return
    }
    self =
      switch day.outcome {
      case _ where day.isSettled: .settled
      case _ where day.followFailure != nil: .behindTables
      case .unsettled(let wrote) where !wrote.isEmpty: .overtaken
      default: .failed
      }
  }
}

/// When markers are swept again (R49). Pure.
struct SweepSchedule: Hashable, Sendable {
  /// How long to wait between two sweeps, in seconds.
  static let pause = 300.0
  /// The same after one that failed: markers of a server that ended wait for it.
  static let retryPause = 30.0

  /// Seconds since any fixed moment.
  private(set) var next: Double

  /// The first sweep is due at once.
  init(at now: Double) { next = now }

  /// A sweep has ended.
  ///
  /// - Parameter isDone: whether the markers could be listed.
  mutating func swept(isDone: Bool, at now: Double) {
    next = now + (isDone ? Self.pause : Self.retryPause)
  }
}
