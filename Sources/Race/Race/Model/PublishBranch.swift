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
  case payloadDiffers = "survey: the newest readable revision differs"
  case keptNewer = "survey: the newest readable revision was captured later and stays"
  case unchanged = "survey: the same payload, the pointer is at it"
  case healed = "survey: the same payload, the pointer is behind and is moved"
  case mintedByClock = "mint: by the clock"
  case mintedAboveGreatest = "mint: above the greatest id, because the clock is behind it"
  case noGreaterID = "mint: no greater id exists"
  case created = "create: stored"
  case skipped = "create: confirmed, no pointer in a store without compare-and-swap"
  case createRefused = "create: refused, read back"
  case createUnknown = "create: no clean answer, read back"
  case ownBytes = "read back: our own bytes"
  case nothingThere = "read back: nothing there, sent again"
  case othersBytes = "read back: another's bytes, a new id"
  case createGivenUp = "read back: given up after 16 sends"
  case moved = "pointer: moved"
  case moveRefused = "pointer: refused, read again"
  case moveUnknown = "pointer: no clean answer, read again"
  case moveGivenUp = "pointer: given up after 16 writes"
  case rereadMine = "read again: it names ours"
  case rereadGreater = "read again: it names a newer one, superseded"
  case rereadSmaller = "read again: it names an older one, written again"
  case rereadLost = "read again: absent or corrupt, newer ids are listed"
  case nothingNewer = "listed: nothing newer, ours is written"
  case newerValid = "listed: a newer readable revision is written"
  case newerInvalid = "listed: a newer one is invalid and skipped"
  case newerWhole = "superseded: the newer revision covers everything"

  /// The branches that the machine took for one event.
  static func taken(
    _ before: PublishMachine, _ request: PublishMachine.Action, _ event: PublishMachine.Event,
    _ call: Writer.Call
  ) -> [PublishBranch] {
    switch (request, event) {
    case (.readPointer, .pointer(let reading)):
      guard let mine = before.storedRevision else {
        switch reading {
        case .absent: return [.pointerAbsent]
        case .valid: return [.pointerValid]
        case .corrupt: return [.pointerCorrupt]
        }
      }
      guard let named = reading.revisionID else { return [.rereadLost] }
      return [named == mine ? .rereadMine : named > mine ? .rereadGreater : .rereadSmaller]
    case (.listRevisions, .revisions):
      if before.storedRevision != nil { return call.isPointerWrite ? [.nothingNewer] : [] }
      return call == .ledger(.mint) ? [.nothingToCompare] : []
    case (.readRevision, .revision(let reading)):
      return revisionRead(before, reading, call)
    case (.mint, .minted(let now, _)):
      guard case .ledger(.createRevision(let id, _)) = call else { return [.noGreaterID] }
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
    if before.storedRevision != nil {
      switch call {
      case .writePointer(let value, _) where value.revisionID != before.storedRevision:
        return [.newerValid]
      case .ledger(.finish): return [.newerWhole]
      case .ledger(.readRevision): return [.newerInvalid]
      default: return [.newerInvalid, .nothingNewer]
      }
    }
    guard before.sentRevision == nil else {
      switch call {
      case .writePointer: return [.ownBytes]
      case _ where call.hasSkippedPointer: return [.ownBytes, .skipped]
      case .ledger(.createRevision): return [.nothingThere]
      case .ledger(.mint): return [.othersBytes]
      default: return call.hasFailed ? [.createGivenUp] : []
      }
    }
    switch call {
    case .ledger(.readRevision): return [.skipInvalid]
    case .ledger(.finish(.keptNewer)): return [.keptNewer]
    case .ledger(.finish): return [.unchanged]
    case .writePointer: return [.healed]
    default:
      let isValid = reading.body.map { !$0.starts(with: Array("{}".utf8)) } ?? false
      return [isValid ? .payloadDiffers : .lastInvalid]
    }
  }
}

extension Writer.Call {
  fileprivate var isPointerWrite: Bool { if case .writePointer = self { true } else { false } }
  /// A store without compare-and-swap gets no pointer; what stands above ours is listed instead.
  fileprivate var hasSkippedPointer: Bool {
    if case .ledger(.listRevisions) = self { true } else { false }
  }
  fileprivate var hasFailed: Bool { if case .ledger(.fail) = self { true } else { false } }
}
