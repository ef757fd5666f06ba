import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// R20 to R27 against a store that may answer anything at all: thousands of random walks.
@Suite(.unit) struct PublishWalkTests {
  @Test(arguments: [true, false])
  func `R25 no sequence of answers moves the pointer backwards`(movesPointer: Bool) throws {
    let adversary = try Adversary()
    var generator = SplitMix64(seed: movesPointer ? 11 : 12)
    var endings: Set<String> = []
    for _ in 0..<(movesPointer ? 2500 : 800) {
      var walk = Walk(adversary: adversary, movesPointer: movesPointer)
      endings.insert(try walk.run(&generator))
    }
    // The walks are worth something only if they reach every ending.
    let expected: Set<String> =
      movesPointer
      ? ["published", "superseded", "unchanged", "unconfirmed", "contended", "noGreaterID"]
      : ["pointer_skipped", "unchanged", "unconfirmed", "noGreaterID"]
    #expect(endings == expected)
  }
}

/// What the walks draw their answers from.
private struct Adversary {
  let draft: DayDraft
  let ids: [RevisionID]
  /// Valid revisions of the draft's and of another payload under each id.
  let equal: [RevisionID: RevisionReading]
  let different: [RevisionID: RevisionReading]

  init() throws {
    draft = try Sample.draft(steps: 100)
    let other = try Sample.draft(steps: 200)
    let last = try #require(RevisionID("99991231T235959Z-FFFFFFFF"))
    ids = [-7200, -60, -1, 0, 1, 60, 7200].map { Sample.id($0) } + [last]
    equal = [RevisionID: RevisionReading](
      uniqueKeysWithValues: ids.map { [draft] in ($0, Sample.found(draft, $0)) })
    different = [RevisionID: RevisionReading](
      uniqueKeysWithValues: ids.map { ($0, Sample.found(other, $0)) })
  }
}

/// One walk, with what it has seen so far.
private struct Walk {
  let adversary: Adversary
  var machine: PublishMachine
  let movesPointer: Bool
  /// How often this walk's puts succeed, of 8; and whether the far future is in its listings.
  var luck = 0
  var reading: PointerReading = .absent
  var confirmed: Set<RevisionID> = []
  var validRead: Set<RevisionID> = []
  var lastCreate: (id: RevisionID, body: [UInt8])?
  var absentWasRead = false
  var seen: Set<RevisionID> = []
  var creates = 0
  var writes = 0

  init(adversary: Adversary, movesPointer: Bool) {
    self.adversary = adversary
    self.movesPointer = movesPointer
    machine = PublishMachine(adversary.draft, movesPointer: movesPointer)
  }

  /// Walks to the end; its word.
  mutating func run(_ generator: inout SplitMix64) throws -> String {
    luck = Int.random(in: 0...6, using: &generator)
    var action = machine.start()
    for _ in 0..<1000 {
      switch action {
      case .finish(let outcome):
        check(outcome)
        return outcome.word
      case .fail(let failure):
        return word(failure)
      default:
        action = machine.handle(answer(action, &generator))
      }
    }
    throw Endless()
  }

  struct Endless: Error {}

  private mutating func answer(
    _ action: PublishMachine.Action, _ generator: inout SplitMix64
  ) -> PublishMachine.Event {
    switch action {
    case .readPointer:
      reading = pointer(&generator)
      if let named = reading.revisionID { seen.insert(named) }
      return .pointer(reading)
    case .listRevisions:
      // Not even the marker is respected.
      let ids = adversary.ids.filter { _ in Int.random(in: 0...3, using: &generator) == 0 }
      if creates == 0, let named = reading.revisionID {
        seen.formUnion(ids.filter { $0 > named })
      } else if creates == 0 {
        seen.formUnion(ids)
      }
      return .revisions(ids.shuffled(using: &generator))
    case .readRevision(let id):
      return .revision(revision(id, &generator))
    case .mint:
      let offset = Int.random(in: -4000...4000, using: &generator)
      let entropy = UInt32.random(in: 0...3, using: &generator)
      return .minted(now: Sample.noon.adding(seconds: offset), entropy: entropy)
    case .createRevision(let id, let body):
      checkCreate(id, body)
      return .put(put(&generator, confirming: id))
    case .writePointer(let pointer, let precondition):
      checkWrite(pointer, precondition)
      return .put(put(&generator, confirming: nil))
    case .backOff(let attempt):
      #expect((1..<PublishMachine.maximumAttempts).contains(attempt))
      return .rested
    case .finish, .fail:
      preconditionFailure("handled by run")
    }
  }

