/// Stores a marker and then the parts of one sealed batch, as a pure state machine (R46, R49).
///
/// It does no I/O and reads no clock. Perform the action that `start()` returns, then pass each
/// answer to `handle` until the machine confirms or fails. If a request certainly failed, stop:
/// nothing was confirmed, and appending the same batch again is harmless.
///
/// Three properties make every crash and every lost answer safe. A marker that covers all moments
/// of the batch is durable before the first part is sent, and it is younger than a minute whenever
/// one is sent, because a sweeper removes markers after twenty. An object is only ever created, and
/// an answer that is not a clear success is followed by a read. And a batch is confirmed only when
/// each part was stored or was read back.
///
/// It ends, however slow the store is: a part is sent `maximumSends` times at most, also when a new
/// marker precedes each send, and before each send at most as many markers.
package struct AppendMachine: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Create the marker under a new random name; the number counts names, from 1.
    case createMarker(Int)
    /// Read the marker under that name.
    case readMarker(Int)
    /// Create a part under If-None-Match, by its index.
    case createPart(Int)
    /// Read a part and check it.
    case readPart(Int)
    /// Wait before another attempt, counted from 1.
    case rest(attempt: Int)
    /// Every part is durable.
    case confirm
    /// Give up.
    case fail(Failure)
  }

  package enum Event: Hashable, Sendable {
    case put(PutAnswer)
    case read(Reading)
    case rested
  }

  /// The answer to a create.
  package enum PutAnswer: Hashable, Sendable {
    case stored
    /// 412, or another write in progress: somebody's create was there first, or an earlier send of
    /// this one.
    case refused
    /// It may have been applied, or may be applied later.
    case unknown
  }

  /// What a read found under a key.
  package enum Reading: Hashable, Sendable {
    case absent
    /// The content that was to be stored.
    case same
    /// Anything else.
    case other
  }

  package enum Failure: Hashable, Sendable {
    /// An object got no clear answer to any attempt. `part` is nil for the marker, whose answer must
    /// also come while it is younger than `maximumMarkerAge`.
    case unanswered(part: Int?)
    /// Something else is stored under the key.
    case occupied(part: Int?)
  }

  /// How often one object is sent before the machine gives up.
  package static let maximumSends = 8
  /// How old a marker may be, in seconds, when a part is sent.
  package static let maximumMarkerAge = 60

  package let partCount: Int
  package let needsMarker: Bool
  private var state = State.idle
  /// How often the part was sent.
  private var sends = 0
  /// How often markers were sent since the last part was.
  private var markerSends = 0
  /// How many names of markers were used.
  private var markers = 0
  /// The part to send next, or being sent.
  private var part = 0

  private enum State: Hashable, Sendable {
    case idle
    case creatingMarker
    case readingMarker
    case restingBeforeMarker
    case creatingPart
    case readingPart
    case restingBeforePart
    case ended
  }

  /// - Parameters:
  ///   - partCount: at least 1.
  ///   - needsMarker: whether days are derived from the stream.
  package init(partCount: Int, needsMarker: Bool) {
    (self.partCount, self.needsMarker) = (partCount, needsMarker)
  }

  package mutating func start() -> Action {
    needsMarker ? createMarker(isNew: true) : createPart(markerAge: 0)
  }

  /// The next action after an answer.
  ///
  /// - Parameter markerAge: whole seconds since the last marker was first sent.
  package mutating func handle(_ event: Event, markerAge: Int) -> Action {
    switch (state, event) {
    case (.creatingMarker, .put(.stored)), (.readingMarker, .read(.same)):
      return createPart(markerAge: markerAge)
    case (.creatingMarker, .put):
      state = .readingMarker
      return .readMarker(markers)
    case (.readingMarker, .read(.absent)):
      return rest(.restingBeforeMarker, after: markerSends, .unanswered(part: nil))
    case (.readingMarker, .read(.other)): return fail(.occupied(part: nil))
    case (.restingBeforeMarker, .rested): return createMarker(isNew: false)
    case (.creatingPart, .put(.stored)), (.readingPart, .read(.same)):
      (part, sends) = (part + 1, 0)
      return createPart(markerAge: markerAge)
    case (.creatingPart, .put):
      state = .readingPart
      return .readPart(part)
    case (.readingPart, .read(.absent)):
      return rest(.restingBeforePart, after: sends, .unanswered(part: part))
    case (.readingPart, .read(.other)): return fail(.occupied(part: part))
    case (.restingBeforePart, .rested): return createPart(markerAge: markerAge)
    default: preconditionFailure("\(event) does not answer what was asked in \(state)")
    }
  }

  private mutating func createMarker(isNew: Bool) -> Action {
    guard markerSends < Self.maximumSends else { return fail(.unanswered(part: nil)) }
    if isNew { markers += 1 }
    state = .creatingMarker
    markerSends += 1
    return .createMarker(markers)
  }

  private mutating func createPart(markerAge: Int) -> Action {
    guard part < partCount else {
      state = .ended
      return .confirm
    }
    if needsMarker, markerAge >= Self.maximumMarkerAge { return createMarker(isNew: true) }
    state = .creatingPart
    (sends, markerSends) = (sends + 1, 0)
    return .createPart(part)
  }

  private mutating func rest(_ next: State, after sends: Int, _ failure: Failure) -> Action {
    guard sends < Self.maximumSends else { return fail(failure) }
    state = next
    return .rest(attempt: sends)
  }

  private mutating func fail(_ failure: Failure) -> Action {
    state = .ended
    return .fail(failure)
  }
}
