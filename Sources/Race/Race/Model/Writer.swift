import HealthLedger
import HealthModel
import ObjectStore

/// The ledger's own publish machine, or the same machine with one decision removed.
struct Writer: Hashable {
  /// The action of a writer. Unlike the ledger, a broken one can make a blind write.
  enum Call: Hashable {
    case ledger(PublishMachine.Action)
    case writePointer(LatestPointer, if: Precondition?)
  }

  private(set) var machine: PublishMachine
  private let flaw: LedgerFlaw?
  private var reading: PointerReading = .absent
  /// The pointer's value that a broken protocol is about to write.
  private var held: LatestPointer?
  /// The create that waits for a pointer that was written too early.
  private var heldCreate: PublishMachine.Action?
  private var isWritingPointer = false
  /// Counted only where it matters. Otherwise equal states would differ by it.
  private var refusals = 0

  init(_ draft: DayDraft, movesPointer: Bool, flaw: LedgerFlaw?) {
    machine = PublishMachine(draft, movesPointer: movesPointer)
    machine.omits =
      switch flaw {
      case .parentIsEnough: .aboveParent
      case .pointerNotRead: .ofPointer
      default: nil
      }
    self.flaw = flaw
  }

  /// The same for all that follows.
  ///
  /// - Parameter countsSends: whether it may run out of them.
  func deciding(countsSends: Bool) -> Writer {
    var writer = self
    writer.machine = machine.deciding
    if !countsSends { (writer.machine.sends, writer.machine.passes) = (0, 0) }
    return writer
  }

  /// Equal for equal writers, and for few others.
  var sketch: Int { machine.sketch }

  mutating func start() -> Call { call(machine.start()) }

  mutating func handle(_ event: PublishMachine.Event) -> Call {
    if case .pointer(let seen) = event { reading = seen }
    if let create = heldCreate {
      heldCreate = nil
      return .ledger(create)
    }
    if case .pointer(let seen) = event, let value = held {
      held = nil
      switch flaw {
      case .noComparison: return write(value, if: seen.replacement)
      default:
        // Head then put.
        if let named = seen.revisionID, named >= value.revisionID {
          return call(machine.handle(.put(.refused)))
        }
        return write(value, if: nil)
      }
    }
    guard case .put(let answer) = event, isWritingPointer else {
      return call(machine.handle(event))
    }
    isWritingPointer = false
    return pointerAnswered(answer)
  }

  private mutating func pointerAnswered(_ answer: PublishMachine.PutAnswer) -> Call {
    if answer == .refused, flaw == .noComparison || flaw == .blindAfterConflicts { refusals += 1 }
    switch (flaw, answer) {
    case (.refusedIsSuccess, .refused), (.ambiguousIsSuccess, .unknown):
      return call(machine.handle(.put(.stored)))
    case (.refusedIsFailure, .refused):
      let mine = machine.storedRevision.map(PublishFailure.pointerContended)
      return mine.map { .ledger(.fail($0)) } ?? call(machine.handle(.put(answer)))
    case (.noComparison, .refused), (.noComparison, .unknown):
      guard refusals < PublishMachine.maximumAttempts, let stored = machine.storedRevision else {
        return call(machine.handle(.put(answer)))
      }
      held = LatestPointer(date: machine.draft.day.date, revisionID: stored)
      return .ledger(.readPointer)
    default: return call(machine.handle(.put(answer)))
    }
  }

  private mutating func call(_ action: PublishMachine.Action) -> Call {
    var action = action
    // Waiting takes no time, because every other order of steps is explored anyway.
    while case .backOff = action { action = machine.handle(.rested) }
    switch action {
    case .listRevisions where flaw == .looksOnce:
      return machine.storedRevision.map { .ledger(.finish(.pointerSkipped($0))) } ?? .ledger(action)
    case .writePointer(let value, let precondition):
      switch flaw {
      case .blindPut: return write(value, if: nil)
      case .blindAfterConflicts where refusals >= 2: return write(value, if: nil)
      case .headThenPut:
        held = value
        return .ledger(.readPointer)
      default: return write(value, if: precondition)
      }
    case .createRevision(let id, _) where flaw == .pointerBeforeRevision:
      heldCreate = action
      let value = LatestPointer(date: machine.draft.day.date, revisionID: id)
      return .writePointer(value, if: reading.replacement)
    default: return .ledger(action)
    }
  }

  private mutating func write(_ value: LatestPointer, if precondition: Precondition?) -> Call {
    isWritingPointer = true
    return .writePointer(value, if: precondition)
  }
}
