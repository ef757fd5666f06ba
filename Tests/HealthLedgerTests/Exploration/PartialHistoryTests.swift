import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import HealthLedger

/// Sources publish one day, one after another, over what the rules allow to be there: revisions of
/// writers that died or were slow, revisions that are damaged, can't be read or break a rule, and data
/// of all ages (R20). The result is compared with what all stored revisions together say (`PartialDay`).
/// A survey reads only what it needs, so this also shows that it leaves out nothing that matters.
@Suite(.unit, .slow) struct PartialHistoryTests {
  @Test(arguments: [true, false])
  func `R20 a day shows what all its revisions say, however few of them a survey reads`(
    movesPointer: Bool
  ) throws {
    var tally: [String: Int] = [:]
    for seed in 0..<600 {
      var history = try PartialHistory(seed: UInt64(seed), movesPointer: movesPointer)
      let fault = history.run()
      tally.merge(history.tally) { $0 + $1 }
      if let fault {
        Issue.record("seed \(seed): \(fault)\n\(history.log.joined(separator: "\n"))")
        return
      }
    }
    // Histories in which little happens prove little.
    let happened = [
      "published", "unchanged", "kept_newer", "died", "late", "looked again", "stored again",
      "changed", "cut", "spoilt", "excepted",
    ]
    for word in happened where movesPointer || word != "late" {
      #expect(tally[word, default: 0] > 40, "\(word): \(tally)")
    }
  }
}

/// One day and its revisions: random steps, each of them compared with the rule.
private struct PartialHistory {
  private(set) var tally: [String: Int] = [:]
  private(set) var log: [String] = []
  private var random: SplitMix64
  private let movesPointer: Bool
  private let zones: [ReportingDay]
  private let collectors = [Sample.collector, Collector(collectorID: UUID(), deviceID: UUID())]
  private var bodies: [RevisionID: [UInt8]] = [:]
  private var pointer: LatestPointer?
  private var seconds = 0

  init(seed: UInt64, movesPointer: Bool) throws {
    (random, self.movesPointer) = (SplitMix64(seed: seed), movesPointer)
    let date = try Sample.date()
    zones = try ["Europe/Berlin", "Europe/Lisbon"].map {
      try ReportingDay(date: date, timeZoneName: $0)
    }
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  /// Runs some publishes. Returns what went wrong; nil if nothing did.
  mutating func run() -> String? {
    for _ in 0..<8 {
      seconds += Int.random(in: 1...60, using: &random)
      let draft = draft()
      if let fault = chance(3) ? pause(draft) : publish(draft) { return fault }
      if chance(6) { spoil() }
    }
    return nil
  }

  // MARK: What is published

  private static let watched: [DailyMetric] = [.steps, .activeEnergy, .sleepAsleep, .weight]

  private mutating func draft() -> DayDraft {
    let coverages: [MetricCoverage] = [
      .metrics([.steps]), .metrics([.activeEnergy, .weight]), .metrics([.sleepAsleep]),
      .metrics([.steps, .weight]), .metrics([.steps, .activeEnergy, .sleepAsleep]),
      .metrics([.standHours, .weight]), .everything,
    ]
    let covers = coverages[Int.random(in: 0..<coverages.count, using: &random)]
    var draft = DayDraft(
      day: zones[chance(4) ? 1 : 0], collector: collectors[chance(2) ? 1 : 0], readings: [:],
      covers: covers, capturedAt: Sample.noon.adding(seconds: seconds), keepsNewer: chance(2))
    for metric in Self.watched where covers.contains(metric) && !chance(6) {
      draft.readings[metric] = .value(Double(Int.random(in: 1...2, using: &random)))
    }
    // A reason why there is no number, for a metric that it may or may not cover.
    if chance(4) { draft.readings[.standHours] = chance(2) ? .unsupported : .unauthorized }
    if chance(4) {
      let (key, number) = (chance(2) ? "a" : "b", chance(2) ? 1.0 : 2)
      draft.unknownMembers["metrics"] = .object([key: .number(number)])
    }
    if chance(4) { draft.unknownMembers["mood"] = .number(chance(2) ? 1 : 2) }
    // Older data, or a clock that is ahead of the one that makes the ids.
    if draft.keepsNewer || chance(3) {
      draft.capturedAt = draft.capturedAt.adding(
        seconds: chance(5) ? 7200 : -Int.random(in: 0...150, using: &random))
    }
    if chance(2) {
      // Often at the same moment as another writer's.
      let moment = draft.capturedAt.secondsSince1970
      draft.capturedAt = Timestamp(secondsSince1970: moment - moment % 60)
    }
    return draft
  }

  /// A writer that surveys, and then waits while others publish, so that it has not seen what they say.
  /// Its id may be from before them. It dies as soon as its revision is stored, or looks at the day again.
  private mutating func pause(_ draft: DayDraft) -> String? {
    var machine = PublishMachine(draft, movesPointer: movesPointer)
    var action = machine.start()
    while let event = read(action) { action = machine.handle(event) }
    guard action == .mint else { return nil }
    let before = Set(bodies.keys)
    // Without a pointer, every writer looks at the whole day again, and takes in what was stored late.
    let isLate = movesPointer && chance(2)
    if isLate { action = machine.handle(minted(machine)) }
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      seconds += 1
      var other = PublishMachine(self.draft(), movesPointer: movesPointer)
      _ = drive(&other)
    }
    seconds += 1
    if !isLate { action = machine.handle(minted(machine)) }
    guard case .createRevision(let id, let body) = action, bodies[id] == nil else { return nil }
    let earlier = machine.earlier
    if isLate, stored.first.map({ $0.id > id }) == true { tally["late", default: 0] += 1 }
    if chance(2) {
      bodies[id] = body
      log.append("\(id) is stored, its writer dies: \(machine.laid.told)")
      tally["died", default: 0] += 1
      return nil
    }
    let ended = drive(&machine, from: action)
    guard case .finish = ended else { return "ended with \(ended)" }
    tally["looked again", default: 0] += 1
    if machine.storedRevision != id { tally["stored again", default: 0] += 1 }
    return lost(since: before, by: machine, firstStored: id) ?? wronglyTold(by: machine, earlier)
  }

