/// What one process of a race on a real store does in one round; all of it fits in a line of JSON.
package struct LiveOrder: Codable, Hashable, Sendable {
  package enum Role: String, Codable, Sendable {
    /// Publishes.
    case writers
    /// Resolves, and looks at the raw pointer.
    case observers
  }

  package var role: Role
  /// The day raced for, `YYYY-MM-DD`.
  package var date: String
  /// Begins all keys of the race: a scratch folder of its own.
  package var scratch: String
  package var subject = LiveSubject.sound
  /// Numbers of the process's writers among all writers; for observers, of its readers.
  package var clients: [Int] = []
  /// Publishes of each writer.
  package var quota = 0
  /// When no new publish begins, in nanoseconds of the race's clock.
  package var deadline = Int.max
  /// When an unfinished publish is given up.
  package var lastCall = Int.max
  package var skew = ClockSkew.none
  package var faults = LiveFaults()
  /// Takes the store's conditional writes for compare-and-swap, whatever was found.
  package var assumesCompareAndSwap = false
  /// Drawn anew for every start of a process.
  package var seed: UInt64 = 0
  /// Where a writer that was killed goes on, by its number.
  package var progress: [Int: LiveProgress] = [:]

  package init(role: Role, date: String, scratch: String) {
    (self.role, self.date, self.scratch) = (role, date, scratch)
  }
}

/// How far a writer was when its process ended.
package struct LiveProgress: Codable, Hashable, Sendable {
  /// Its next publish, from 0.
  package var next = 0
  /// True where that publish had begun: it must be carried through, whatever the time.
  package var isBegun = false

  package init(next: Int = 0, isBegun: Bool = false) {
    (self.next, self.isBegun) = (next, isBegun)
  }
}

/// What races: the ledger over the store, or over a store that is broken on purpose.
package enum LiveSubject: String, Codable, CaseIterable, Hashable, Sendable {
  case sound
  /// Compares, waits a moment, and then writes whatever is there.
  case checkThenPut = "check-then-put"
  /// Says of some revisions that they are stored, and stores nothing.
  case losesRevisions = "loses-revisions"
}
