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

/// A stream of raw data, by its name on the wire (R43, R55).
public enum StreamName: String, CaseIterable, Hashable, Sendable {
  /// Where the person was, a point every few seconds.
  case location = "apple_ios_core_location"
  /// What the microphone heard, in chunks that overlap.
  case audio = "apple_ios_mic_audio"
  /// Samples of HealthKit's types.
  case healthKit = "apple_ios_healthkit"
  /// Whole payloads of the app Health Auto Export.
  case healthAutoExport = "health_auto_export"
  /// What apps sent beside points and payloads: messages of other kinds, and points that were
  /// refused.
  case appMessages = "app_messages"

  /// The three that collectors queue, and that a request of R46 carries. A server writes the others.
  public static let collected: [StreamName] = [.location, .audio, .healthKit]

  /// Those that an outbox may hold: what collectors queue, and whole payloads.
  package static let queued = collected + [.healthAutoExport]

  /// The short name that counts and messages use, such as `location`.
  public var shortName: String {
    switch self {
    case .location: "location"
    case .audio: "audio"
    case .healthKit: "healthkit"
    case .healthAutoExport: "payloads"
    case .appMessages: "messages"
    }
  }

  /// The stream of this name, long or short; nil if there is none.
  public init?(named name: String) {
    guard let stream = Self.allCases.first(where: { $0.rawValue == name || $0.shortName == name })
    else { return nil }
    self = stream
  }
}

/// Why streams could not be stored or read.
public struct StreamError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: String, Hashable, Sendable {
    /// The store failed; `cause` says how.
    case store
    /// The batch breaks a bound, or its id is not its digest. Nothing was stored.
    case invalidBatch = "invalid_batch"
    /// An object with other content has the key of a batch or marker.
    case occupied
    /// The store gave no clear answer to any of several attempts.
    case unanswered
    /// The store's create-if-absent is not reliable, so a batch could be replaced.
    case unsafeStore = "unsafe_store"
    /// More devices than one person's streams have (R43).
    case tooManyDevices = "too_many_devices"
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, as one clause without a full stop.
  public let message: String
  /// The object concerned, if there is one.
  public let key: String?
  /// The store's own error.
  public let cause: StoreError?

  init(_ code: Code, _ message: String, key: String? = nil, cause: StoreError? = nil) {
    (self.code, self.message, self.key, self.cause) = (code, message, key, cause)
  }

  init(_ cause: StoreError) {
    self.init(.store, cause.message, key: cause.key, cause: cause)
  }

  /// Turns a store's error into one of streams.
  static func wrapping<Value>(
    _ work: () async throws(StoreError) -> Value
  ) async throws(StreamError) -> Value {
    do throws(StoreError) {
      return try await work()
    } catch {
      throw StreamError(error)
    }
  }
}
