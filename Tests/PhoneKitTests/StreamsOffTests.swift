import HealthCollector
import HealthModel
import HealthStreams
import PhoneKit
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// Health, the place and the microphone are read only while their streams are on, whoever reads.
@MainActor @Suite(.unit) struct StreamsOffTests {
  private struct Phone {
    let app: RehearsedApp
    let model: PhoneModel
    let sensors: RehearsedSensors
  }

  /// A phone whose services run, with a gateway and records, and a day's data of each kind.
  private func phone() async throws -> Phone {
    let (app, sensors) = (try RehearsedApp(), RehearsedSensors())
    let service = try await app.service()
    try await service.change {
      $0.gateways = [PhoneGateway(id: "a", url: "http://127.0.0.1:9", instance: "phone")]
      $0.sendsRecords = true
    }
    try app.health.add(.stepCount, 100, at: app.now.adding(seconds: -60), number: 1)
    app.health.add(
      Workout(
        id: "0d0a5c1e-0000-4000-8000-100000000001", activity: "Running",
        start: Int64(app.now.secondsSince1970 - 600), end: Int64(app.now.secondsSince1970 - 300),
        source: "Watch"))
    let model = try await PhoneModel(
      app.environment, timer: RehearsedTimer(), collecting: sensors)
    await model.launched()
    await model.settings.send(.start)
    return Phone(app: app, model: model, sensors: sensors)
  }

  /// Everything that reads Health, by its name.
  private static let readers: [(name: String, read: @MainActor (PhoneModel) async -> Void)] = [
    ("the task refresh", { await $0.run(.refresh) }),
    ("the task processing", { await $0.run(.processing) }),
    ("news of Health", { _ = await $0.service.newsArrived() }),
    ("\"Sync now\"", { await $0.sync.send(.syncNow) }),
    ("the first sync", { _ = await $0.service.firstSyncPiece() }),
    ("the past of the records", { try? await $0.service.backfillRecords() }),
    ("the records", { try? await $0.service.syncRecords() }),
    ("the records' screen", { await $0.records.send(.syncNow) }),
    ("today's refresh", { await $0.today.refresh() }),
    (
      "the live numbers",
      {
        await $0.today.dashboard.requestAuthorizationAndStart()
        await $0.today.dashboard.refreshMetrics()
        $0.today.dashboard.stopLiveTracking()
      }
    ),
    ("who comes back to the app", { await $0.returned() }),
  ]

  @Test func `Health is read by every reader while its stream is on, and by none while it is off`()
    async throws
  {
    let phone = try await phone()
    func reads(_ read: @MainActor (PhoneModel) async -> Void) async -> Int {
      let before = phone.app.health.reads
      await read(phone.model)
      return phone.app.health.reads - before
    }
    for (name, read) in Self.readers.dropLast() {
      let count = await reads(read)
      #expect(count > 0, "\(name) reads nothing, so this test says nothing of it")
    }
    await phone.model.settings.send(.turned(.healthKit, isOn: false))
    let pushes = try await phone.model.service.logLines().count { $0.type == "push_failed" }
    #expect(pushes > 0)
    for (name, read) in Self.readers {
      let count = await reads(read)
      #expect(count == 0, "\(name) reads Health although its stream is off")
    }
    // Nor is anything of it pushed.
    let after = try await phone.model.service.logLines()
    #expect(after.count { $0.type == "push_failed" } == pushes)
    #expect(!after.contains { $0.type == "collect_failed" })
    // After a restart too, and on again it is read again.
    let again = try await PhoneModel(
      phone.app.environment, timer: RehearsedTimer(), collecting: RehearsedSensors())
    let before = phone.app.health.reads
    await again.launched()
    await again.run(.processing)
    #expect(phone.app.health.reads == before)
    await again.settings.send(.turned(.healthKit, isOn: true))
    await again.run(.processing)
    #expect(phone.app.health.reads > before)
  }

  @Test func `Health that is turned off while the numbers are live ends them, and says so`()
    async throws
  {
    let phone = try await phone()
    await phone.model.today.appeared()
    #expect(phone.model.today.dashboard.isTracking)
    await phone.model.settings.send(.turned(.healthKit, isOn: false))
    #expect(!phone.model.today.dashboard.isTracking)
    #expect(phone.model.today.message?.contains("turned off") == true)
    await phone.model.today.appeared()
    await phone.model.left()
    await phone.model.returned()
    #expect(!phone.model.today.dashboard.isTracking)
    await phone.model.settings.send(.turned(.healthKit, isOn: true))
    await phone.model.today.appeared()
    #expect(phone.model.today.dashboard.isTracking && phone.model.today.message == nil)
    phone.model.today.dashboard.stopLiveTracking()
  }

  @Test(arguments: StreamName.collected)
  func `a stream that is off is stopped, takes nothing, and stays off after a restart`(
    stream: StreamName
  ) async throws {
    let phone = try await phone()
    #expect(phone.sensors.running == Set(StreamName.collected))
    await phone.model.settings.send(.turned(stream, isOn: false))
    #expect(phone.sensors.running == Set(StreamName.collected).subtracting([stream]))
    phone.app.pass(120)
    let moment = "\(phone.app.now)"
    let entries = [
      try LocationPoint(
        timestamp: moment, latitude: 48.5, longitude: 16.25, altitude: 1, speed: 1,
        horizontalAccuracy: 5, verticalAccuracy: 3
      ).entry(),
      try AudioRecord(
        id: "piece", timestampStart: moment, timestampEnd: "\(phone.app.now.adding(seconds: 30))",
        duration: 30, audioData: "AAAA", overlapDuration: 2
      ).entry(),
    ]
    let taken = try await phone.model.service.take(entries.filter { $0.stream == stream })
    #expect(taken == 0)
    // What the system still has from before, such as a wake-up by Health, is stopped at the next start.
    let sensors = RehearsedSensors()
    for stream in StreamName.collected { sensors.start(stream) }
    let again = try await PhoneModel(
      phone.app.environment, timer: RehearsedTimer(), collecting: sensors)
    await again.launched()
    #expect(sensors.running == Set(StreamName.collected).subtracting([stream]))
  }

  @Test func `while the services are stopped, no task of the system reads or sends anything`()
    async throws
  {
    let phone = try await phone()
    await phone.model.settings.send(.stop)
    let before = phone.app.health.reads
    for task in BackgroundTask.allCases { await phone.model.run(task) }
    #expect(phone.app.health.reads == before && phone.sensors.running == [])
  }

  @Test func `a stream that can't be turned off is shown as on, with the reason`() async throws {
    let phone = try await phone()
    try phone.app.lockSettings()
    await phone.model.settings.send(.turned(.audio, isOn: false))
    #expect(phone.model.settings.machine.settings.streams.contains(.audio))
    #expect(phone.model.settings.errorMessage != nil && phone.sensors.running.contains(.audio))
  }
}
