import CommandLineKit
import Foundation
import HealthExports
import HealthLedger
import HealthModel
import HealthReport
import HealthSources
import IngestServer
import StreamDays
import Synchronization

extension OpenedStore {
  /// About how many bytes of memory batches and days may take between recomputes.
  static let cacheBytes = 24 << 20
  /// How many revisions one recompute may store. A day that changes meanwhile is made again after a
  /// pause.
  private static let passes = 2

  /// Makes this installation the one that derives, in a folder that a service synchronises (R49).
  func claim(_ settings: Settings) async throws(LedgerError) {
    guard backend == .icloudDrive else { return }
    let collector = try CollectorIdentity.loadOrCreate(
      in: .init(filePath: settings.store.directories.data))
    try await NamedDeriver.claim(try streams, by: collector)
  }

  /// What makes the days again that batches touch (R49).
  ///
  /// - Parameter person: whose store it is; nil for the store without people.
  func recompute(
    _ terms: TermsCache, _ counters: HubCounters, _ dashboard: Dashboard,
    _ tables: (any RecordTables)?, _ cache: DayCache, of person: PersonID? = nil,
    places: WorkPlaces? = nil, _ push: HubPush? = nil
  ) throws(LedgerError) -> DayRecompute {
    let streams = try streams
    let whose = person.map { " person=\($0)" } ?? ""
    @Sendable func log(_ line: String) {
      StandardStreams.remark("\(LedgerEnvironment.system.now()) \(line)\(whose)")
    }
    let rows = tables.map { tables in
      PublishedRows(ledger, tables) { rows in
        counters.addRows(isStored: rows.isStored, waiting: rows.waiting, of: person)
        if let line = rows.line { log(line) }
      }
    }
    let deriver = DayDeriver(
      ledger: ledger, streams: streams, zonesNow: { terms.zones }, cache: cache,
      maximumPasses: Self.passes,
      follow: rows?.store)
    let zoneNotes = ZoneNotes(counters, of: person)
    return DayRecompute(
      deriver, terms: terms, places: places,
      now: LedgerEnvironment.system.now,
      report: { event in
        dashboard.note(event)
        switch event {
        case .day(let date, .success(let day), let milliseconds):
          let outcome = DayOutcome(day)
          counters.addDay(outcome.rawValue)
          if let line = zoneNotes.line(date, day) { log(line) }
          if outcome == .published, let push,
            let today = try? terms.zones.zones.date(at: LedgerEnvironment.system.now())
          {
            push.published(date, today: today)
          }
          if outcome.isLogged { log("day \(date) \(outcome.rawValue) ms=\(milliseconds)") }
        case .day(let date, .failure(let error), _):
          counters.addDay(DayOutcome.failed.rawValue)
          log("day \(date) failed: \(error.message)")
        case .sweep(.success(let swept)): counters.set(markers: swept.kept, of: person)
        case .sweep(.failure(let error)): log("markers can't be swept: \(error.message)")
        case .zones(let decision):
          if let line = decision.words(of: person?.rawValue) { log(line) }
        }
      })
  }
}

extension OpenedStore {
  /// Reads the zones that the store keeps. Who may not read below streams/v0 has none.
  var keptZones: @Sendable () async throws(LedgerError) -> StoredZones? {
    let object = ZonesObject(of: ledger)
    return { () throws(LedgerError) in
      do throws(LedgerError) {
        return try await object?.read()
      } catch {
        guard error.code == .notAuthorized else { throw error }
        return nil
      }
    }
  }

  /// The page that shows the days (R59).
  ///
  /// - Parameter whose: the person whose store it is; nil for the store without people.
  func dashboard(
    _ settings: Settings, _ terms: TermsCache, ended: EndedSessions, of whose: PersonID? = nil
  ) throws(LedgerError) -> Dashboard {
    let pushes = PushFile(settings.store)
    let option = whose.map { " --person \($0)" } ?? ""
    let prefix = whose.map { "\($0)-" } ?? ""
    var pageSettings = DashboardSettings(
      storeName: name,
      commands: StartCommands(
        importing: "s3health import export.zip\(option)",
        app: "s3healthd token add \(prefix)phone\(option) --app",
        url: "--url", collector: "s3healthd token add \(prefix)laptop\(option)",
        settingZone: whose.map { "s3health people set \($0) --timezone" }
          ?? "s3health config set timezone"))
    pageSettings.takesZoneAtOnce = whose != nil
    pageSettings.title =
      whose?.rawValue ?? settings.store[.displayName].map { String($0.value.prefix(80)) }
    return Dashboard(
      ledger, pageSettings, terms: terms, ended: ended,
      now: LedgerEnvironment.system.now,
      pushes: {
        // Only the store's own data is pushed.
        whose == nil ? pushes.load().memory.records.map(DashboardStatus.Push.init) : []
      })
  }
}

