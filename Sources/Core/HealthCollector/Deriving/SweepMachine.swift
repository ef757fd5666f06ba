package import HealthModel

/// Makes the days again that markers name, then deletes the markers, as a pure state machine (R49).
///
/// A marker is deleted only if it was old when the days were listed: then the create of its batch
/// has arrived, or never will. Markers that are younger are worked off and stay. So a writer that
/// dies between its marker and its batch, or whose batch arrives late, loses nothing.
package struct SweepMachine: Hashable, Sendable {
  /// A marker as it was listed.
  package struct Marker: Hashable, Sendable {
    /// Its key.
    package let key: String
    /// The dates that its batch touches.
    package let dates: Set<CalendarDate>
    /// Whether it is older than `minimumAge` by the store's clock.
    package let isOld: Bool

    /// A marker.
    package init(key: String, dates: Set<CalendarDate>, isOld: Bool) {
      (self.key, self.dates, self.isOld) = (key, dates, isOld)
    }
  }

  package enum Action: Hashable, Sendable {
    case listMarkers
    /// Run a `DerivationMachine` for the date, from its start.
    case recompute(CalendarDate)
    case deleteMarker(String)
    /// Done. `deleted` of the markers are gone; `kept` are not.
    case finish(deleted: Int, kept: Int)
  }

  package enum Event: Hashable, Sendable {
    case markers([Marker])
    /// Whether the day is settled (`DerivationMachine.Outcome.isSettled`). A date that has not begun
    /// or could not be made is not settled.
    case recomputed(isSettled: Bool)
    case deletedMarker
  }

  /// Seconds after which the create of a batch can't arrive any more: a signed request lives 15
  /// minutes.
  package static let minimumAge = 20 * 60

  private let dates: Set<CalendarDate>
  private var state: State = .idle
  private var markers: [Marker] = []
  /// The dates that are still to be made again, the newest first.
  package private(set) var rest: [CalendarDate] = []
  private var settled: Set<CalendarDate> = []
  private var doomed: [String] = []
  private var deleted = 0

  private enum State: Hashable, Sendable {
    case idle
    case listing
    case recomputing(CalendarDate)
    case deleting
    case ended
  }

  /// - Parameter dates: dates to recompute whatever the markers say.
  package init(dates: Set<CalendarDate> = []) { self.dates = dates }

  /// The first action. Markers are listed before any day is.
  package mutating func start() -> Action {
    state = .listing
    return .listMarkers
  }

  /// The action that follows the answer to the last one.
  package mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.listing, .markers(let markers)):
      self.markers = markers
      rest = markers.reduce(into: dates) { $0.formUnion($1.dates) }.sorted(by: >)
      return next()
    case (.recomputing(let date), .recomputed(let isSettled)):
      if isSettled { settled.insert(date) }
      return next()
    case (.deleting, .deletedMarker):
      deleted += 1
      return delete()
    default:
      preconditionFailure("the event does not answer the action that was given")
    }
  }

  private mutating func next() -> Action {
    if let date = rest.popLast() {
      state = .recomputing(date)
      return .recompute(date)
    }
    doomed = markers.filter { $0.isOld && $0.dates.isSubset(of: settled) }.map(\.key)
    return delete()
  }

  private mutating func delete() -> Action {
    guard let key = doomed.popLast() else {
      state = .ended
      return .finish(deleted: deleted, kept: markers.count - deleted)
    }
    state = .deleting
    return .deleteMarker(key)
  }
}
