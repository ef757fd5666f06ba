/// What a race of compactors begins with, and how much may go wrong in it (R66).
package struct PackScenario: Hashable, Sendable {
  package var flaw = PackFlaw.none
  /// How many compactors there are, and how often each runs.
  package var compactors = 2
  /// How many of them, the last, pack the whole month; the others each date.
  package var whole = 0
  /// Whether the first batches are in a pack of their date, and the late one is of the next.
  package var isPacked = false
  package var isNextDate = false
  /// Whether the packs of a month are listed by a request of their own.
  package var isSplit = false
  package var runs = 2
  /// How often a compactor is killed.
  package var kills = 1
  /// Writes that arrive late or never.
  package var lateWrites = 1
  /// Batches that arrive when the others are packed already.
  package var lateBatches = 1
  /// How often a batch is sent again.
  package var resends = 1
  /// How often somebody reads the month.
  package var reads = 1
  /// How often twenty minutes pass.
  package var pauses = 2

  package init() {}
}

/// A mistake to build into a race of compactors; the oracles must find it.
package enum PackFlaw: String, CaseIterable, Sendable {
  case none
  case notReadBack = "pack-not-read-back"
  case unpackedRemoved = "unpacked-batch-removed"
  case removedAtOnce = "removed-at-once"
  case absentIsGone = "absent-is-gone"
  case replacedUnseen = "replaced-unseen"
  case newOrder = "order-of-the-pack"
  case smallCounts = "small-object-counts"
  case noSecondListing = "no-second-listing"
  case oldPackRemoved = "old-pack-removed"
  case monthUnread = "month-unread"
  case monthUnknown = "month-unknown"
  case bothRemoved = "both-packs-removed"

  /// What is wrong, for people.
  package var summary: String {
    switch self {
    case .none: "the machine as it is"
    case .notReadBack:
      "batches are removed once a pack was sent, wherever it is"
    case .unpackedRemoved: "a batch is removed that came after the pack was made"
    case .removedAtOnce: "batches are removed while a listing may miss their pack"
    case .absentIsGone: "a reader takes a batch for gone that went into a pack"
    case .replacedUnseen:
      "a reader takes a batch that was sent again for the one listed"
    case .newOrder: "a pack says when it was made, not when its batches were received"
    case .smallCounts: "the receipt of a batch that was sent again counts, and not that of its pack"
    case .noSecondListing: "a pack is made of what was listed first, though a pack came since"
    case .oldPackRemoved: "the older of two packs is removed, though only it holds some batch"
    case .monthUnread: "a reader of a date does not look for packs of its month"
    case .monthUnknown: "who packs a date does not know what packs of its month hold"
    case .bothRemoved: "of a date's pack and its month's that hold the same both are removed"
    }
  }

  /// A scenario in which the mistake can do harm.
  package var scenario: PackScenario {
    var scenario = PackScenario()
    scenario.flaw = self
    switch self {
    case .noSecondListing: (scenario.kills, scenario.pauses, scenario.reads) = (0, 3, 0)
    case .removedAtOnce:
      (scenario.compactors, scenario.kills, scenario.pauses) = (1, 0, 0)
      (scenario.lateWrites, scenario.lateBatches, scenario.resends) = (0, 0, 0)
    case .monthUnread:
      (scenario.whole, scenario.isPacked, scenario.isNextDate) = (2, true, true)
    case .monthUnknown: (scenario.whole, scenario.kills, scenario.pauses) = (1, 0, 3)
    case .bothRemoved:
      (scenario.whole, scenario.lateBatches, scenario.resends) = (1, 0, 0)
    case .notReadBack: (scenario.reads, scenario.pauses) = (0, 1)
    default: break
    }
    return scenario
  }
}
