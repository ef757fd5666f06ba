import Gzip
import HealthLedger
import HealthModel
public import HealthStreams
public import ObjectStore

/// A bucket or folder as the receiver of an outbox: batches are stored as objects below
/// `streams/v0/`, packed with gzip (R46).
///
/// A batch is confirmed once all its objects are durable. The same batch may be sent any number of
/// times: it is stored once. Readers count each entry once (R45), so that nothing is doubled even
/// where a batch was cut in two.
///
/// ```swift
/// func backUp(_ outbox: Outbox, to store: any ObjectStore) async throws {
///   let report = try await outbox.sync(to: BucketClient(store, feed: "iphone"))
///   print(report.entries, "entries are in the bucket")
/// }
/// ```
public struct BucketClient: BatchReceiver {
  private let receiver: BucketReceiver

  /// - Parameters:
  ///   - store: `S3Store`, a folder, or a store of your own.
  ///   - layout: where in the store; at its root unless it holds other things too.
  ///   - feed: where the entries come from: 1 to 64 ASCII letters, digits, `.`, `_` and `-`.
  public init(_ store: any ObjectStore, layout: StreamLayout = .root, feed: String) {
    receiver = BucketReceiver(
      StreamStore(store: store, layout: layout, compression: ZlibCompression()), feed: feed,
      now: { .now })
  }

  /// Stores a batch.
  public func deliver(_ batch: consuming SealedBatch) async -> DeliveryResult {
    await receiver.deliver(batch)
  }
}
