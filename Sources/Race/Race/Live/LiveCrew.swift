package import HealthLedger
package import HealthModel
package import ObjectStore

/// The clients of one process in one round of a race, over any store.
package struct LiveCrew: Sendable {
  package var order: LiveOrder
  /// The store for writers and readers, with injected network faults.
  package var store: any ObjectStore
  /// The same store for reading the raw pointer, once for each endpoint.
  package var directly: [any ObjectStore]
  /// In nanoseconds, with one clock for all processes of a race.
  package var clock: @Sendable () -> Int
  /// Writes a line immediately, because it must survive a kill.
  package var journal: @Sendable ([UInt8]) -> Void
  /// The clock of the writers' machine.
  package var now: @Sendable () -> Timestamp
  /// False if nobody waits for this process any more.
  package var isWanted: @Sendable () -> Bool = { true }

  package init(
    _ order: LiveOrder, store: any ObjectStore, directly: [any ObjectStore],
    clock: @escaping @Sendable () -> Int, now: @escaping @Sendable () -> Timestamp,
    journal: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.order, self.store, self.directly) = (order, store, directly)
    (self.clock, self.now, self.journal) = (clock, now, journal)
  }

  /// Runs until the writers are done. Observers run until the task is cancelled.
  package func run() async throws(LedgerError) {
    let layout = try LedgerLayout(prefix: order.scratch)
    guard let date = CalendarDate(order.date) else {
      throw LedgerError(.internal, "the orders of a race have an invalid date: \(order.date)")
    }
    switch order.role {
    case .writers:
      await withTaskGroup(of: Void.self) { group in
        for client in order.clients {
          let writer = LiveWriter(self, client: client, date, layout)
          group.addTask { await writer.run() }
        }
      }
    case .observers:
      await withTaskGroup(of: Void.self) { group in
        for client in order.clients {
          let ledger = HealthLedger(store: store, layout: layout)
          group.addTask { await read("reader-\(client + 1)", ledger, date) }
        }
        for (number, way) in directly.enumerated() {
          let look = LiveLook(store: way, layout: layout, date: date)
          group.addTask { await poll("poller-\(number + 1)", look) }
        }
      }
    }
  }

  func note(_ entry: JournalEntry) { journal(entry.line) }

  /// Notes what a client sees, or that it got no answer.
  func observe(
    _ client: String, _ look: () async throws -> RaceHistory.Observation
  ) async -> RaceHistory.Observation? {
    let from = clock()
    do {
      let seen = try await look()
      note(.saw(RaceHistory.Event(client: client, from: from, to: clock(), observation: seen)))
      return seen
    } catch {
      let message = (error as? LedgerError)?.message ?? "\(error)"
      note(.unanswered(message: String(message.prefix(500))))
      return nil
    }
  }

  var goesOn: Bool { !Task.isCancelled && isWanted() }
}