  /// What a writer reports about the day's earlier numbers: what its first look found, except that it also
  /// kept what it found later.
  private func wronglyTold(by machine: PublishMachine, _ first: EarlierNumbers) -> String? {
    var expected = first
    expected.kept = DailyMetric.allCases.filter {
      !machine.draft.covers.contains($0) && machine.laid.reading(of: $0).number != nil
    }
    if machine.laid.keptFrom == nil { expected.kept = [] }
    return machine.earlier == expected ? nil : "told \(machine.earlier), and not \(expected)"
  }

  /// What the day has lost from the revisions stored since then, although their writers have all looked
  /// again, or what a writer's last revision says wrongly about itself.
  private func lost(
    since before: Set<RevisionID>, by machine: PublishMachine, firstStored: RevisionID
  ) -> String? {
    let recent = stored.filter { !before.contains($0.id) && !$0.isDamaged }
    guard let newest = recent.first, newest.id == stored.first?.id else { return nil }
    for metric in DailyMetric.allCases {
      guard let word = recent.first(where: { $0.revision.covers.contains(metric) }) else {
        continue
      }
      let (said, shown) = (word.revision.reading(of: metric), newest.revision.reading(of: metric))
      if shown != said, shown.number != nil || said != .noData {
        return "\(metric) is \(shown), and \(word.id) said \(said)"
      }
      if newest.id == machine.storedRevision, word.id == firstStored, word.id != newest.id {
        return "\(newest.id) does not say that its source covers \(metric)"
      }
    }
    return nil
  }

