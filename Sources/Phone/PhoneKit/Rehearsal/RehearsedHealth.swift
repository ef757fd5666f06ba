public import HealthCollector
public import HealthModel
public import HealthStreams
import Synchronization

/// HealthKit for previews and tests: samples that somebody adds, with anchors, late ones too, and a
/// permission that can be taken back.
public final class RehearsedHealth: PhoneHealthSource {
  private struct State {
    var samples: [(entry: StreamEntry, kind: SampleKind)] = []
    var workouts: [Workout] = []
    var status: HealthAuthorizationStatus
    var reads = 0
    var failures = 0

    /// The samples that were not deleted.
    var held: [(entry: StreamEntry, kind: SampleKind)] {
      let deleted = Set(samples.filter(\.entry.isDeletion).map(\.entry.id))
      return samples.filter { !deleted.contains($0.entry.id) }
    }

    mutating func read() throws {
      reads += 1
      guard failures > 0 else { return }
      failures -= 1
      throw Locked()
    }
  }

  /// Why a read fails, as while the phone is locked.
  private struct Locked: Error, CustomStringConvertible {
    let description = "Health is locked"
  }

  private let state: Mutex<State>
  /// How many samples come at once; there may be more.
  private let limit: Int

  /// A source without samples.
  ///
  /// - Parameters:
  ///   - status: whether it may be read.
  ///   - limit: how many samples come at once.
  public init(_ status: HealthAuthorizationStatus = .authorized, limit: Int = 50) {
    state = Mutex(State(status: status))
    self.limit = limit
  }

  /// Whether it may be read.
  public var status: HealthAuthorizationStatus { state.withLock(\.status) }

  /// How often it was read, by whatever reader.
  public var reads: Int { state.withLock(\.reads) }

  /// Makes the next reads fail.
  public func fail(_ reads: Int) { state.withLock { $0.failures = reads } }

  /// Gives the permission, or takes it back.
  public func allow(_ status: HealthAuthorizationStatus) {
    state.withLock { $0.status = status }
  }

  /// The person allows what they were not asked for yet.
  public func request() async throws -> HealthAuthorizationStatus {
    state.withLock { state in
      if state.status == .notDetermined { state.status = .authorized }
      return state.status
    }
  }

  /// Adds a sample, as by a watch.
  ///
  /// - Parameters:
  ///   - kind: what was measured.
  ///   - value: in the unit of the kind.
  ///   - start: when it begins.
  ///   - seconds: how long it lasts.
  ///   - number: makes its UUID, so that the same number is the same sample.
  public func add(
    _ kind: SampleKind, _ value: Double, at start: Timestamp, lasting seconds: Int = 60,
    number: Int
  ) throws {
    let entry = try StreamEntry(
      .object([
        "sample_type": .string(kind.identifier), "uuid": .string(Self.id(number)),
        "timestamp": .string(start.description),
        "end_timestamp": .string(start.adding(seconds: seconds).description),
        "value": .number(value), "unit": .string(kind.isCategory ? "" : kind.unit.rawValue),
        "source": .string("Watch"),
      ]), of: .healthKit)
    state.withLock { $0.samples.append((entry, kind)) }
  }

  /// Deletes a sample. HealthKit then gives its id alone, so the time is that of the report.
  public func delete(_ kind: SampleKind, number: Int, at moment: Timestamp) throws {
    let entry = try StreamEntry(
      .object([
        "sample_type": .string(kind.identifier), "uuid": .string(Self.id(number)),
        "timestamp": .string(moment.description), "deleted": .bool(true),
      ]), of: .healthKit)
    state.withLock { $0.samples.append((entry, kind)) }
  }

  private static func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Adds a workout.
  public func add(_ workout: Workout) { state.withLock { $0.workouts.append(workout) } }

  /// A part of what was added since an anchor.
  public func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
    let known = anchor.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    return try state.withLock { state in
      try state.read()
      guard state.status == .authorized else { throw PhoneFailure("E005: Health access is denied") }
      if feed == HealthKitWorkout.feed {
        return SampleChanges(
          added: try state.workouts.dropFirst(known).map { try $0.entry }, deleted: [],
          newAnchor: Array("\(state.workouts.count)".utf8), isComplete: true)
      }
      let page = state.samples.dropFirst(known).prefix(limit)
      let own = page.filter { $0.kind.identifier == feed }.map(\.entry)
      return SampleChanges(
        added: own.filter { !$0.isDeletion }, deleted: own.filter(\.isDeletion),
        newAnchor: Array("\(known + page.count)".utf8),
        isComplete: known + page.count == state.samples.count)
    }
  }

  /// No announcement: who wants news asks.
  public func announcements(of feed: String) -> AsyncStream<Void> {
    state.withLock { $0.reads += 1 }
    return AsyncStream { $0.finish() }
  }

  /// The samples of a kind that touch a stretch of time.
  public func samples(
    of kind: SampleKind, from start: Timestamp, to end: Timestamp
  ) async throws -> [StreamEntry] {
    try state.withLock { state in
      try state.read()
      guard state.status == .authorized else { return [] }
      return state.held.filter {
        $0.kind == kind && start <= $0.entry.end && $0.entry.start < end
      }
      .map(\.entry)
    }
  }

  /// The workouts that begin in a stretch of time.
  public func workouts(from start: Timestamp, to end: Timestamp) async throws -> [Workout] {
    try state.withLock { state in
      try state.read()
      return state.workouts.filter {
        start.secondsSince1970 <= $0.start && $0.start < end.secondsSince1970
      }
    }
  }

  /// When the oldest sample of a kind begins, or the oldest workout.
  public func first(of kind: SampleKind?) async throws -> Timestamp? {
    try state.withLock { state in
      try state.read()
      guard state.status == .authorized else { return nil }
      return kind.map { kind in
        state.held.filter { $0.kind == kind }.map(\.entry.start).min()
      } ?? state.workouts.map { Timestamp(secondsSince1970: Int($0.start)) }.min()
    }
  }
}

extension Workout {
  fileprivate var entry: StreamEntry {
    get throws {
      try StreamEntry(
        .object([
          "sample_type": .string(HealthKitWorkout.feed), "uuid": .string(id),
          "timestamp": .string("\(Timestamp(secondsSince1970: Int(start)))"),
          "end_timestamp": .string("\(Timestamp(secondsSince1970: Int(end)))"),
          "value": .number(Double(end - start)), "unit": .string("s"),
        ]), of: .healthKit)
    }
  }
}
