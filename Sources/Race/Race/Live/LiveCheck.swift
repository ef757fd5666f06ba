package import HealthLedger
package import HealthModel
package import ObjectStore

/// The checks at the end of a round: every acknowledged revision, the pointer, and the answer of a
/// resolve.
package struct LiveCheck: Sendable {
  private let look: LiveLook
  private let ledger: HealthLedger
  private let clock: @Sendable () -> Int

  package init(
    store: any ObjectStore, layout: LedgerLayout, date: CalendarDate,
    clock: @escaping @Sendable () -> Int
  ) {
    look = LiveLook(store: store, layout: layout, date: date)
    ledger = HealthLedger(store: store, layout: layout)
    self.clock = clock
  }

  /// Reads the revisions, all at once.
  package func revisions(
    _ ids: some Collection<RevisionID> & Sendable
  ) async throws(LedgerError) -> [RaceHistory.Event] {
    let results = await withTaskGroup(of: Result<RaceHistory.Event, LedgerError>.self) { group in
      for id in ids {
        group.addTask {
          do throws(LedgerError) {
            return .success(
              try await seen { () throws(StoreError) in try await look.revision(id) })
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var events: [RaceHistory.Event] = []
    for result in results { events.append(try result.get()) }
    return events
  }

  /// Reads the pointer and resolves the day.
  package func answers() async throws(LedgerError) -> [RaceHistory.Event] {
    let pointer = try await seen { () throws(StoreError) in try await look.pointer() }
    let from = clock()
    let answer = try await ledger.resolve(look.date).latest
    var numbers: [String: Double] = [:]
    for (metric, reading) in answer?.revision.readings ?? [:] {
      numbers[metric.rawValue] = reading.number
    }
    return [pointer, event(.read(answer?.id), from: from), event(.shown(numbers), from: from)]
  }

  private func seen(
    _ look: () async throws(StoreError) -> RaceHistory.Observation
  ) async throws(LedgerError) -> RaceHistory.Event {
    let from = clock()
    do {
      return event(try await look(), from: from)
    } catch {
      throw LedgerError(error)
    }
  }

  private func event(_ seen: RaceHistory.Observation, from: Int) -> RaceHistory.Event {
    RaceHistory.Event(client: "check", from: from, to: clock(), observation: seen)
  }
}
