import Dispatch
import Foundation
public import HealthModel
package import ObjectStore
import Synchronization

/// Receives batches into a store's streams (R46).
public struct BucketReceiver: BatchReceiver {
  private let streams: StreamStore
  private let feed: String
  private let now: @Sendable () -> Timestamp
  private let clock: ReceiptClock
  private let runs = ReceiptRuns()

  /// A receiver of one feed.
  ///
  /// - Parameters:
  ///   - streams: the streams to store into.
  ///   - feed: where the entries come from: 1 to 64 ASCII letters, digits, `.`, `_` and `-`.
  ///   - now: this machine's clock. It is corrected by the store's, where it has one.
  public init(_ streams: StreamStore, feed: String, now: @escaping @Sendable () -> Timestamp) {
    self.init(
      streams, feed: feed, now: now,
      receipts: ReceiptClock(now: { PreciseMoment(refining: now()) }))
  }

  /// The same.
  ///
  /// - Parameter receipts: puts what is received in one order.
  package init(
    _ streams: StreamStore, feed: String, now: @escaping @Sendable () -> Timestamp,
    receipts: ReceiptClock
  ) {
    (self.streams, self.feed, self.now, clock) = (streams, feed, now, receipts)
  }

  /// Stores the batch and confirms it when every part is durable.
  public func deliver(_ batch: consuming SealedBatch) async -> DeliveryResult {
    let receivedAt = await clock.next(
      by: streams.store, asking: streams.layout.markerKey(batchID: batch.id, random: 0))
    let run = runs.run(of: batch.deviceID, at: receivedAt.timestamp)
    do throws(StreamError) {
      _ = try await streams.append(
        batch, feed: feed, receivedAt: receivedAt, run: run, keeping: nil)
    } catch {
      return .failed(DeliveryFailure(error))
    }
    let known = await streams.store.clockOffset()
    return .confirmed(at: known.map { now().adding(seconds: $0) })
  }
}

extension DeliveryFailure {
  /// What a failure to store a batch means for its delivery.
  init(_ error: StreamError) {
    switch error.code {
    case .invalidBatch: self.init(.refused, error.message)
    case .occupied, .unanswered, .unsafeStore, .tooManyDevices:
      self.init(.server, error.message + (error.key.map { " (\($0))" } ?? ""))
    case .store:
      guard let cause = error.cause else {
        self.init(.server, error.message)
        return
      }
      var said = cause
      said.remedy = nil
      // If there is no store, it does not matter which object was asked for.
      if cause.code == .storeMissing { said.key = nil }
      self.init(Kind(cause), said.description, remedy: cause.remedy)
    }
  }
}

extension DeliveryFailure.Kind {
  fileprivate init(_ error: StoreError) {
    switch error.code {
    case .notAuthorized: self = error.cause == .permission ? .permissionDenied : .unauthorized
    case .tooLarge: self = .tooLarge
    case .unavailable:
      switch error.cause {
      case .noConnection: self = .offline
      case .timeout: self = .timeout
      case .full: self = .storageFull
      case .permission: self = .permissionDenied
      case nil: self = .server
      }
    // Nothing is wrong with the store or the batch: it costs no attempt.
    case .cancelled: self = .offline
    case .storeMissing, .unsupported, .unreadable, .invalidRequest, .internal:
      self = .server
    }
  }
}

/// Gives each receipt a moment that no other one has, later than all that it gave before (R46): of two
/// words about the same thing, the one that was received later counts (R45).
package final class ReceiptClock: Sendable {
  private let now: @Sendable () -> PreciseMoment
  private let shared: @Sendable (PreciseMoment) -> PreciseMoment
  private let last = Mutex<PreciseMoment?>(nil)
  private let hasAsked = Mutex(false)
  /// One after the other, and not on a thread of Swift's pool: `shared` may wait for other programs.
  private let turns = DispatchQueue(label: "HealthStreams.ReceiptClock")

  /// - Parameters:
  ///   - now: this machine's clock.
  ///   - shared: makes a moment later than those of others that are to be in one order with this
  ///     clock, or than those before a restart, and keeps it for them.
  package init(
    now: @escaping @Sendable () -> PreciseMoment = { .now },
    sharing shared: @escaping @Sendable (PreciseMoment) -> PreciseMoment = { $0 }
  ) {
    (self.now, self.shared) = (now, shared)
  }

  /// The next moment.
  ///
  /// - Parameter offset: how far the store's clock is ahead, in seconds.
  package func next(offset: Int = 0) async -> PreciseMoment {
    await withCheckedContinuation { continuation in
      turns.async { [self] in
        var next = now().adding(microseconds: offset * 1_000_000)
        if let last = last.withLock({ $0 }) { next = max(next, last.adding(microseconds: 1)) }
        next = shared(next)
        pass(next)
        continuation.resume(returning: next)
      }
    }
  }

  /// The next moment by the clock of a store, if it has one.
  ///
  /// - Parameter key: what is read if the store has not answered anything yet. Only an answer shows
  ///   its time.
  package func next(by store: any ObjectStore, asking key: ObjectKey) async -> PreciseMoment {
    var offset = await store.clockOffset()
    if offset == nil, !hasAsked.withLock({ $0 }) {
      do throws(StoreError) {
        _ = try await store.get(key, limit: 1)
        hasAsked.withLock { $0 = true }
      } catch {
        // What is stored next shows what is wrong. A refusal shows the time too.
      }
      offset = await store.clockOffset()
    }
    return await next(offset: offset ?? 0)
  }

  /// What is given from now on comes after a moment that others gave.
  package func pass(_ moment: PreciseMoment) {
    last.withLock { $0 = max($0 ?? moment, moment) }
  }
}

extension PreciseMoment {
  /// This machine's clock.
  package static var now: PreciseMoment {
    PreciseMoment(microseconds: Int((Date().timeIntervalSince1970 * 1_000_000).rounded(.down)))
  }

  /// A whole second of this machine's clock as exactly as it is known; of any other clock, its
  /// beginning.
  package init(refining second: Timestamp) {
    let now = PreciseMoment.now
    self = now.timestamp == second ? now : PreciseMoment(second)
  }
}
