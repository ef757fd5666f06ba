import HealthCollector
import HealthModel
import HealthStreams
import Synchronization

/// Health as the app reads it: only while its stream is on, whoever asks. A read that was under way when
/// the stream was turned off gives nothing. One that fails is tried once more after a moment.
final class SwitchedHealth: PhoneHealthSource {
  /// Whether the stream is on; one for all who read.
  final class Switch: Sendable {
    private let state: Mutex<Bool>

    init(isOn: Bool) { state = Mutex(isOn) }

    var isOn: Bool { state.withLock { $0 } }
    func turn(on isOn: Bool) { state.withLock { $0 = isOn } }
  }

  private let source: any PhoneHealthSource
  private let stream: Switch
  private let pause: Duration
  private let blindness = Mutex(false)

  /// - Parameter pause: before a read that failed is tried again.
  init(_ source: any PhoneHealthSource, while stream: Switch, retryingAfter pause: Duration) {
    (self.source, self.stream, self.pause) = (source, stream, pause)
  }

  /// - Throws: while the stream is off.
  func check() throws(PhoneFailure) {
    guard stream.isOn else {
      throw PhoneFailure("Health is turned off; turn it on in Settings > Streams")
    }
  }

  private func read<Value: Sendable>(
    _ body: () async throws -> Value
  ) async throws -> Value {
    try check()
    let value: Value
    do {
      value = try await body()
    } catch let refusal as PhoneFailure {
      // Without the permission the next answer is the same.
      throw refusal
    } catch {
      try await Task.sleep(for: pause)
      try check()
      value = try await body()
    }
    try check()
    return value
  }

  func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
    try await read { try await source.changes(of: feed, since: anchor) }
  }

  /// None while the stream is off. Whoever follows stops when it is turned off.
  func announcements(of feed: String) -> AsyncStream<Void> {
    stream.isOn ? source.announcements(of: feed) : AsyncStream { $0.finish() }
  }

  func samples(
    of kind: SampleKind, from start: Timestamp, to end: Timestamp
  ) async throws -> [StreamEntry] {
    try await read { try await source.samples(of: kind, from: start, to: end) }
  }

  func workouts(from start: Timestamp, to end: Timestamp) async throws -> [Workout] {
    try await read { try await source.workouts(from: start, to: end) }
  }

  func first(of kind: SampleKind?) async throws -> Timestamp? {
    try await read { try await source.first(of: kind) }
  }

  /// Looks whether Health has ever had a sample of any of these kinds for this app. HealthKit does not
  /// say whether reading was refused: a refused type looks like one without data. No phone that is carried
  /// has none of all.
  func look(for kinds: [SampleKind]) async {
    var isBlind = stream.isOn && source.status == .authorized
    for kind in kinds where isBlind {
      do { isBlind = try await first(of: kind) == nil } catch { isBlind = false }
    }
    blindness.withLock { $0 = isBlind }
  }

  /// Whether it saw nothing when it looked last.
  var seesNothing: Bool { blindness.withLock { $0 } }

  /// While the stream is off there is nothing to read, whatever the person allowed.
  var status: HealthAuthorizationStatus {
    guard stream.isOn else { return .unavailable }
    return source.status == .authorized && seesNothing ? .denied : source.status
  }

  func request() async throws -> HealthAuthorizationStatus {
    if stream.isOn { _ = try await source.request() }
    return status
  }
}
