package import HealthModel

/// What clients of one day saw, with the times at which they asked and were answered.
///
/// Times are of one clock, in any unit, and only their order counts. docs/RACE.md has the file's
/// form.
package struct RaceHistory: Hashable, Sendable {
  /// One client's view of one exchange.
  package struct Event: Hashable, Sendable {
    package var client: String
    package var from: Int
    /// Nil where the client never learned the end: it was killed, or got no clear answer.
    package var to: Int?
    package var observation: Observation
  }

  package enum Observation: Hashable, Sendable {
    /// A publish under this id, and the digest of its bytes; acknowledged if and only if it ended.
    case write(RevisionID, digest: String?, requests: Int?, movesPointer: Bool)
    /// A resolve of the day, with its answer.
    case read(RevisionID?)
    /// A look at the raw `latest.json`.
    case pointer(Pointer)
    /// A look at one revision: the digest of its bytes, nil where there was no such object.
    case revision(RevisionID, digest: String?)
  }

  package enum Pointer: Hashable, Sendable {
    case absent
    case corrupt
    case names(RevisionID)
  }

  package var date: CalendarDate
  /// Most requests that one publish may make.
  package var maximumRequests: Int
  /// What the pointer named before the first event, although no revision of that id was there.
  package var dangling: RevisionID?
  package var events: [Event]
  /// Times are nanoseconds; false where only their order is known.
  package var isInNanoseconds = false

  package init(
    date: CalendarDate, maximumRequests: Int = Self.defaultMaximumRequests,
    dangling: RevisionID? = nil, events: [Event] = []
  ) {
    self.date = date
    self.maximumRequests = maximumRequests
    self.dangling = dangling
    self.events = events
  }

  /// 16 sends of each object with a read or two around each, and the survey (R20 to R27).
  package static let defaultMaximumRequests = 128
}