extension Settings {
  /// The terms of the store without people, or of people without settings. Configured goals apply only to
  /// the former.
  func terms(forPeople: Bool) throws(LedgerError) -> PersonTerms {
    // Days in a wrong zone would have to be corrected.
    let zones = try zone.usable
    var goals = forPeople ? [:] : store.person.goals
    goals[.steps] = Double((forPeople ? nil : store.stepGoal) ?? Setting.usualSteps)
    return PersonTerms(
      zones: zones, isZoneSet: zone.isGiven, goals: goals, units: store.person.units)
  }
}

extension TermsCache {
  /// The zones of days, as last read, and whether a person has set them.
  fileprivate var zones: StoredZones {
    let terms = known ?? usual
    return StoredZones(terms.zones, isSet: terms.isZoneSet)
  }
}

extension OpenedStore {
  /// The sessions that people have ended, kept in a file of this user's.
  static func endedSessions(_ folder: String) -> EndedSessions {
    let path = folder + "/ended-sessions.json"
    var document: [UInt8]?
    if case .bytes(let bytes) = PrivateFile.contents(
      of: path, maximumBytes: EndedSessions.maximumBytes)
    {
      document = bytes
    }
    return EndedSessions(document) { bytes in
      do throws(LedgerError) {
        try PrivateFile.makeFolder(folder)
        try PrivateFile(path, for: "sessions that were ended").replace(with: bytes)
      } catch {
        StandardStreams.remark("a session that was ended may be taken after a restart: \(error)")
      }
    }
  }
}

extension DashboardStatus.Push {
  fileprivate init(_ record: PushRecord) {
    self.init(
      gateway: record.gateway, instance: record.instance,
      lastSuccess: record.lastSuccess.map { Timestamp(secondsSince1970: $0) },
      failures: record.failures)
  }
}

/// What became of a day that was made again: a label of the counters, and a word of the log.
private enum DayOutcome: String {
  case published, unchanged, nothing, unsettled, failed
  case needsZone = "needs-zone"
  case newerRules = "newer-rules"

  init(_ day: DayDeriver.Result) {
    self =
      switch day.outcome {
      case _ where day.needsZone: .needsZone
      case .nothing, nil: .nothing
      case .settled(_, let wrote): wrote.isEmpty ? .unchanged : .published
      case .newerRules: .newerRules
      case .unsettled(let wrote): wrote.isEmpty ? .unsettled : .published
      }
  }

  /// Whether the log says so each time.
  var isLogged: Bool { ![.unchanged, .nothing, .needsZone].contains(self) }
}

/// The log's notes on payloads that were written in another zone, each once.
private final class ZoneNotes: Sendable {
  private let counters: HubCounters
  private let person: PersonID?
  private let hasToldOfZone = Mutex(false)

  init(_ counters: HubCounters, of person: PersonID?) {
    (self.counters, self.person) = (counters, person)
  }

  /// The line about a day; nil where there is nothing new.
  func line(_ date: CalendarDate, _ day: DayDeriver.Result) -> String? {
    let isNew = counters.set(needsZone: day.needsZone, date, of: person)
    guard let misfit = day.misfit else { return nil }
    guard day.needsZone else {
      let isTold = hasToldOfZone.withLock { told in
        defer { told = true }
        return told
      }
      return isTold ? nil : "\(misfit): they count on the days of \(misfit.timeZoneName)"
    }
    guard isNew else { return nil }
    let remedy =
      person.map { "s3health people set \($0) --timezone NAME" }
      ?? "set `timezone` in the configuration file, or --timezone, and start again"
    return "day \(date) needs-zone: no time zone is set, and \(misfit.unset()); \(remedy)"
  }
}
