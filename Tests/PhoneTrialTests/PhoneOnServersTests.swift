import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore
import PhoneKit
import S3Session
import S3Store
import Secrets
import Synchronization
import TestSupport
import Testing

/// The app's models on real servers: a hub, a bucket, a Pushgateway, PostgreSQL.
@MainActor @Suite(.server, .database, .prometheus) struct PhoneOnServersTests {
  private nonisolated static let zone = PhoneEnvironment.trialZone

  private static func model(_ environment: PhoneEnvironment) async throws -> PhoneModel {
    try await PhoneModel(environment, timer: RehearsedTimer(), collecting: RehearsedSensors())
  }

  @Test func `the first steps end with a real hub, and the records and a gateway follow`()
    async throws
  {
    let (program, store, database) = try await HubProgram.withTables()
    defer { program.removeHome() }
    let (health, permissions) = (RehearsedHealth(), RehearsedPermissions())
    let environment = PhoneEnvironment.trial(program, health, permissions)
    let model = try await Self.model(environment)
    let token = try await HubProgram.token(
      "phone", program, arguments: ["--device", model.service.deviceID])
    let hub = try await HubProgram(program, store: store.path)
    let now = Timestamp.now
    for number in 1...1200 {
      try health.add(.heartRate, 60, at: now.adding(seconds: -number * 400), number: number)
    }
    try health.add(.bodyMass, 70.25, at: now.adding(seconds: -90), number: 2000)
    let night = now.adding(seconds: -86_400)
    try health.add(.sleepAnalysis, 3, at: night, lasting: 3600, number: 2001)
    health.add(
      Workout(
        id: "0d0a5c1e-0000-4000-8000-100000000001", activity: "Running",
        start: Int64(night.secondsSince1970), end: Int64(night.secondsSince1970 + 1800),
        duration: 1800, source: "Watch", figures: [.distance: 5000]))

    let steps = model.onboarding
    await steps.send(.consented)
    await steps.enter(hub: hub.url, token: "not-the-token")
    await steps.send(.verify)
    #expect(steps.machine.receiverLines.last?.contains("token") == true)
    #expect(!steps.machine.mayProceed)
    await steps.enter(hub: hub.url, token: token)
    await steps.send(.verify)
    #expect(steps.machine.verification == .verified)
    await steps.send(.proceed)
    for permission in PhonePermission.allCases { await steps.send(.ask(permission)) }
    await steps.send(.proceed)
    await steps.send(.startFirstSync)
    #expect(steps.isFinished, "\(steps.machine.text)")
    // All heartbeats and the night; weight is of no stream.
    #expect(steps.machine.uploaded == 1201 && steps.machine.found == 1201)
    #expect(model.settings.machine.settings.isRunning)
    await model.sync.send(.syncNow)
    #expect(model.sync.machine.status?.streamCounts[.healthKit]?.uploaded == 1201)
    #expect(model.sync.machine.lastSuccessfulSyncDate != nil)

    // Records: the past, twice, and nothing is doubled.
    await model.records.send(.connect)
    #expect(model.records.machine.phase == .upToDate, "\(model.records.machine.phase)")
    #expect(model.records.machine.part == 1)
    await model.records.send(.syncNow)
    #expect(model.records.machine.phase == .upToDate)
    let rows = try await database.sql(
      "SELECT count(*) FROM ios_apple_health_metrics WHERE type LIKE 'Weight%'",
      "SELECT count(*) FROM ios_apple_health_sleep",
      "SELECT count(*) FROM ios_apple_health_workouts")
    #expect(rows == [[["1"]], [["1"]], [["1"]]])

    // A gateway: its test leaves nothing, and the chosen metric alone is pushed.
    let servers = try PrometheusServers.shared()
    let name = "phone \(UUID())"
    let gateway = PhoneGateway(id: "a", url: servers.gateway, instance: name)
    await model.gateways.save(gateway)
    await model.gateways.save(.init(id: "b", url: "http://127.0.0.1:9", instance: name))
    await model.gateways.send(.test(id: "a"))
    await model.gateways.send(.test(id: "b"))
    #expect(model.gateways.machine.tests["a"] == .succeeded)
    guard case .failed = model.gateways.machine.tests["b"] else {
      Issue.record("a gateway that is not there was tested well")
      return
    }
    for metric in DailyMetric.allCases where metric != .weight {
      await model.gateways.send(.chose(metric, isOn: false))
    }
    await model.gateways.send(.choseHeartRate(false))
    await model.gateways.send(.choseWorkouts(false))
    _ = await model.service.run(.processing)
    var pushed = try await servers.pushed(instance: name)
    #expect(pushed.contains { $0.hasPrefix("healthkit_body_weight_kg{") }, "\(pushed)")
    #expect(!pushed.contains { $0.hasPrefix("healthkit_heart_rate") })
    // All: with the source of each number, the current heart rate, and today's workouts.
    let today = try await model.service.today()
    let midnight = try ReportingDay(date: today, timeZoneName: Self.zone).start.timestamp
    for number in 1...3 {
      try health.add(
        .stepCount, 20, at: midnight.adding(seconds: number), lasting: 1, number: 3000 + number)
    }
    health.add(
      Workout(
        id: "0d0a5c1e-0000-4000-8000-100000000002", activity: "Walking",
        start: Int64(midnight.secondsSince1970), end: Int64(midnight.secondsSince1970 + 120),
        duration: 120, source: "Watch", figures: [.activeEnergy: 8]))
    await model.gateways.send(.choseAll)
    _ = await model.service.run(.processing)
    pushed = try await servers.pushed(instance: name)
    for line in [
      #"healthkit_steps_total{source="all",unit="count"} 60"#,
      #"healthkit_steps_total{source="Apple Watch",unit="count"} 60"#,
      #"healthkit_workout_minutes_total{activity="Walking",source="Apple Watch"} 2"#,
      #"healthkit_workout_calories_total{activity="Walking",source="Apple Watch"} 8"#,
    ] { #expect(pushed.contains(line), "\(line) is not in \(pushed)") }
    for name in ["healthkit_heart_rate_bpm{", "healthkit_body_weight_kg{"] {
      #expect(
        pushed.contains { $0.hasPrefix(name) && $0.contains(#"source="Apple Watch""#) }, "\(pushed)"
      )
    }
    await model.gateways.send(.removed(id: "a"))
    pushed = try await servers.pushed(instance: name)
    #expect(pushed.isEmpty)

    // Killed and started again, the app is where it was.
    let again = try await Self.model(environment)
    #expect(again.onboarding.isFinished && again.records.machine.isFilled)
    #expect(again.gateways.machine.gateways.map(\.id) == ["b"])
    try await hub.end(by: SIGTERM)
  }

  @Test
  func
    `records follow each sync, with days that changed alone, and who connects again misses none`()
    async throws
  {
    let now = Mutex(Timestamp.now.adding(seconds: -40 * 86_400))
    let phone = try await PhoneOnHub(now: { now.withLock { $0 } })
    defer { phone.removeHome() }
    func pass(days: Int) { now.withLock { $0 = $0.adding(seconds: days * 86_400) } }
    func weigh(_ number: Int) throws {
      try phone.health.add(
        .bodyMass, 70, at: now.withLock { $0.adding(seconds: -60) }, number: number)
    }
    let model = try await phone.model()
    try weigh(1)
    await model.records.send(.connect)
    #expect(model.records.machine.phase == .upToDate, "\(model.records.machine.phase)")
    #expect(try await phone.weights() == 1)
    // The next day: nobody looks at the screen of the records.
    pass(days: 1)
    try weigh(2)
    await model.sync.send(.syncNow)
    #expect(try await phone.weights() == 2)
    // A task of the system, after twelve days in a drawer, of which the watch has the fourth.
    pass(days: 4)
    try weigh(3)
    pass(days: 8)
    await model.run(.processing)
    #expect(try await phone.weights() == 3)
    // Disconnected for a while.
    await model.records.send(.disconnect)
    pass(days: 5)
    try weigh(4)
    pass(days: 10)
    await model.sync.send(.syncNow)
    #expect(try await phone.weights() == 3)
    await model.records.send(.connect)
    #expect(model.records.machine.phase == .upToDate && model.records.machine.progress.days > 20)
    #expect(try await phone.weights() == 4)
    // Nothing has changed, so nothing is sent: there is no hub any more.
    try await phone.hub.end(by: SIGTERM)
    await model.records.send(.syncNow)
    #expect(model.records.machine.phase == .upToDate, "\(model.records.machine.phase)")
  }

  @Test func `the first steps end with a gateway alone, and the values of Health are in it`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let (health, permissions) = (RehearsedHealth(), RehearsedPermissions())
    let environment = PhoneEnvironment.trial(program, health, permissions)
    let sensors = RehearsedSensors()
    let model = try await PhoneModel(
      environment, timer: RehearsedTimer(), collecting: sensors)
    try health.add(.bodyMass, 70.25, at: Timestamp.now.adding(seconds: -90), number: 1)
    let (servers, steps) = (try PrometheusServers.shared(), model.onboarding)
    await steps.send(.consented)
    let name = "alone \(UUID())"
    await model.gateways.save(PhoneGateway(id: "a", url: servers.gateway, instance: name))
    await model.gateways.send(.test(id: "a"))
    #expect(model.gateways.machine.tests["a"] == .succeeded)
    await steps.useGatewaysOnly()
    #expect(steps.machine.verification == .verified, "\(steps.machine.receiverLines)")
    await steps.send(.proceed)
    #expect(steps.machine.missing == [.health])
    await steps.send(.ask(.health))
    await steps.send(.proceed)
    await steps.send(.startFirstSync)
    #expect(steps.isFinished, "\(steps.machine.text)")
    let pushed = try await servers.pushed(instance: name)
    #expect(pushed.contains { $0.hasPrefix("healthkit_body_weight_kg{") }, "\(pushed)")
    #expect(sensors.running == [.healthKit])
    let files = try FileManager.default.contentsOfDirectory(atPath: environment.folder.path)
    #expect(!files.contains { $0.hasSuffix(".sqlite") }, "\(files)")
    await model.gateways.send(.removed(id: "a"))
  }

  @Test(arguments: TestServer.one.filter { !$0.speaksTLS })
  func `a bucket of the person's own gets raw data and daily revisions`(
    server: TestServer
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let (health, permissions) = (RehearsedHealth(), RehearsedPermissions())
    let environment = PhoneEnvironment.trial(program, health, permissions)
    try await Phone.probe(server, in: environment.folder)
    for number in 1...30 {
      try health.add(
        .stepCount, 100, at: Timestamp.now.adding(seconds: -number), lasting: 1, number: number)
    }
    let model = try await Self.model(environment)
    let steps = model.onboarding
    let prefix = "app-\(UUID().uuidString.lowercased())"
    let bucket = PhoneReceiver.bucket(
      name: server.bucket, endpoint: server.endpoint, region: server.region, prefix: prefix)
    await steps.send(.consented)
    await steps.enter(bucket, accessKeyID: server.accessKey, secretAccessKey: server.secretKey)
    await steps.send(.verify)
    #expect(steps.machine.verification == .verified, "\(steps.machine.receiverLines)")
    await steps.send(.proceed)
    for permission in PhonePermission.allCases { await steps.send(.ask(permission)) }
    await steps.send(.proceed)
    await steps.send(.startFirstSync)
    #expect(steps.isFinished && steps.machine.uploaded == 30, "\(steps.machine.text)")
    let report = await model.service.run(.processing)
    #expect(report.messages == [])
    let store = try S3Store(
      bucket: server.bucket, endpoint: server.endpoint, region: server.region,
      secrets: environment.secrets)
    let ledger = HealthLedger(store: store, layout: try LedgerLayout(prefix: prefix))
    let day = try await ledger.resolve(try await model.service.today())
    let yesterday = try await model.service.daysBeforeToday().values.compactMap { $0[.steps] }
    let today = day.latest?.revision.reading(of: .steps).number ?? 0
    #expect(today + yesterday.reduce(0, +) == 3000)
    #expect(
      day.latest?.revision.collector?.deviceID.uuidString.lowercased() == model.service.deviceID)
  }
}