  private func pointer(_ generator: inout SplitMix64) -> PointerReading {
    switch Int.random(in: 0...5, using: &generator) {
    case 0: return .absent
    case 1: return .corrupt(ETag("c\(Int.random(in: 0...9, using: &generator))"), [])
    case 2: return .corrupt(nil, [])
    default:
      // Mostly old, so that walks get past the survey and into contention.
      let pool = luck == 0 ? adversary.ids[...] : adversary.ids.prefix(5)
      let id = pool.randomElement(using: &generator) ?? Sample.id(0)
      let etag = ETag("v\(Int.random(in: 0...9, using: &generator))")
      return .valid(LatestPointer(date: adversary.draft.day.date, revisionID: id), etag)
    }
  }

  private mutating func revision(
    _ id: RevisionID, _ generator: inout SplitMix64
  ) -> RevisionReading {
    absentWasRead = false
    switch Int.random(in: 0...7, using: &generator) {
    case 0: return .tooLarge
    case 1: return Sample.rubbish
    case 2, 3:
      absentWasRead = true
      return .absent
    case 4:
      if let reading = adversary.equal[id] {
        validRead.insert(id)
        return reading
      }
    case 5:
      if let lastCreate, lastCreate.id == id {
        confirmed.insert(id)
        return .found(lastCreate.body, lastModified: 7)
      }
    default: break
    }
    guard let reading = adversary.different[id] else { return Sample.rubbish }
    validRead.insert(id)
    return reading
  }

  private mutating func put(
    _ generator: inout SplitMix64, confirming id: RevisionID?
  ) -> PublishMachine.PutAnswer {
    let draw = Int.random(in: 0...7, using: &generator)
    guard draw < luck else { return draw.isMultiple(of: 2) ? .refused : .unknown }
    if let id { confirmed.insert(id) }
    return .stored
  }

  private mutating func checkCreate(_ id: RevisionID, _ body: [UInt8]) {
    creates += 1
    #expect(creates <= PublishMachine.maximumAttempts, "R23")
    if let lastCreate, lastCreate.id == id {
      #expect(lastCreate.body == body && absentWasRead, "R23: the same create, of an absent key")
    } else {
      #expect(seen.allSatisfy { $0 < id }, "R21: above every id seen")
    }
    #expect(confirmed.isEmpty, "R22: one revision a publish")
    seen.insert(id)
    lastCreate = (id, body)
  }

  private mutating func checkWrite(_ pointer: LatestPointer, _ precondition: Precondition) {
    writes += 1
    #expect(movesPointer, "R24")
    #expect(writes <= PublishMachine.maximumAttempts, "R25")
    #expect(precondition == reading.replacement, "R25: under what was read last")
    if let named = reading.revisionID { #expect(pointer.revisionID > named, "R25: greater") }
    #expect(
      confirmed.contains(pointer.revisionID) || validRead.contains(pointer.revisionID),
      "R22, R26: only what is certainly stored")
  }

  private func check(_ outcome: PublishOutcome) {
    let id = outcome.revisionID
    switch outcome {
    case .published, .pointerSkipped: #expect(confirmed.contains(id))
    case .superseded(_, let newer): #expect(confirmed.contains(id) && newer > id)
    case .unchanged, .keptNewer: #expect(validRead.contains(id) && creates == 0)
    }
  }

  private func word(_ failure: PublishFailure) -> String {
    switch failure {
    case .revisionUnconfirmed: "unconfirmed"
    case .pointerContended: "contended"
    case .noGreaterID: "noGreaterID"
    case .neverSettled: "neverSettled"
    case .invalid: "invalid"
    case .tooLarge: "tooLarge"
    }
  }
}
