import Foundation
import HealthModel
import HealthStreams
import ObjectStore
import PhoneKit
import Secrets
import Synchronization
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// What a careless person does with the app, over a real queue, with a hub that does not answer.
@MainActor @Suite(.unit) struct CarelessPersonTests {
  private func model(
    _ app: RehearsedApp, sensors: RehearsedSensors = RehearsedSensors()
  ) async throws -> PhoneModel {
    try await PhoneModel(app.environment, timer: RehearsedTimer(), collecting: sensors)
  }

  private func point(at moment: Timestamp, _ altitude: Double) throws -> StreamEntry {
    try LocationPoint(
      timestamp: "\(moment)", latitude: 48.5, longitude: 16.25, altitude: altitude, speed: 1,
      horizontalAccuracy: 5, verticalAccuracy: 3
    ).entry()
  }

  @Test
  func `a clock that was a year ahead in the first sync does not hide what is measured after it`()
    async throws
  {
    let app = try RehearsedApp()
    let service = try await app.service()
    app.pass(365 * 86_400)
    _ = await service.firstSyncPiece()
    app.pass(-365 * 86_400)
    try await service.setRunning(true)
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 1)
    _ = await service.run(.refresh)
    #expect(try await service.status()?.streamCounts[.healthKit]?.pending == 1)
  }

  @Test func `a first sync that could not read Health is not complete`() async throws {
    let app = try RehearsedApp()
    let service = try await app.service()
    app.health.allow(.denied)
    let piece = await service.firstSyncPiece()
    #expect(!piece.isComplete && piece.failure?.contains("E005") == true)
  }

  @Test
  func
    `a permission that was taken back while the app runs is told once, with what to do, and mended`()
    async throws
  {
    let app = try RehearsedApp()
    _ = try await app.service()
    let model = try await model(app)
    await model.settings.send(.start)
    #expect(model.settings.machine.missing == [])
    app.permissions.set(.whileInUse, of: .location)
    await model.returned()
    #expect(model.settings.machine.missing == [.location])
    #expect(model.settings.machine.text.contains { $0.contains("E005: Location: Always") })
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 1)
    for _ in 0..<3 { _ = await model.service.run(.refresh) }
    #expect(app.notifications.filter { $0.contains("E005: Location: Always") }.count == 1)
    // The others go on.
    #expect(try await model.service.status()?.streamCounts[.healthKit]?.pending == 1)
    await model.settings.openSettings()
    app.permissions.set(.granted, of: .location)
    await model.returned()
    _ = await model.service.run(.refresh)
    #expect(app.notifications.last == "Collect works again")
    #expect(model.settings.machine.missing == [])
    // A stream that is off needs none.
    app.permissions.set(.denied, of: .location)
    await model.settings.send(.turned(.location, isOn: false))
    _ = await model.service.run(.refresh)
    #expect(app.notifications.last == "Collect works again")
  }

  @Test func `a piece of sound that was recorded before the stream was turned off is kept`()
    async throws
  {
    let app = try RehearsedApp()
    let service = try await app.service()
    try await service.setRunning(true)
    let begun = app.now
    app.pass(20)
    try await service.change { $0.streams.remove(.location) }
    app.pass(1)
    #expect(try await service.take([point(at: begun, 1), point(at: app.now, 2)]) == 1)
    // Not what an hour before may come with.
    #expect(try await service.take([point(at: begun.adding(seconds: -3600), 3)]) == 0)
    try await service.change { $0.streams.insert(.location) }
    try await service.setRunning(false)
    #expect(try await service.take([point(at: begun.adding(seconds: 1), 4)]) == 1)
    #expect(try await service.take([point(at: app.now, 5)]) == 0)
    #expect(try await service.status()?.streamCounts[.location]?.pending == 2)
  }

  @Test func `a flight changes no day of the past, and counts no step twice`() async throws {
    // 2026-02-10, 12:00 in Vienna.
    let noon = Timestamp(secondsSince1970: 1_770_721_200)
    let app = try RehearsedApp(now: noon)
    // 23:30 in Vienna on the 9th, which is the 10th in Tokyo.
    try app.health.add(.stepCount, 1000, at: noon.adding(seconds: -45_000), number: 1)
    try app.health.add(.stepCount, 200, at: noon.adding(seconds: -3600), number: 2)
    let service = try await app.service()
    try await service.setRunning(true)
    _ = await service.run(.processing)
    let (ninth, tenth) = (CalendarDate("2026-02-09"), CalendarDate("2026-02-10"))
    // After the end of the 10th in Vienna, which is 8 o'clock of the 11th in Tokyo.
    app.pass(50_000)
    app.fly(to: "Asia/Tokyo")
    // On the way, when it is the 10th in Vienna and the 11th in Tokyo: the earlier day's.
    try app.health.add(.stepCount, 7, at: noon.adding(seconds: 41_400), number: 4)
    try app.health.add(.stepCount, 30, at: app.now.adding(seconds: -60), number: 3)
    _ = await service.run(.processing)
    app.pass(86_400)
    _ = await service.run(.processing)
    var days = try await service.daysBeforeToday()
    #expect(try days[#require(ninth)]?[.steps] == 1000)
    #expect(try days[#require(tenth)]?[.steps] == 207)
    #expect(days[try #require(CalendarDate("2026-02-11"))]?[.steps] == 30)
    // After a restart too, and back at home.
    app.fly(to: "Europe/Vienna")
    let again = try PhoneService(app.environment)
    _ = await again.run(.processing)
    days = try await again.daysBeforeToday()
    #expect(days.values.compactMap { $0[.steps] }.reduce(0, +) == 1237)
  }

  @Test func `days go to iCloud Drive with coordinated writes, as soon as somebody is signed in`()
    async throws
  {
    let app = try RehearsedApp()
    let cloud = RehearsedCloud()
    var environment = app.environment
    environment.cloud = cloud
    _ = try await app.service()
    let service = try PhoneService(environment)
    try await service.setRunning(true)
    try app.health.add(.stepCount, 100, at: app.now.adding(seconds: -60), number: 1)
    await app.runToItsEnd(service)
    #expect(cloud.changed == 0)
    #expect(FileManager.default.fileExists(atPath: app.folder.appending(path: "days").path))
    cloud.signIn(app.folder.appending(path: "container"))
    await app.runToItsEnd(service)
    #expect(cloud.changed > 0)
    let data = app.folder.appending(path: "container/Documents/health/v0/data")
    #expect(FileManager.default.fileExists(atPath: data.path))
  }

  @Test func `the live numbers follow again when the person comes back`() async throws {
    let app = try RehearsedApp()
    _ = try await app.service()
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 1)
    let model = try await model(app)
    await model.today.dashboard.requestAuthorizationAndStart()
    await model.left()
    await model.left()
    #expect(!model.today.dashboard.isTracking)
    await model.returned()
    #expect(model.today.dashboard.isTracking)
    // Who had not started it finds it as it was.
    model.today.dashboard.stopLiveTracking()
    await model.left()
    await model.returned()
    #expect(!model.today.dashboard.isTracking)
  }

  @Test func `a token is kept only once an endpoint has taken it`() async throws {
    let app = try RehearsedApp()
    let model = try await model(app)
    await model.onboarding.send(.consented)
    await model.onboarding.enter(hub: "http://127.0.0.1:9", token: "typed-by-mistake")
    await model.onboarding.send(.verify)
    #expect(try app.secrets.secret(named: PhoneReceiver.tokenName) == nil)
    // The same of a change while the app runs.
    _ = try await app.service()
    let running = try await self.model(app)
    await running.endpoint.enter(hub: "http://127.0.0.1:9/other", token: "typed-by-mistake")
    await running.endpoint.send(.verify)
    guard case .refused = running.endpoint.machine.verification else {
      Issue.record("\(running.endpoint.machine.text)")
      return
    }
    #expect(running.endpoint.machine.current == .hub(url: "http://127.0.0.1:9"))
    #expect(await running.service.settings.receiver == .hub(url: "http://127.0.0.1:9"))
    #expect(try app.secrets.secret(named: PhoneReceiver.tokenName)?.revealed == "token")
  }

  @Test func `another endpoint is used only as it was verified, on every edge`() {
    let (a, b) = (PhoneReceiver.hub(url: "https://a"), PhoneReceiver.hub(url: "https://b"))
    var settings = PhoneSettings()
    settings.receiver = a
    let walk = MachineWalk<EndpointMachine, EndpointMachine.Event, EndpointMachine.Action>(
      from: EndpointMachine(settings),
      by: [
        .entered(a), .entered(b), .verify, .verified(a), .verified(b), .refused(a, "no"),
        .refused(b, "no"),
      ]
    ) { machine, event in machine.handle(event) }
    for edge in walk.edges {
      let uses = edge.actions.compactMap { action in
        if case .use(let receiver) = action { receiver } else { nil }
      }
      #expect(edge.from.current == edge.to.current || !uses.isEmpty)
      for receiver in uses {
        #expect(edge.from.entered == receiver && edge.from.verification == .verifying)
        #expect(edge.to.current == receiver)
      }
    }
    #expect(walk.states.contains { $0.current == b })
  }

  @Test func `the microphones that are connected outlast the start of the services`() async throws {
    let app = try RehearsedApp()
    _ = try await app.service()
    let model = try await model(app)
    let own = AudioInput(id: "mic", name: "iPhone Microphone", kind: .builtIn)
    await model.settings.send(.inputsChanged([own]))
    await model.launched()
    #expect(model.settings.machine.usedInput == own)
  }

  @Test func `settings that lost their receiver ask for one again`() throws {
    var settings = PhoneSettings()
    settings.onboarding = .finished
    settings.isRunning = true
    let kept = try JSONDecoder().decode(
      PhoneSettings.self, from: try JSONEncoder().encode(settings))
    #expect(kept.onboarding == .receiver && !kept.mayCollect)
  }

  @Test(arguments: [Int.max, Int.min, 0])
  func `settings with absurd numbers end no app, and a goal stays one that a person can reach`(
    number: Int
  ) async throws {
    let app = try RehearsedApp()
    _ = try await app.service()
    let file = app.folder.appending(path: "settings.json")
    var kept = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    for name in ["step_goal", "notify_hours", "interval_minutes", "collects_since"] {
      kept[name] = number
    }
    kept["last_pushes"] = ["a": number]
    kept["gateways"] = [["id": "a", "url": "\u{202e}", "instance": "", "user": "", "isOn": true]]
    kept["records_reach"] = "9999-12-31"
    kept["records_through"] = "0001-01-01"
    kept["zones"] = ["periods": [["first": "9999-99-99", "zone": "Nowhere/Land"]]]
    try JSONSerialization.data(withJSONObject: kept).write(to: file)
    let model = try await model(app)
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 1)
    await model.settings.send(.start)
    await model.today.refresh()
    #expect(model.settings.machine.settings.onboarding == .finished)
    #expect(
      model.today.text.count > 4 && model.gateways.machine.text(timeZoneName: "UTC").count > 4)
    #expect((1...PhoneSettings.maximumGoal).contains(model.settings.machine.settings.stepGoal))
    await model.settings.send(.setGoal(Int.max))
    #expect(model.today.summary?.badges.contains(.double) == false)
    #expect(try await model.service.status()?.streamCounts[.healthKit]?.total == 1)
  }

  @Test func `a clock that was set forward makes no piece of sound of a year`() {
    var turns = AudioTurns()
    _ = turns.began(at: 0)
    _ = turns.tick(at: 28_000)
    let year = 365 * 86_400_000
    var pieces: [AudioTurns.AudioPiece] = []
    for action in turns.tick(at: year) {
      if case .close(_, let piece) = action { pieces.append(piece) }
    }
    #expect(pieces.count == 2 && pieces.allSatisfy { $0.end - $0.start <= 60_000 })
    #expect(turns.tick(at: year + 28_000).count == 1)
  }
}

/// iCloud in a folder, once somebody is signed in. Counts the writes that were coordinated.
private final class RehearsedCloud: CloudFolders {
  private let state = Mutex<(folder: URL?, changes: Int)>((nil, 0))

  var changed: Int { state.withLock(\.changes) }
  func signIn(_ folder: URL) { state.withLock { $0.folder = folder } }
  func container(_ identifier: String?) -> URL? { state.withLock(\.folder) }

  func coordinate(_ change: CloudChange, of file: URL, _ work: () throws -> Void) throws {
    state.withLock { $0.changes += 1 }
    try work()
  }
}
