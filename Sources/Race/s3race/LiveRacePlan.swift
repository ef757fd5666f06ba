import Race

/// The plan of a race on a real store.
struct LivePlan: Sendable {
  /// The number of writers, divided among the processes.
  var writers = 8
  var processes = 4
  /// The number of readers, in one more process with the pollers of the raw pointer.
  var readers = 2
  /// How long the race takes with its controls, from its beginning. It takes longer only where one
  /// round and the controls do.
  var duration: Duration = .seconds(5)
  /// Ends the race after this many acknowledged publishes instead.
  var publishes: Int?
  var faults = LiveFaults()
  /// How often each writer process is killed in a round.
  var kills = 2
  var seed: UInt64 = 1
  /// Treats conditional writes as compare-and-swap, whatever the probe found.
  var assumesCompareAndSwap = false
  /// The scratch folder's name; random if nil.
  var scratch: String?
  /// The file for all histories.
  var history: String?

  /// Whether no options were given: then the model is raced for longer than the store.
  var isShort = false

  /// How long the race takes, with the model before it, for people.
  var time: String {
    let seconds = "\(duration.seconds.fixed(0)) s"
    let least = "the controls, which take half a minute on a slow store"
    if let publishes {
      return
        "ends after \(publishes.grouped) publishes and the controls; first some seconds on the model"
    }
    return isShort
      ? "first about half a minute on the model, then \(seconds) on the store and \(least)"
      : "ends after about \(seconds), the model included, and not before one round and \(least)"
  }

  /// For how long new publishes of a round begin. The listing of the day grows with it.
  static let roundTime: Duration = .seconds(4)
  /// The shortest time for which a round is begun.
  static let leastRoundTime: Duration = .seconds(1)
  /// The most publishes of one writer in a round.
  static let quota = 40
  /// How much longer an unfinished publish is retried.
  static let patience: Duration = .seconds(60)
  /// The same once the race's own time is over: it must end.
  static let lastPatience: Duration = .seconds(10)
  /// How long an endpoint may take to restart while the race still has time, and how long at its
  /// end.
  static let restart: Duration = .seconds(180)
  static let lastRestart: Duration = .seconds(60)
  /// In how many rounds a control is raced before it counts as not caught.
  static let controlRounds = 8
}

/// The result of a race on a real store.
struct LiveResult: Sendable {
  let site: RaceSite
  var rounds = 0
  var kills = 0
  var tally = LiveTally()
  var duration: Duration = .zero
  var controls: [Control] = []
  var failure: Failure?
  /// Whether a signal has ended it: the round under way is not part of it.
  var isInterrupted = false
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
  var isGood: Bool {
    failure == nil && !isInterrupted && missedControls.isEmpty && tally.givenUp == 0
  }
}
