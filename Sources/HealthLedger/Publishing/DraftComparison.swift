import HealthModel

/// A draft beside the revision that a day has: the decision of R20.
enum DraftComparison: Hashable, Sendable {
  /// The revision conforms and holds the same payload: there is nothing to store.
  case same
  /// The revision's data was captured later, at this moment: it stays the answer.
  case keepsNewer(capturedAt: Timestamp)
  /// The draft becomes a new revision.
  case differs

  /// - Parameters:
  ///   - conforms: whether the revision breaks no rule (R41); one that does is never the same.
  init(
    of draft: DayDraft, with revision: DailyRevision, under id: RevisionID, conforms: Bool
  ) {
    let capturedAt = revision.capturedAt(under: id)
    if revision.payload == draft.revision(at: draft.capturedAt).payload {
      self = conforms ? .same : .differs
    } else if draft.keepsNewer, capturedAt > draft.capturedAt {
      self = .keepsNewer(capturedAt: capturedAt)
    } else {
      self = .differs
    }
  }
}

extension DailyRevision {
  /// When the revision's data was captured: `captured_at`, else `generated_at` (R8), and never
  /// later than its id, which is of the clock that orders revisions: no data is captured after the
  /// revision that holds it, so a greater moment is of a clock that is wrong.
  fileprivate func capturedAt(under id: RevisionID) -> Timestamp {
    min(capturedAt ?? generatedAt, id.timestamp)
  }
}
