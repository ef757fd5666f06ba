import HealthModel
public import ObjectStore

/// The streams in a store: immutable batches below `streams/v0/`, appended, listed and read (R43 to
/// R46).
///
/// It is a value; copies share the store. All methods may run at the same time, in any number of
/// processes on any number of machines.
public struct StreamStore: Sendable {
  /// The store that holds the objects.
  public let store: any ObjectStore
  /// Their keys.
  public let layout: StreamLayout
  let compression: any BatchCompression
  /// Computes the SHA-256 of large objects that were read.
  let digest: SealedBatch.Digest
  /// 64 random bits for the name of a marker.
  var random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  /// The time that passes, also while the machine sleeps.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// Waits before an attempt, counted from 1.
  var rest: @Sendable (_ attempt: Int) async throws -> Void = { attempt in
    try await Task.sleep(for: .milliseconds(20 << min(attempt, 6)))
  }

  /// How long an append keeps trying while no write gets a clear answer.
  var patience = UnansweredWrites.patience

  /// The streams below `layout` in `store`.
  public init(
    store: any ObjectStore, layout: StreamLayout = .root, compression: any BatchCompression
  ) {
    self.init(store: store, layout: layout, compression: compression, digest: SealedBatch.digest)
  }

  /// The same, with the SHA-256 of a library, which is faster than the one written in Swift.
  package init(
    store: any ObjectStore, layout: StreamLayout, compression: any BatchCompression,
    digest: @escaping SealedBatch.Digest
  ) {
    (self.store, self.layout) = (store, layout)
    (self.compression, self.digest) = (compression, digest)
  }
}
