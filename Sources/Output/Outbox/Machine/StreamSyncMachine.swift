public import HealthModel
public import HealthStreams

/// One sync of one stream, as a pure state machine (R48): events in, the next action out.
///
/// It does no I/O and reads no clock. Perform the action that `start()` returns, then pass each
/// result to `handle` until the machine finishes. It may be dropped anywhere: what was not applied
/// is decided again by the next sync.
///
/// **One transaction each**: `.take` (choosing the batch, sealing it, and the time of the attempt),
/// and every `.apply`. A batch is sealed and durable before `.deliver`. Between two actions anything
/// may happen, another sync of the same stream too.
///
/// Each delivery confirms a batch, splits it, or brings the end nearer, so a sync ends:
/// - Offline, without access, or with a batch that failed for the first time, it ends at once.
/// - A batch that failed before may be at fault itself. Then one other batch is tried, so that a
///   batch which the receiver never takes can't hold up those behind it.
/// - After `maximumRefusals` refusals it ends: a server that refuses everything is more likely to
///   be the wrong one than every entry to be bad.
package struct StreamSyncMachine: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Take the batch of this stream that is due, with the fewest attempts, the oldest first. If none
    /// is due, seal the oldest entries that are in no batch.
    case take
    /// Send the batch, byte for byte as it was sealed.
    case deliver(BatchState)
    case apply(OutboxChange)
    case finish(StreamOutcome)
  }

  package enum Event: Hashable, Sendable {
    /// Nil: nothing is due.
    case taken(BatchState?)
    case delivered(DeliveryResult, bytes: Int, now: Timestamp)
    case applied
  }

  /// One bad entry of 5,000 costs at most 26 refusals.
  package static let maximumRefusals = 100

  package private(set) var outcome: StreamOutcome
  private var state: State = .idle
  private var refusals = 0
  private var hasRevived = false
  private var hasSecondChance = true

  private enum State: Hashable, Sendable {
    case idle
    case taking
    case delivering(BatchState)
    /// A change was decided. `goesOn` says whether another batch follows.
    case applying(goesOn: Bool)
    case reviving
    case ended
  }

  package init(stream: StreamName) { outcome = StreamOutcome(stream: stream) }

  package mutating func start() -> Action {
    precondition(state == .idle, "a sync starts once")
    state = .taking
    return .take
  }

  package mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.taking, .taken(nil)):
      return finish()
    case (.taking, .taken(let batch?)):
      state = .delivering(batch)
      return .deliver(batch)
    case (.delivering(let batch), .delivered(let result, let bytes, let now)):
      outcome.requests += 1
      let change = DeliveryRule.change(after: result, of: batch, now: now)
      outcome.count(change, batch, result, bytes: bytes)
      state = .applying(goesOn: goesOn(after: result, of: batch))
      return .apply(change)
    case (.applying(let goesOn), .applied):
      if outcome.batches > 0, !hasRevived {
        // The receiver works again. Batches that were given up while it did not are tried again
        // (R48), once in each sync.
        hasRevived = true
        state = .reviving
        return .apply(.reviveGivenUp)
      }
      return goesOn ? take() : finish()
    case (.reviving, .applied):
      return take()
    default:
      preconditionFailure("the event answers no action of this sync")
    }
  }

  private mutating func goesOn(after result: DeliveryResult, of batch: BatchState) -> Bool {
    guard case .failed(let failure) = result else {
      hasSecondChance = true
      return true
    }
    switch failure.kind {
    case .offline, .unauthorized, .permissionDenied: return false
    case .refused, .tooLarge:
      refusals += 1
      return refusals < Self.maximumRefusals
    case .timeout, .server, .storageFull:
      defer { hasSecondChance = false }
      return hasSecondChance && batch.attempts > 0
    }
  }

  private mutating func take() -> Action {
    state = .taking
    return .take
  }

  private mutating func finish() -> Action {
    state = .ended
    return .finish(outcome)
  }
}

/// What a sync did for one stream.
public struct StreamOutcome: Hashable, Sendable {
  /// The stream.
  public let stream: StreamName
  /// Deliveries, whatever came of them.
  public package(set) var requests = 0
  /// Batches that were confirmed.
  public package(set) var batches = 0
  /// Their entries.
  public package(set) var entries = 0
  /// The bytes of their bodies.
  public package(set) var bytes = 0
  /// Entries that the receiver refuses, and that are set aside as failed.
  public package(set) var quarantined = 0
  /// Entries that were given up after the last attempt.
  public package(set) var givenUp = 0
  /// The receiver's clock at the last confirmation.
  public package(set) var receiverTime: Timestamp?
  /// The last failure, if a batch was neither confirmed nor split.
  public package(set) var failure: DeliveryFailure?

  package init(stream: StreamName) { self.stream = stream }

  /// Whether everything that was due was confirmed. True if nothing was due.
  public var succeeded: Bool { failure == nil }

  fileprivate mutating func count(
    _ change: OutboxChange, _ batch: BatchState, _ result: DeliveryResult, bytes: Int
  ) {
    switch change {
    case .confirm(_, let received, _):
      batches += 1
      entries += batch.entries
      self.bytes += bytes
      receiverTime = received
    case .giveUp: givenUp += batch.entries
    case .quarantine: quarantined += 1
    case .keep, .retry, .split, .reviveGivenUp: break
    }
    if case .failed(let failure) = result {
      if case .split = change { return }
      self.failure = failure
    }
  }
}
