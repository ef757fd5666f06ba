import RaceHarness

/// The result of a race on a real store.
struct LiveResult: Sendable {
  var store = ""
  var scratch = ""
  /// The verdict on the store's conditional writes.
  var conditionalWrites = ""
  var movesPointer = true
  var isVersioned = false
  var endpoints = 1
  var rounds = 0
  var kills = 0
  var tally = LiveTally()
  var duration: Duration = .zero
  var controls: [Control] = []
  var failure: Failure?
  /// The path of the histories.
  var history: String?

  /// A protocol or store broken on purpose, raced on the same store.
  struct Control: Sendable {
    var subject: LiveSubject
    var rounds: Int
    /// The finding that caught it; nil if nothing did.
    var finding: HistoryFinding?
  }

  /// A promise that the store or the ledger broke.
  struct Failure: Sendable {
    var round: Int
    var findings: [HistoryFinding]
    /// The part of the history that shows the first of them.
    var counterexample: RaceHistory
  }

  var faults: Int { tally.faults.values.reduce(0, +) }
  var missedControls: [Control] { controls.filter { $0.finding == nil } }
  var isGood: Bool { failure == nil && missedControls.isEmpty && tally.givenUp == 0 }
}