  /// Damages or cuts the newest revision, or makes it break a rule.
  private mutating func spoil() {
    guard let id = bodies.keys.max(), let body = bodies[id] else { return }
    let text = String(decoding: body, as: UTF8.self)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      bodies[id] = [UInt8(ascii: "{")]
      tally["cut", default: 0] += 1
    case 1:
      let key = "\"digest\":\"sha256:"
      bodies[id] = Array(
        text.replacing("\(key)0", with: "\(key)1").replacing(
          /"digest":"sha256:[2-9a-f]/, with: "\(key)0"
        ).utf8)
      tally["changed", default: 0] += 1
    default:
      guard let revision = DailyRevision.decode(body).revision else { return }
      let key = RevisionID(
        at: id.timestamp.adding(seconds: 1), entropy: UInt32.random(in: 0 ... .max, using: &random))
      // Its moment differs from that of its id (R7).
      bodies[key] = revision.encoded
      seconds += 1
      tally["spoilt", default: 0] += 1
    }
    log.append("the newest is spoilt: \(bodies.keys.max().map { "\($0)" } ?? "")")
  }

  /// Everything that is stored now.
  private var day: PartialDay {
    PartialDay(bodies, of: zones[0].date, pointer: pointer?.revisionID)
  }

  /// The readable revisions, greatest id first.
  private var stored: [PartialDay.Stored] { day.stored }

  // MARK: What happens

  private mutating func publish(_ draft: DayDraft) -> String? {
    let demand = day.demand(draft)
    log.append("publish \(draft.told), \(demand.outcome) expected")
    var machine = PublishMachine(draft, movesPointer: movesPointer)
    let ended = drive(&machine)
    guard case .finish(let outcome) = ended else { return "ended with \(ended)" }
    let word = outcome.word == "pointer_skipped" ? "published" : outcome.word
    tally[word, default: 0] += 1
    guard word == demand.outcome else { return "\(outcome), and \(demand.outcome) was expected" }
    if case .keptNewer(_, let moment) = outcome, moment != demand.moment {
      return "kept \(moment), and \(demand.moment.map { "\($0)" } ?? "nothing") was expected"
    }
    guard let newest = stored.first else { return "nothing is stored" }
    if movesPointer, pointer?.revisionID != newest.id, word != "kept_newer" {
      return "the pointer names \(pointer.map { "\($0.revisionID)" } ?? "nothing")"
    }
    guard word == "published" else { return nil }
    if !demand.excepted.isEmpty { tally["excepted", default: 0] += 1 }
    var expected = demand.laid
    (expected.generatedAt, expected.capturedAt) = (
      newest.id.timestamp, newest.id.timestamp == draft.capturedAt ? nil : draft.capturedAt
    )
    guard newest.revision == expected, newest.id == machine.storedRevision else {
      return "\(newest.id) says \(newest.revision), and \(expected) was expected"
    }
    if machine.earlier != demand.earlier, expected.keptFrom != nil {
      return "told \(machine.earlier), and \(demand.earlier) was expected"
    }
    return nil
  }

  private mutating func drive(
    _ machine: inout PublishMachine, from first: PublishMachine.Action? = nil
  ) -> PublishMachine.Action {
    var action = first ?? machine.start()
    for _ in 0..<1_000 {
      if let event = read(action) {
        action = machine.handle(event)
        continue
      }
      switch action {
      case .mint: action = machine.handle(minted(machine))
      case .createRevision(let id, let body):
        let isNew = bodies[id] == nil
        if isNew { bodies[id] = body }
        log.append("\(id) is stored: \(machine.laid.told)")
        action = machine.handle(.put(isNew ? .stored : .refused))
      case .writePointer(let value, let condition):
        let isMet = condition == pointerReading.replacement
        if isMet { pointer = value }
        action = machine.handle(.put(isMet ? .stored : .refused))
      case .backOff: action = machine.handle(.rested)
      default: return action
      }
    }
    return action
  }

  /// The answer to a request that only reads.
  private func read(_ action: PublishMachine.Action) -> PublishMachine.Event? {
    switch action {
    case .readPointer: .pointer(pointerReading)
    case .listRevisions(let after):
      .revisions(bodies.keys.filter { id in after.map { id > $0 } ?? true })
    case .readRevision(let id):
      .revision(bodies[id].map { .found($0, lastModified: nil) } ?? .absent)
    default: nil
    }
  }

  private var pointerReading: PointerReading {
    pointer.map { .valid($0, ETag("\"\($0.revisionID)\"")) } ?? .absent
  }

  private mutating func minted(_ machine: PublishMachine) -> PublishMachine.Event {
    let now = Sample.noon.adding(seconds: seconds)
    return .minted(now: now, entropy: UInt32.random(in: 0 ... .max, using: &random))
  }
}

extension DayDraft {
  /// The draft in words, for the log.
  fileprivate var told: String {
    let said = readings.map { "\($0.key.rawValue)=\($0.value)" }.sorted().joined(separator: " ")
    let covered =
      covers == .everything ? "everything" : "\(covers.metrics.map(\.rawValue).sorted())"
    return "\(said) of \(covered) at \(capturedAt)\(keepsNewer ? ", keeps newer" : "")"
  }
}
