/// What a race of hubs begins with, and how much may go wrong in it.
package struct HubScenario: Hashable, Sendable {
  package var flaw: HubFlaw?
  /// How often a hub or the sweeper dies.
  package var crashes = 1
  /// Writes whose answer is lost, or that arrive late or never.
  package var lostAnswers = 0
  /// Recomputes that are given up because the store answers too late.
  package var timeouts = 0
  /// Whether batch 0 is sent to the other hub too.
  package var resends = 0
  /// Receipts that wait for twenty minutes until they know that their marker is stored.
  package var stalls = 0
  /// Sweeps that may start while hubs still work.
  package var earlySweeps = 0
  /// Whether both batches are sent to the same hub.
  package var usesOneHub = false
  /// How often somebody else publishes the same day.
  package var otherPublishes = 0
  /// How far the clock of hub 0 is ahead, in seconds.
  package var skew = 0
  /// Whether batch 1 touches the day before, too.
  package var touchesTwoDays = false
  /// Whether each day that is settled becomes a row of a table.
  package var hasTables = false
  /// No sound world writes more revisions of one day.
  package var mostRevisions = 8

  package init() {}

  /// In a word or two, for a table.
  var title: String {
    var words: [String] = []
    if otherPublishes > 0 { words.append("another writer") }
    if touchesTwoDays { words.append("two days") }
    if hasTables { words.append("tables") }
    if usesOneHub { words.append("one hub has both") }
    if resends > 0 { words.append("a batch sent twice") }
    if skew > 0 { words.append("a clock ahead") }
    if earlySweeps > 0 { words.append("a sweep at any moment") }
    if stalls > 0 { words.append("a slow receipt") }
    if words.isEmpty { words.append("two batches") }
    if crashes > 0 { words.append("a crash") }
    if lostAnswers > 0 { words.append("a lost answer") }
    if timeouts > 0 { words.append("a time-out") }
    return words.joined(separator: ", ")
  }
}

/// A mistake to build into a race of hubs; the oracles must find it.
package enum HubFlaw: String, RaceFlaw {
  case uncovered = "uncovered-recompute"
  case noSecondPass = "no-second-pass"
  case staleList = "stale-list"
  case markerLate = "marker-late"
  case markerShared = "marker-shared"
  case markerFreedBeforePublish = "marker-freed-before-publish"
  case markerFreedUncovered = "marker-freed-uncovered"
  case markerFreedUnsettled = "marker-freed-unsettled"
  case markerFreedByFirstDay = "marker-freed-by-first-day"
  case markerFreedByRetry = "marker-freed-by-retry"
  case markerKept = "marker-not-renewed"
  case sweptEarly = "swept-early"
  case instanceInPayload = "instance-in-payload"
  case blindPointer = "blind-pointer"
  case acknowledgedEarly = "acknowledged-early"
  case rowsAfterMarker = "rows-after-marker"
  case rowsUnordered = "rows-unordered"

  /// What is wrong, for people.
  package var summary: String {
    switch self {
    case .uncovered: "a recompute publishes while no marker of its own names the day"
    case .noSecondPass: "a recompute ends with its publish, without a pass after it"
    case .staleList: "the second pass takes the list of the first"
    case .markerLate: "the marker is written after its batch"
    case .markerShared: "two receivers of one batch share a marker"
    case .markerFreedBeforePublish: "markers are removed before the day is published"
    case .markerFreedUncovered: "markers of batches that came meanwhile are removed too"
    case .markerFreedUnsettled: "markers are removed although the recompute failed"
    case .markerFreedByFirstDay: "a marker is removed with the first of its days"
    case .markerFreedByRetry: "markers are removed once a day was made that was given up before"
    case .markerKept: "a batch is sent under a marker that is as old as those that sweeps remove"
    case .sweptEarly: "a sweep removes the marker of a batch that is not stored yet"
    case .instanceInPayload: "what a hub publishes says which hub it is"
    case .blindPointer: "the pointer is written without comparing it with what was read"
    case .acknowledgedEarly: "a batch is acknowledged before it is stored"
    case .rowsAfterMarker: "rows are written after the markers are removed"
    case .rowsUnordered: "an older revision may replace a newer row"
    }
  }

  /// A scenario in which the mistake can do harm.
  var scenario: HubScenario {
    var scenario = HubScenario()
    scenario.flaw = self
    switch self {
    case .markerShared: (scenario.resends, scenario.crashes) = (1, 2)
    case .uncovered: scenario.earlySweeps = 1
    case .markerFreedUncovered: scenario.usesOneHub = true
    case .sweptEarly: scenario.earlySweeps = 1
    case .markerFreedUnsettled: scenario.timeouts = 1
    case .markerFreedByRetry:
      (scenario.timeouts, scenario.crashes) = (1, 0)
    case .markerKept: (scenario.stalls, scenario.earlySweeps) = (1, 1)
    case .markerFreedByFirstDay: scenario.touchesTwoDays = true
    case .blindPointer: scenario.lostAnswers = 1
    case .rowsAfterMarker, .rowsUnordered: scenario.hasTables = true
    default: break
    }
    return scenario
  }
}
