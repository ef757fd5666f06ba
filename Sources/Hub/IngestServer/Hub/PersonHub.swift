package import HealthLedger
package import HealthStreams
import Synchronization

/// What a server does for one person: where what they send is stored, who makes their days, and what
/// shows them (R54, R65).
package struct PersonHub: Sendable {
  /// Nil for the store's own, without people.
  package let person: PersonID?
  /// Where what is received is stored.
  package let streams: StreamStore
  /// The person's zone, goals and units.
  package let terms: TermsCache
  /// The tables of records; nil if the server has no database.
  package let tables: (any RecordTables)?
  /// Makes the days again that batches touch; nil if somebody else does.
  package let days: DayRecompute?
  /// The page for people; nil if the server has none.
  package let dashboard: Dashboard?
  /// What agents get; nil if the server answers none.
  package let agents: AgentService?
  /// In what runs it is stored: one device's apart from another's.
  let runs = ReceiptRuns()
  let workouts = StoredWorkouts()

  package init(
    of person: PersonID? = nil, streams: StreamStore, terms: TermsCache,
    tables: (any RecordTables)? = nil,
    days: DayRecompute? = nil, dashboard: Dashboard? = nil, agents: AgentService? = nil
  ) {
    (self.person, self.streams, self.terms, self.tables) = (person, streams, terms, tables)
    (self.days, self.dashboard, self.agents) = (days, dashboard, agents)
  }

  var isBusy: Bool { (days?.count ?? 0) > 0 || (dashboard?.feed.count ?? 0) > 0 }

  /// Makes days and sends events until it is cancelled.
  func run(_ hub: Hub) async {
    let server = server(hub)
    await withTaskGroup(of: Void.self) { group in
      if let days { group.addTask { await days.run() } }
      if let dashboard { group.addTask { await dashboard.run(server) } }
    }
  }

  /// What its page shows and uses of the server.
  func server(_ hub: Hub) -> Dashboard.Server {
    let archive = RecordArchive(streams, compression: hub.compression)
    return .init(
      person: person, tokens: hub.tokens, days: days,
      workouts: { [workouts] (day) async throws(LedgerError) in
        try await workouts.of(day, in: archive)
      })
  }
}

/// The people of a server (R65): the part of each is made when it is first needed, and released when
/// nothing of it waits.
package final class ServedPeople: Sendable {
  /// Opens the part of a person, without a request to the store.
  package typealias Opening = @Sendable (PersonID) throws(LedgerError) -> PersonHub

  private struct Entry {
    let part: PersonHub
    let work: Task<Void, Never>
    var usedAt: ContinuousClock.Instant
  }

  private struct State {
    var entries: [PersonID: Entry] = [:]
    var hasEnded = false
  }

  private let open: Opening
  private let state = Mutex(State())

  /// How long an unused part is kept: longer than any request, and longer than the first
  /// sweep of its markers takes.
  private static let patience: Duration = .seconds(900)
  /// How often the markers of all people are swept (R49). Whoever is there sweeps more often.
  private static let sweepPause: Duration = .seconds(1800)
  /// How often unused parts are released.
  private static let pause: Duration = .seconds(60)

  package init(_ open: @escaping Opening) { self.open = open }

  /// The part of a person, which works from now on.
  func part(of person: PersonID, _ hub: Hub) throws(LedgerError) -> PersonHub {
    try state.withLock { (state) throws(LedgerError) in
      if let part = state.entries[person]?.part {
        state.entries[person]?.usedAt = .now
        return part
      }
      let part = try open(person)
      // What is stored while the server ends keeps its markers.
      guard !state.hasEnded else { return part }
      let work = Task { await part.run(hub) }
      state.entries[person] = Entry(part: part, work: work, usedAt: .now)
      return part
    }
  }

  /// The part of a person that is there already.
  func known(_ person: PersonID) -> PersonHub? { state.withLock { $0.entries[person]?.part } }

  var waiting: Int {
    state.withLock { $0.entries.values.reduce(0) { $0 + ($1.part.days?.count ?? 0) } }
  }

  /// Sweeps the markers of all who have tokens, at intervals, and releases unused parts,
  /// until it is cancelled; then ends all.
  func run(_ hub: Hub) async {
    var swept: ContinuousClock.Instant?
    while !Task.isCancelled {
      let isDue = swept.map { .now - $0 >= Self.sweepPause } ?? true
      if isDue, let table = try? hub.tokens.table() {
        swept = .now
        // Each part begins with a sweep. One that can't be opened says so when it is asked for.
        for person in table.people.sorted() { _ = try? part(of: person, hub) }
      }
      letGo()
      // Tokens of a bucket are not read yet when the server starts.
      try? await Task.sleep(for: swept == nil ? .seconds(1) : Self.pause)
    }
    let tasks = state.withLock { state in
      state.hasEnded = true
      return state.entries.values.map(\.work)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func letGo() {
    state.withLock { state in
      for (person, entry) in state.entries
      where !entry.part.isBusy && .now - entry.usedAt > Self.patience {
        entry.work.cancel()
        state.entries[person] = nil
      }
    }
  }

  /// Makes the days that wait, within the time; the others keep their markers.
  func finish(seconds: Int) async {
    let parts = state.withLock { $0.entries.values.map(\.part) }
    await withTaskGroup(of: Void.self) { group in
      for days in parts.compactMap(\.days) where days.count > 0 {
        group.addTask { await days.finish(seconds: seconds) }
      }
    }
  }
}
