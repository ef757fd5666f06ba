import RaceHarness

/// What a race on a real store is to do.
struct LivePlan: Sendable {
  /// Writers, spread over the processes.
  var writers = 8
  var processes = 4
  /// Resolvers, in one more process with the pollers of the raw pointer.
  var readers = 2
  /// How long new rounds begin.
  var duration: Duration = .seconds(5)
  /// Ends the race at so many acknowledged publishes instead.
  var publishes: Int?
  var faults = LiveFaults()
  /// How often each process of writers is killed in a round.
  var kills = 2
  var seed: UInt64 = 1
  /// Takes conditional writes for compare-and-swap, whatever the probe said.
  var assumesCompareAndSwap = false
  /// The scratch folder's name; random where nil.
  var scratch: String?
  /// The file for all histories.
  var history: String?

  /// Longest time in which new publishes of a round begin: a day's listing grows with it.
  static let roundTime: Duration = .seconds(4)
  /// Most publishes of one writer in a round.
  static let quota = 40
  /// How much longer an unfinished publish is tried.
  static let patience: Duration = .seconds(60)
  /// Rounds that a control is raced before it counts as not caught.
  static let controlRounds = 8
}
