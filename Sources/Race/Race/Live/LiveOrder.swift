/// The orders for one process in one round of a race on a real store, as one line of JSON.
package struct LiveOrder: Codable, Hashable, Sendable {
  package enum Role: String, Codable, Sendable {
    /// Publishes.
    case writers
    /// Resolves, and reads the raw pointer.
    case observers
  }

  package var role: Role
  /// The date of the race, `YYYY-MM-DD`.
  package var date: String
  /// The prefix of all keys of the race: its own scratch folder.
  package var scratch: String
  package var subject = LiveSubject.sound
  /// The numbers of the process's writers among all writers; for observers, of its readers.
  package var clients: [Int] = []
  /// The number of publishes of each writer.
  package var quota = 0
  /// When to begin no further publish, in nanoseconds of the race's clock.
  package var deadline = Int.max
  /// When to abandon an unfinished publish.
  package var lastCall = Int.max
  package var skew = ClockSkew.none
  package var faults = LiveFaults()
  /// Treats the store's conditional writes as compare-and-swap, whatever was found.
  package var assumesCompareAndSwap = false
  /// A new seed for every start of a process.
  package var seed: UInt64 = 0
  /// Where a killed writer continues, by its number.
  package var progress: [Int: LiveProgress] = [:]

  package init(role: Role, date: String, scratch: String) {
    (self.role, self.date, self.scratch) = (role, date, scratch)
  }
}

/// How far a writer was when its process ended.
package struct LiveProgress: Codable, Hashable, Sendable {
  /// Its next publish, from 0.
  package var next = 0
  /// True if that publish had begun: it must be completed, however late.
  package var isBegun = false

  package init(next: Int = 0, isBegun: Bool = false) {
    (self.next, self.isBegun) = (next, isBegun)
  }
}

/// What is raced: the ledger over the store, or over a store that is broken on purpose.
package enum LiveSubject: String, Codable, CaseIterable, Hashable, Sendable {
  case sound
  /// Compares, waits a moment, and then writes whatever is there.
  case checkThenPut = "check-then-put"
  /// Acknowledges some revisions without storing them.
  case losesRevisions = "loses-revisions"
  /// Does not look at the day again after its write.
  case looksOnce = "looks-once"
}
