package import HealthLedger
package import HealthModel
package import ObjectStore

/// The checks at the end of a round: every acknowledged revision, the pointer, and the answer of a
/// resolve.
package struct LiveCheck: Sendable {
  private let look: LiveLook
  private let ledger: HealthLedger

  package init(
    store: any ObjectStore, layout: LedgerLayout, date: CalendarDate,
    clock: @escaping @Sendable () -> Int
  ) {
    look = LiveLook(store: store, layout: layout, date: date, clock: clock)
    ledger = HealthLedger(store: store, layout: layout)
  }

  /// Reads the revisions, all at once.
  package func revisions(
    _ ids: some Collection<RevisionID> & Sendable
  ) async throws(LedgerError) -> [RaceHistory.Event] {
    let results = await withTaskGroup(of: Result<RaceHistory.Event, StoreError>.self) { group in
      for id in ids { group.addTask { await seen(id) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    do throws(StoreError) {
      var events: [RaceHistory.Event] = []
      for result in results { events.append(try result.get()) }
      return events
    } catch {
      throw LedgerError(error)
    }
  }

  private func seen(_ id: RevisionID) async -> Result<RaceHistory.Event, StoreError> {
    do {
      return .success(try await look.revision(id, client: Self.name))
    } catch {
      return .failure(error)
    }
  }

  /// Reads the pointer and resolves the day.
  package func answers() async throws(LedgerError) -> [RaceHistory.Event] {
    var events: [RaceHistory.Event] = []
    do throws(StoreError) {
      events.append(try await look.pointer(client: Self.name))
    } catch {
      throw LedgerError(error)
    }
    let from = look.clock()
    let answer = try await ledger.resolve(look.date).latest
    let to = look.clock()
    var numbers: [String: Double] = [:]
    for (metric, reading) in answer?.revision.readings ?? [:] {
      numbers[metric.rawValue] = reading.number
    }
    for observation in [RaceHistory.Observation.read(answer?.id), .shown(numbers)] {
      events.append(
        RaceHistory.Event(client: Self.name, from: from, to: to, observation: observation))
    }
    return events
  }

  private static let name = "check"
}
