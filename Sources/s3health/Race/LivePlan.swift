import RaceHarness

/// The plan of a race on a real store.
struct LivePlan: Sendable {
  /// The number of writers, divided among the processes.
  var writers = 8
  var processes = 4
  /// The number of readers, in one more process with the pollers of the raw pointer.
  var readers = 2
  /// For how long new rounds begin.
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

  /// For how long new publishes of a round begin. The listing of the day grows with it.
  static let roundTime: Duration = .seconds(4)
  /// The most publishes of one writer in a round.
  static let quota = 40
  /// How much longer an unfinished publish is retried.
  static let patience: Duration = .seconds(60)
  /// In how many rounds a control is raced before it counts as not caught.
  static let controlRounds = 8
}
