package import HealthLedger
package import HealthModel
package import ObjectStore

/// The clients of one process in one round of a race, over any store.
package struct LiveCrew: Sendable {
  package var order: LiveOrder
  /// The store that writers and readers work with, faults of a network included.
  package var store: any ObjectStore
  /// The same store as a look at the raw pointer has it, by each way that leads to it.
  package var directly: [any ObjectStore]
  /// Nanoseconds; one clock for all processes of a race.
  package var clock: @Sendable () -> Int
  /// Takes a line at once: it must outlive a kill.
  package var journal: @Sendable ([UInt8]) -> Void
  /// What the clock of the writers' machine shows.
  package var now: @Sendable () -> Timestamp
  /// False where nobody waits for this process any more.
  package var isWanted: @Sendable () -> Bool = { true }

  package init(
    _ order: LiveOrder, store: any ObjectStore, directly: [any ObjectStore],
    clock: @escaping @Sendable () -> Int, now: @escaping @Sendable () -> Timestamp,
    journal: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.order, self.store, self.directly) = (order, store, directly)
    (self.clock, self.now, self.journal) = (clock, now, journal)
  }

  /// Runs until the writers are done; observers, until the task is cancelled.
  package func run() async throws(LedgerError) {
    let layout = try LedgerLayout(prefix: order.scratch)
    guard let date = CalendarDate(order.date) else {
      throw LedgerError(.internal, "a race was ordered for no date: \(order.date)")
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
          let reader = LiveReader(self, client: client, date, layout)
          group.addTask { await reader.run() }
        }
        for (number, way) in directly.enumerated() {
          let poller = PointerPoller(self, number: number, store: way, date, layout)
          group.addTask { await poller.run() }
        }
      }
    }
  }

  func note(_ entry: JournalEntry) { journal(entry.line) }

  var goesOn: Bool { !Task.isCancelled && isWanted() }
}
