import HealthLedger
package import HealthModel

/// What the clients of one day saw, with the times of their requests and answers.
///
/// All times come from one clock, in any unit, and only their order counts. docs/RACE.md describes
/// the file format.
package struct RaceHistory: Hashable, Sendable {
  /// One client's view of one exchange.
  package struct Event: Hashable, Sendable {
    package var client: String
    package var from: Int
    /// Nil if the client never learned the end: it was killed, or got no clear answer.
    package var to: Int?
    package var observation: Observation
  }

  package enum Observation: Hashable, Sendable {
    /// A publish under this id, with the digest of its bytes. It is acknowledged if and only if it
    /// has ended.
    case write(RevisionID, digest: String?, requests: Int?, movesPointer: Bool)
    /// A resolve of the day, with its answer.
    case read(RevisionID?)
    /// A read of the raw `latest.json`.
    case pointer(Pointer)
    /// A read of one revision: the digest of its bytes, nil if there was no such object.
    case revision(RevisionID, digest: String?)
    /// A publish of these numbers, by metric, by a source that has no others. Each number is
    /// published once.
    case said([String: Double])
    /// The numbers that the day shows when nobody publishes any more.
    case shown([String: Double])
  }

  package enum Pointer: Hashable, Sendable {
    case absent
    case corrupt
    case names(RevisionID)
  }

  package var date: CalendarDate
  /// The most requests that one publish may make.
  package var maximumRequests: Int
  /// What the pointer named before the first event, if no revision of that id existed.
  package var dangling: RevisionID?
  package var events: [Event]
  /// True if times are nanoseconds; false if only their order is known.
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

  /// 16 sends of each object, with one or two reads around each, and the survey (R20 to R27).
  package static let defaultMaximumRequests = 128

  /// The same for each of the looks at the day that a publish beside partial sources may need (R20).
  package static let maximumRequestsOfLooks = 128 * PublishMachine.maximumAttempts
}
