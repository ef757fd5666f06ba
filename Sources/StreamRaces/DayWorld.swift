import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams

/// Two hubs that receive two batches of one day and derive the day, a sweeper, and a foreign
/// publisher (R46, R49).
///
/// Appending, deriving and sweeping are the production machines. Publishing takes two steps,
/// the survey and the create (R20 to R22), because `PublishMachine` is raced by itself. Batch 0 has
/// the entries 1 and 2, batch 1 the entries 2 and 4: figures are the union of bits.
package struct DayWorld: ExplorableWorld {
  /// A mistake to build in; the oracles must find it.
  package enum Flaw: String, CaseIterable, Sendable {
    case none
    /// A recompute ends with its publish, without a pass after it.
    case noSecondPass
    /// The marker is written after its batch.
    case markerLate
    /// Receivers of one batch share a marker.
    case markerShared
    /// A sweeper takes young markers for old.
    case sweptEarly
    /// Each instance publishes under an id of its own.
    case idPerInstance
    /// A receipt is acknowledged before its batch is stored.
    case acknowledgedEarly
  }

  package struct Scenario: Hashable, Sendable {
    package var flaw = Flaw.none
    package var crashes = 1
    /// Creates whose answer is lost.
    package var lostAnswers = 0
    /// Whether batch 0 is sent to the other hub too.
    package var resends = 0
    package var hasForeignPublisher = false
    /// Whether a sweep may start while hubs still work.
    package var earlySweeps = 0
    /// How far the clock of hub 0 is ahead, in ids.
    package var skew = 0
    /// No sound world writes more revisions.
    package var mostRevisions = 6

    package init() {}
  }

  package enum Step: Hashable, CustomStringConvertible {
    case act(Int)
    case loseAnswer(Int)
    case crash(Int, isInFlight: Bool)
    case land(Int)
    case age(String)
    case sweep
    case resend
    case foreignSurvey
    case foreignCreate

    package var description: String {
      switch self {
      case .act(let task): "task \(task) takes its next step"
      case .loseAnswer(let task): "task \(task) creates its object, and the answer is lost"
      case .crash(let hub, let isInFlight):
        "hub \(hub) dies\(isInFlight ? " with its creates in flight" : "")"
      case .land(let batch): "the create of batch \(batch) arrives"
      case .age(let marker): "marker \(marker) becomes old"
      case .sweep: "a sweep starts"
      case .resend: "batch 0 is sent to hub 1 again"
      case .foreignSurvey: "the foreign publisher surveys the day"
      case .foreignCreate: "the foreign publisher creates its revision"
      }
    }
  }

  struct Marker: Hashable {
    let key: String
    let batch: Int
    let task: Int
    var isOld = false
  }

  struct Revision: Hashable {
    let id: RevisionID
    let figures: Int
    /// 9 for the foreign publisher.
    let author: Int
  }

  let scenario: Scenario
  var batches: Set<Int> = []
  var markers: [Marker] = []
  /// By id, ascending.
  var revisions: [Revision] = []
  var basis: DerivationBasis?
  var tasks: [DayTask] = []
  var inFlight: [Int] = []
  var acknowledged: Set<Int> = []
  private var foreignSeen: Int?
  private var foreignIsDone: Bool
  private var crashes: Int
  private var lostAnswers: Int
  private var resends: Int
  private var earlySweeps: Int
  /// Whether the last sweep, which looks at the date too, has begun.
  private var hasEnded = false

  package init(_ scenario: Scenario) {
    self.scenario = scenario
    (crashes, lostAnswers) = (scenario.crashes, scenario.lostAnswers)
    (resends, earlySweeps) = (scenario.resends, scenario.earlySweeps)
    foreignIsDone = !scenario.hasForeignPublisher
    tasks = [DayTask(receiving: 0, hub: 0), DayTask(receiving: 1, hub: 1)]
  }

  // MARK: - What can happen

  package var steps: [Step] {
    var steps: [Step] = []
    for (number, task) in tasks.enumerated() where task.isAlive {
      steps.append(.act(number))
      if lostAnswers > 0, task.createsObject { steps.append(.loseAnswer(number)) }
    }
    if crashes > 0 {
      for hub in 0..<2 {
        let own = tasks.filter { $0.isAlive && $0.hub == hub }
        if !own.isEmpty { steps.append(.crash(hub, isInFlight: false)) }
        if own.contains(where: { $0.createsPart }) {
          steps.append(.crash(hub, isInFlight: true))
        }
      }
    }
    if let batch = inFlight.first { steps.append(.land(batch)) }
    for marker in markers where !marker.isOld && isSettled(marker) {
      steps.append(.age(marker.key))
    }
    if resends > 0 { steps.append(.resend) }
    if !foreignIsDone { steps.append(foreignSeen == nil ? .foreignSurvey : .foreignCreate) }
    let isSwept = tasks.contains { $0.isAlive && $0.isSweep }
    if !isSwept, !markers.isEmpty, earlySweeps > 0 { steps.append(.sweep) }
    // The sweep that comes sooner or later: of old markers, and of the date itself once where
    // somebody else publishes, as `collect` does.
    if steps.isEmpty, !markers.isEmpty || (scenario.hasForeignPublisher && !hasEnded) {
      steps.append(.sweep)
    }
    return steps
  }

  /// Whether nothing of the marker's writer can arrive any more: twenty minutes are longer than
  /// any receipt, any recompute and the life of a signed request.
  private func isSettled(_ marker: Marker) -> Bool {
    !tasks[marker.task].isAlive && !inFlight.contains(marker.batch)
  }

  package mutating func take(_ step: Step) -> [String] {
    switch step {
    case .act(let number): act(number, losesAnswer: false)
    case .loseAnswer(let number):
      lostAnswers -= 1
      act(number, losesAnswer: true)
      return ["lost answer"]
    case .crash(let hub, let isInFlight):
      crashes -= 1
      for number in tasks.indices where tasks[number].isAlive && tasks[number].hub == hub {
        if isInFlight, tasks[number].createsPart { inFlight.append(tasks[number].batch) }
        tasks[number].end()
      }
      return [isInFlight ? "crash with a create in flight" : "crash"]
    case .land(let batch):
      inFlight.removeFirst()
      batches.insert(batch)
      return ["delayed create"]
    case .age(let key):
      for place in markers.indices where markers[place].key == key { markers[place].isOld = true }
    case .sweep:
      let isLast = steps == [.sweep]
      if isLast { hasEnded = true } else { earlySweeps -= 1 }
      tasks.append(
        DayTask(sweeping: isLast && scenario.hasForeignPublisher ? [DayTask.date] : [], hub: 2))
    case .resend:
      resends -= 1
      tasks.append(DayTask(receiving: 0, hub: 1))
      return ["resend"]
    case .foreignSurvey: foreignSeen = rank(of: revisions.last)
    case .foreignCreate:
      foreignIsDone = true
      store(figures: 8, author: 9, above: foreignSeen ?? 0, entropy: 99)
      return ["foreign revision"]
    }
    return []
  }

  // MARK: - The store

  func rank(of revision: Revision?) -> Int {
    revision.map { $0.id.timestamp.secondsSince1970 - Self.epoch } ?? 0
  }

  static let epoch = 1_800_000_000

  @discardableResult
  mutating func store(figures: Int, author: Int, above rank: Int, entropy: UInt32) -> RevisionID {
    let id = RevisionID(
      at: Timestamp(secondsSince1970: Self.epoch + rank + 1), entropy: entropy)
    revisions.append(Revision(id: id, figures: figures, author: author))
    revisions.sort { $0.id < $1.id }
    return id
  }

  /// The figures of batches and of the newest foreign revision.
  func figures(of batches: Set<Int>, _ revisions: some Sequence<Revision>) -> Int {
    let foreign = revisions.last { $0.author == 9 }?.figures ?? 0
    return batches.reduce(foreign) { $0 | ($1 == 0 ? 3 : 6) }
  }

  // MARK: - What must hold

  package var breach: String? {
    if let lost = acknowledged.first(where: { !batches.contains($0) && !inFlight.contains($0) }) {
      return "batch \(lost) was acknowledged and is not stored"
    }
    if revisions.count > scenario.mostRevisions {
      return "\(revisions.count) revisions were written of one day"
    }
    guard steps.isEmpty else { return nil }
    if let marker = markers.first { return "marker \(marker.key) is left" }
    if let lost = acknowledged.first(where: { !batches.contains($0) }) {
      return "batch \(lost) was acknowledged and is not stored"
    }
    let expected = figures(of: batches, revisions)
    let head = revisions.last?.figures ?? 0
    return head == expected
      ? nil : "the newest revision has the figures \(head), and the batches have \(expected)"
  }
}

extension Sequence {
  fileprivate func last(where isIncluded: (Element) -> Bool) -> Element? {
    var found: Element?
    for element in self where isIncluded(element) { found = element }
    return found
  }
}
