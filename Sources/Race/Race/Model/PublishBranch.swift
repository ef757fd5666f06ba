import HealthLedger
import HealthModel

/// Every decision of the publish machine that can occur in a schedule.
package enum PublishBranch: String, CaseIterable, Hashable, Sendable {
  case pointerAbsent = "survey: the pointer is absent"
  case pointerValid = "survey: the pointer is valid"
  case pointerCorrupt = "survey: the pointer is corrupt"
  case nothingToCompare = "survey: no revision to compare with"
  case skipInvalid = "survey: a candidate is missing or invalid, the next is read"
  case lastInvalid = "survey: the last candidate is missing or invalid"
  case joinsMore = "survey: the words of a further revision are joined"
  case payloadDiffers = "survey: the day lacks what the source says"
  case unchanged = "survey: the day has it, the pointer is at it"
  case healed = "survey: the day has it, the pointer is behind and is moved"
  case mintedByClock = "mint: by the clock"
  case mintedAboveGreatest = "mint: above the greatest id, because the clock is behind it"
  case mintedInLastSecond = "mint: above the greatest id by its suffix, at the calendar's end"
  case created = "create: stored"
  case skipped = "create: confirmed, no pointer in a store without compare-and-swap"
  case createRefused = "create: refused, read back"
  case createUnknown = "create: no clean answer, read back"
  case ownBytes = "read back: our own bytes"
  case nothingThere = "read back: nothing there, sent again"
  case othersBytes = "read back: another's bytes, a new id"
  case createGivenUp = "read back: given up after 16 sends"
  case moved = "pointer: moved"
  case moveRefused = "pointer: refused, the day is surveyed again"
  case moveUnknown = "pointer: no clean answer, the day is surveyed again"
  case moveGivenUp = "pointer: given up after 16 writes"
  case settled = "surveyed again: the day has all, and the pointer is at it or above"
  case movedOn = "surveyed again: the day has all, and the pointer is moved"
  case joinedAgain = "surveyed again: the day lacks what the source says, a further revision"

  /// The branches that the machine took for one event.
  static func taken(
    _ before: PublishMachine, _ request: PublishMachine.Action, _ event: PublishMachine.Event,
    _ call: Writer.Call
  ) -> [PublishBranch] {
    switch (request, event) {
    case (.readPointer, .pointer(let reading)):
      guard before.storedRevision == nil else { return [] }
      return switch reading {
      case .absent: [.pointerAbsent]
      case .valid: [.pointerValid]
      case .corrupt: [.pointerCorrupt]
      }
    case (.listRevisions, .revisions):
      return before.storedRevision == nil && call == .ledger(.mint) ? [.nothingToCompare] : []
    case (.readRevision, .revision(let reading)):
      return revisionRead(before, reading, call)
    case (.mint, .minted(let now, _)):
      guard case .ledger(.createRevision(let id, _)) = call else { return [] }
      guard id.timestamp < .last else { return [.mintedInLastSecond] }
      return [id.timestamp == now ? .mintedByClock : .mintedAboveGreatest]
    case (.createRevision, .put(let answer)):
      let word: PublishBranch =
        answer == .stored ? .created : answer == .refused ? .createRefused : .createUnknown
      return call.hasSkippedPointer ? [word, .skipped] : [word]
    case (.writePointer, .put(let answer)):
      if answer == .stored { return [.moved] }
      let word: PublishBranch = answer == .refused ? .moveRefused : .moveUnknown
      return call.hasFailed ? [word, .moveGivenUp] : [word]
    default: return []
    }
  }

  private static func revisionRead(
    _ before: PublishMachine, _ reading: RevisionReading, _ call: Writer.Call
  ) -> [PublishBranch] {
    if before.readsBack {
      switch call {
      case .writePointer: return [.ownBytes]
      case _ where call.hasSkippedPointer: return [.ownBytes, .skipped]
      case .ledger(.createRevision): return [.nothingThere]
      case .ledger(.mint): return [.othersBytes]
      default: return call.hasFailed ? [.createGivenUp] : []
      }
    }
    let isValid = reading.body.map { !$0.starts(with: Array("{}".utf8)) } ?? false
    let isAgain = before.storedRevision != nil
    switch call {
    case .ledger(.readRevision): return isValid ? [.joinsMore] : [.skipInvalid]
    case .ledger(.finish): return [isAgain ? .settled : .unchanged]
    case .writePointer: return [isAgain ? .movedOn : .healed]
    case .ledger(.mint): return [isAgain ? .joinedAgain : isValid ? .payloadDiffers : .lastInvalid]
    default: return []
    }
  }
}

extension Writer.Call {
  /// A store without compare-and-swap gets no pointer; the day is surveyed again instead.
  fileprivate var hasSkippedPointer: Bool {
    if case .ledger(.listRevisions) = self { true } else { false }
  }
  fileprivate var hasFailed: Bool { if case .ledger(.fail) = self { true } else { false } }
}
