public import HealthModel
import ObjectStore

/// Receives batches into a store's streams (R46).
public struct BucketReceiver: BatchReceiver {
  private let streams: StreamStore
  private let feed: String
  private let now: @Sendable () -> Timestamp
  private let clock: ReceiptClock

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
    do throws(StreamError) {
      _ = try await streams.append(batch, feed: feed, receivedAt: receivedAt, keeping: nil)
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
