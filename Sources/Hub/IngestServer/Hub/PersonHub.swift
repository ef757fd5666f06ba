package import HealthLedger
package import HealthStreams

/// What a server does for one person: where what they send is stored, who makes their days, and what
/// shows them (R54, R65).
package struct PersonHub: Sendable {
  /// Nil for the store's own, without people.
  package let person: PersonID?
  /// Where what is received is stored.
  package let streams: StreamStore
  /// The person's zone, goals and units.
  package let terms: TermsKeeper
  /// The tables of records; nil if the server has no database.
  package let tables: (any RecordTables)?
  /// Makes the days again that batches touch; nil if somebody else does.
  package let days: DayRecompute?
  /// The page for people; nil if the server has none.
  package let dashboard: Dashboard?
  /// What agents get; nil if the server answers none.
  package let agents: AgentDoor?
  /// The workouts that were posted.
  let workouts = StoredWorkouts()

  package init(
    of person: PersonID? = nil, streams: StreamStore, terms: TermsKeeper,
    tables: (any RecordTables)? = nil,
    days: DayRecompute? = nil, dashboard: Dashboard? = nil, agents: AgentDoor? = nil
  ) {
    (self.person, self.streams, self.terms, self.tables) = (person, streams, terms, tables)
    (self.days, self.dashboard, self.agents) = (days, dashboard, agents)
  }

  /// Whether a page is open, or a day waits.
  var isBusy: Bool { (days?.count ?? 0) > 0 || (dashboard?.feed.count ?? 0) > 0 }

  /// Makes days and sends events until it is cancelled.
  func run(_ hub: Hub) async {
    let surroundings = surroundings(hub)
    await withTaskGroup(of: Void.self) { group in
      if let days { group.addTask { await days.run() } }
      if let dashboard { group.addTask { await dashboard.run(surroundings) } }
    }
  }

  /// What its page shows and uses of the server.
  func surroundings(_ hub: Hub) -> Dashboard.Surroundings {
    let archive = RecordArchive(streams, compression: hub.compression)
    return .init(
      person: person, tokens: hub.tokens, days: days,
      workouts: { [workouts] (day) async throws(LedgerError) in
        try await workouts.of(day, in: archive)
      })
  }
}
