import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// A publish machine driven by hand: each call gives an event and holds the next action.
struct PublishBench {
  var machine: PublishMachine
  private(set) var action: PublishMachine.Action
  let draft: DayDraft

  init(
    _ draft: DayDraft, movesPointer: Bool = true, known: DayKnowledge? = nil
  ) {
    self.draft = draft
    machine = PublishMachine(draft, movesPointer: movesPointer)
    action = machine.start(known: known)
  }

  /// A machine about to create its revision on an empty day, at noon.
  static func creating(_ draft: DayDraft, movesPointer: Bool = true) throws -> PublishBench {
    var bench = PublishBench(draft, movesPointer: movesPointer)
    bench.give(.pointer(.absent))
    bench.give(.revisions([]))
    bench.give(.minted(now: Sample.noon, entropy: 0xABCDEF))
    _ = try bench.created
    return bench
  }

  /// A machine whose first write of the pointer, on an empty day, is in flight.
  static func moving(_ draft: DayDraft) throws -> PublishBench {
    var bench = try creating(draft)
    bench.give(.put(.stored))
    _ = try bench.written
    return bench
  }

  @discardableResult
  mutating func give(_ event: PublishMachine.Event) -> PublishMachine.Action {
    action = machine.handle(event)
    return action
  }

  /// Gives a reading of the day's pointer.
  @discardableResult
  mutating func givePointer(to id: RevisionID, etag: String = "\"p\"") -> PublishMachine.Action {
    let value = LatestPointer(date: draft.day.date, revisionID: id)
    return give(.pointer(.valid(value, ETag(etag))))
  }

  /// The create that the action is.
  var created: (id: RevisionID, body: [UInt8]) {
    get throws {
      guard case .createRevision(let id, let body) = action else {
        throw Unexpected(action: action)
      }
      return (id, body)
    }
  }

  /// The pointer write that the action is.
  var written: (id: RevisionID, precondition: Precondition) {
    get throws {
      guard case .writePointer(let pointer, let precondition) = action else {
        throw Unexpected(action: action)
      }
      return (pointer.revisionID, precondition)
    }
  }

  struct Unexpected: Error { let action: PublishMachine.Action }
}
