import HealthModel

/// Compares a draft with the revision that a day has: the decision of R20.
enum DraftComparison: Hashable, Sendable {
  /// The revision conforms and holds the same payload, so there is nothing to store.
  case same
  /// The revision's data was captured later, at this moment, so the revision stays.
  case keepsNewer(capturedAt: Timestamp)
  /// The draft becomes a new revision.
  case differs

  /// - Parameters:
  /// - conforms: whether the revision breaks no rule (R41). A revision that breaks one is never the
  ///   same.
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
  /// When the revision's data was captured: `captured_at`, or `generated_at` if it is absent (R8).
  /// It is limited to the moment of the id, which comes from the clock that orders revisions. Data
  /// is never captured after the revision that holds it, so a later moment comes from a wrong
  /// clock.
  fileprivate func capturedAt(under id: RevisionID) -> Timestamp {
    min(capturedAt ?? generatedAt, id.timestamp)
  }
}
