package import HealthModel

/// Resolves one date, as a pure state machine (R30). The answer is the greatest readable revision
/// among the pointer's and those listed after it. So a stale, dangling, corrupt or missing pointer
/// hides nothing.
package struct ResolveMachine: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case readPointer
    /// List the day's revision ids greater than this one, or all of them.
    case listRevisions(after: RevisionID?)
    case readRevision(RevisionID)
    case finish(Resolution)
  }

  package enum Event: Hashable, Sendable {
    case pointer(PointerReading)
    case revisions([RevisionID])
    case revision(RevisionReading)
  }

  package let date: CalendarDate
  private var state: State = .idle
  private var pointer: PointerReading = .absent
  private var rejected: [RejectedRevision] = []
  /// Ids from an earlier listing of the whole day, if there was one.
  private var listed: [RevisionID]?

  private enum State: Hashable, Sendable {
    case idle
    case readingPointer
    case listingNewer
    case listingAll
    /// Tries ids, greatest first. `isComplete` means that there are no older ids that were not
    /// listed.
    case trying(RevisionID, rest: [RevisionID], isComplete: Bool)
    case ended
  }

  package init(_ date: CalendarDate) { self.date = date }

  /// The first action. With `known`, requests that a listing has already answered are skipped.
  package mutating func start(known: DayKnowledge? = nil) -> Action {
    listed = known?.revisions
    guard let reading = known?.pointer else {
      state = .readingPointer
      return .readPointer
    }
    return handlePointer(reading)
  }

  package mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.readingPointer, .pointer(let reading)):
      return handlePointer(reading)
    case (.listingNewer, .revisions(let ids)):
      return tryAll(ids, isComplete: pointer.revisionID == nil)
    case (.listingAll, .revisions(let ids)):
      let tried = Set(rejected.map(\.id))
      return tryNext(ids.filter { !tried.contains($0) }.sorted(by: >), isComplete: true)
    case (.trying(let id, let rest, let isComplete), .revision(let reading)):
      return tried(id, reading, rest, isComplete)
    default:
      preconditionFailure("the event does not answer the action that was given")
    }
  }

  private mutating func handlePointer(_ reading: PointerReading) -> Action {
    pointer = reading
    if let listed { return tryAll(listed, isComplete: true) }
    state = .listingNewer
    return .listRevisions(after: reading.revisionID)
  }

  private mutating func tryAll(_ ids: [RevisionID], isComplete: Bool) -> Action {
    let named = [pointer.revisionID].compactMap(\.self)
    return tryNext(Set(ids + named).sorted(by: >), isComplete: isComplete)
  }

  private mutating func tryNext(_ candidates: [RevisionID], isComplete: Bool) -> Action {
    guard let first = candidates.first else {
      guard isComplete else {
        // The pointer names no readable revision, so there may be older ones that were never
        // listed.
        state = .listingAll
        return .listRevisions(after: nil)
      }
      return end(nil)
    }
    state = .trying(first, rest: Array(candidates.dropFirst()), isComplete: isComplete)
    return .readRevision(first)
  }

  private mutating func tried(
    _ id: RevisionID, _ reading: RevisionReading, _ rest: [RevisionID], _ isComplete: Bool
  ) -> Action {
    switch reading {
    case .object(let object):
      let decoded = object.decoded(date: date, id: id)
      if let revision = decoded.revision {
        return end(
          StoredRevision(
            id: id, revision: revision, body: object.body, lastModified: object.lastModified,
            violations: decoded.violations, notes: decoded.notes, isCanonical: decoded.isCanonical))
      }
      rejected.append(RejectedRevision(id: id, reason: .invalid(decoded.violations.obstaclesFirst)))
    case .absent:
      // If only a listing had it, it has been deleted since, and the day no longer has it.
      if id == pointer.revisionID { rejected.append(RejectedRevision(id: id, reason: .missing)) }
    case .tooLarge:
      rejected.append(RejectedRevision(id: id, reason: .invalid([.revisionTooLarge])))
    }
    return tryNext(rest, isComplete: isComplete)
  }

  private mutating func end(_ latest: StoredRevision?) -> Action {
    state = .ended
    return .finish(
      Resolution(date: date, latest: latest, pointer: pointer, rejected: rejected))
  }
}

extension [Violation] {
  /// The violations, beginning with those that prevent reading the document, otherwise in the
  /// document's order.
  fileprivate var obstaclesFirst: [Violation] {
    filter(\.hidesDocument) + filter { !$0.hidesDocument }
  }
}
