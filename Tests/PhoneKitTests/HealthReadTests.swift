import HealthCollector
import HealthModel
import HealthStreams
import PhoneKit
import Synchronization
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// How Health is read: while the app is kept awake, and again after a failure.
@Suite(.unit) struct HealthReadTests {
  /// Health that says whenever it is read.
  private final class WatchedHealth: PhoneHealthSource {
    private let health: RehearsedHealth
    private let isRead: @Sendable () -> Void

    init(_ health: RehearsedHealth, isRead: @escaping @Sendable () -> Void) {
      (self.health, self.isRead) = (health, isRead)
    }

    func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
      isRead()
      return try await health.changes(of: feed, since: anchor)
    }

    func announcements(of feed: String) -> AsyncStream<Void> { health.announcements(of: feed) }

    func samples(
      of kind: SampleKind, from start: Timestamp, to end: Timestamp
    ) async throws -> [StreamEntry] {
      isRead()
      return try await health.samples(of: kind, from: start, to: end)
    }

    func workouts(from start: Timestamp, to end: Timestamp) async throws -> [Workout] {
      isRead()
      return try await health.workouts(from: start, to: end)
    }

    func first(of kind: SampleKind?) async throws -> Timestamp? {
      isRead()
      return try await health.first(of: kind)
    }

    var status: HealthAuthorizationStatus { health.status }
    func request() async throws -> HealthAuthorizationStatus { try await health.request() }
  }

  private struct Awake {
    var now = 0
    var begun = 0
    var reads = 0
    var readsAsleep = 0
  }

  @Test func `what is collected and uploaded keeps the app awake, and nothing else does`()
    async throws
  {
    let app = try RehearsedApp()
    _ = try await app.service()
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 1)
    let awake = Mutex(Awake())
    var environment = app.environment
    environment.stayAwake = { _ in
      awake.withLock { ($0.now, $0.begun) = ($0.now + 1, $0.begun + 1) }
      return { awake.withLock { $0.now -= 1 } }
    }
    environment.health = WatchedHealth(app.health) {
      awake.withLock {
        $0.reads += 1
        if $0.now == 0 { $0.readsAsleep += 1 }
      }
    }
    let service = try PhoneService(environment)
    try await service.setRunning(true)
    #expect(awake.withLock(\.begun) == 0)
    for run in [BackgroundTask.refresh, .processing, .sync] { _ = await service.run(run) }
    _ = await service.syncNow()
    _ = await service.firstSyncPiece()
    #expect(awake.withLock(\.begun) == 5 && awake.withLock(\.now) == 0)
    #expect(awake.withLock(\.reads) > 0 && awake.withLock(\.readsAsleep) == 0)
    let point = try LocationPoint(
      timestamp: "\(app.now)", latitude: 48.5, longitude: 16.25, altitude: 1, speed: 1,
      horizontalAccuracy: 5, verticalAccuracy: 3
    ).entry()
    #expect(try await service.take([point]) == 1)
    #expect(awake.withLock(\.begun) == 6 && awake.withLock(\.now) == 0)
  }

  @Test func `a run ends when the system's time is over, and the next one goes on with it`()
    async throws
  {
    let app = try RehearsedApp()
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 1)
    let starting = try await app.service()
    try await starting.setRunning(true)
    var environment = app.environment
    let isShort = Mutex(true)
    environment.stayAwake = { expired in
      if isShort.withLock({ $0 }) { expired() }
      return {}
    }
    let service = try PhoneService(environment)
    #expect(await service.run(.processing).isComplete == false)
    isShort.withLock { $0 = false }
    await app.runToItsEnd(service)
    #expect(try await service.status()?.streamCounts[.healthKit]?.pending == 1)
  }

  @Test func `a question to Health that fails is asked once more, and a refusal is not`()
    async throws
  {
    let app = try RehearsedApp()
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 1)
    let service = try await app.service()
    try await service.setRunning(true)
    app.health.fail(1)
    let report = await service.run(.refresh)
    #expect(!report.messages.contains { $0.hasPrefix("collect") }, "\(report.messages)")
    #expect(try await service.status()?.streamCounts[.healthKit]?.pending == 1)
    app.health.fail(2)
    let failed = await service.run(.refresh)
    #expect(failed.messages.contains { $0.contains("Health is locked") }, "\(failed.messages)")
    app.health.allow(.denied)
    let before = app.health.reads
    _ = await service.syncNow()
    #expect(app.health.reads - before == HealthKitSampling.types.count)
  }

  @Test func `a workout has all eleven figures that Health gives`() throws {
    var running = HealthKitWorkout(
      id: "0D0A5C1E-0000-4000-8000-100000000001", activity: 37, start: 1000.5, end: 4600.5,
      duration: 3000, source: "Watch")
    running.sums = [
      .distanceWalkingRunning: 10_000, .activeEnergyBurned: 700, .basalEnergyBurned: 100,
      .stepCount: 9000, .swimmingStrokeCount: 5,
    ]
    running.means = [.heartRate: 150, .runningSpeed: 12.5]
    running.highest = [.heartRate: 180, .runningSpeed: 16]
    (running.elevationAscended, running.elevationDescended) = (120, 90)
    let workout = running.workout
    #expect(workout.activity == "Running" && workout.start == 1000 && workout.duration == 3000)
    #expect(
      workout.figures == [
        .distance: 10_000, .totalEnergy: 800, .activeEnergy: 700, .averageHeartRate: 150,
        .maximumHeartRate: 180, .averageSpeed: 12.5, .maximumSpeed: 16, .steps: 9000,
        .swimmingStrokes: 5, .elevationAscended: 120, .elevationDescended: 90,
      ])
    #expect(Set(workout.figures.keys) == Set(WorkoutFigure.allCases))
    // Without samples of the speed: what the app wrote, else the distance over the time.
    (running.means, running.highest) = ([:], [:])
    #expect(abs((running.workout.figures[.averageSpeed] ?? 0) - 12) < 1e-9)
    (running.averageSpeed, running.maximumSpeed) = (2.5, 5)
    #expect(abs((running.workout.figures[.averageSpeed] ?? 0) - 9) < 1e-9)
    #expect(abs((running.workout.figures[.maximumSpeed] ?? 0) - 18) < 1e-9)
    #expect(running.workout.figures[.averageHeartRate] == nil)
  }

  @Test func `the distance of a workout is its own kind's, and of several sports their sum`() {
    func distance(_ activity: UInt, _ sums: [SampleKind: Double]) -> Double? {
      var workout = HealthKitWorkout(
        id: "a", activity: activity, start: 0, end: 60, duration: 60, source: "")
      workout.sums = sums
      return workout.workout.figures[.distance]
    }
    let sums: [SampleKind: Double] = [.distanceCycling: 20_000, .distanceWalkingRunning: 300]
    #expect(WorkoutNames.name(ofActivity: 13) == "Cycling" && distance(13, sums) == 20_000)
    #expect(WorkoutNames.name(ofActivity: 82) == "SwimBikeRun" && distance(82, sums) == 20_300)
    #expect(distance(37, [:]) == nil)
  }
}
