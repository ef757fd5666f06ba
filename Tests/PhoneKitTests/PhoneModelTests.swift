import HealthModel
import HealthStreams
import Observation
import PhoneKit
import Secrets
import Synchronization
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// The observable models, over a real queue.
@MainActor @Suite(.unit) struct PhoneModelTests {
  private func model(
    _ app: RehearsedApp, timer: RehearsedTimer = RehearsedTimer(),
    sensors: RehearsedSensors = RehearsedSensors()
  ) async throws -> PhoneModel {
    try await PhoneModel(app.environment, timer: timer, collecting: sensors)
  }

  @Test func `a view that reads a state is drawn again when it changes`() async throws {
    let model = try await model(try RehearsedApp())
    let changes = Mutex(0)
    withObservationTracking {
      _ = model.onboarding.machine.step
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    await model.onboarding.send(.consented)
    #expect(changes.withLock { $0 } == 1 && model.onboarding.machine.step == .receiver)
  }

  @Test
  func `a hub that does not answer is not verified, and the first steps go on where they were`()
    async throws
  {
    let app = try RehearsedApp()
    let model = try await model(app)
    await model.onboarding.send(.consented)
    await model.onboarding.enter(hub: "http://127.0.0.1:9", token: "token")
    await model.onboarding.send(.verify)
    guard case .refused = model.onboarding.machine.verification else {
      Issue.record("\(model.onboarding.machine.verification)")
      return
    }
    await model.onboarding.send(.proceed)
    #expect(model.onboarding.machine.step == .receiver)
    await model.onboarding.enter(hub: "http://hub.example", token: "token")
    await model.onboarding.send(.verify)
    #expect(model.onboarding.machine.text.contains { $0.contains("plain http") })
    #expect(try await self.model(app).onboarding.machine.step == .receiver)
  }

  @Test func `permissions are asked one by one, and a denial is mended in Settings`() async throws {
    let app = try RehearsedApp(answers: [.microphone: .denied])
    let service = try PhoneService(app.environment)
    try await service.change {
      ($0.receiver, $0.onboarding) = (.hub(url: "http://127.0.0.1:9"), .permissions)
    }
    try await service.keep(token: Secret("token"))
    try app.health.add(.stepCount, 1, at: app.now.adding(seconds: -60), number: 1)
    let model = try await model(app)
    await model.onboarding.appeared()
    for permission in PhonePermission.allCases {
      await model.onboarding.send(.ask(permission))
    }
    #expect(model.onboarding.machine.missing == [.microphone])
    await model.onboarding.send(.ask(.microphone))
    #expect(app.permissions.settingsOpened == 1)
    app.permissions.set(.granted, of: .microphone)
    await model.returned()
    #expect(model.onboarding.machine.missing == [])
    #expect(app.permissions.notificationsAsked == 0)
    await model.onboarding.send(.proceed)
    #expect(model.onboarding.machine.step == .firstSync)
    // Asked before the services start, whose notification is the first.
    #expect(app.permissions.notificationsAsked == 1 && app.notifications == [])
    await model.onboarding.send(.startFirstSync)
    guard case .paused(let reason?) = model.onboarding.machine.firstSync else {
      Issue.record("\(model.onboarding.machine.firstSync)")
      return
    }
    #expect(reason.hasPrefix("E001"))
    #expect(model.onboarding.machine.found == 1 && model.onboarding.machine.uploaded == 0)
  }

  @Test func `the sync's screen has the queue's counts, and its timer goes on`() async throws {
    let app = try RehearsedApp()
    let timer = RehearsedTimer()
    let sensors = RehearsedSensors()
    _ = try await app.service()
    let model = try await model(app, timer: timer, sensors: sensors)
    try app.health.add(.heartRate, 60, at: app.now.adding(seconds: -60), number: 1)
    await model.settings.send(.start)
    #expect(sensors.running == Set(StreamName.collected))
    #expect(model.sync.machine.status?.streamCounts[.healthKit]?.pending == 1)
    #expect(model.sync.machine.lastUploadDate != nil)
    #expect(model.sync.machine.lastSuccessfulSyncDate == nil)
    #expect(model.sync.machine.status?.lastError?.code == "E001")
    #expect(timer.seconds == 30 && model.sync.machine.phase == .waiting(seconds: 30))
    timer.elapse()
    #expect(timer.seconds == nil)
    for _ in 0..<500 where timer.seconds == nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(timer.seconds == 60)
    await model.settings.send(.setInterval(minutes: 15))
    #expect(timer.seconds == 900)
    await model.settings.send(.turned(.audio, isOn: false))
    #expect(!sensors.running.contains(.audio))
    await model.settings.send(.stop)
    #expect(timer.seconds == nil && sensors.running == [] && model.sync.machine.phase == .stopped)
    // Started again, the app is as it was left.
    #expect(await (try PhoneService(app.environment)).settings.intervalMinutes == 15)
  }

  @Test func `today has live numbers, yesterday, the week and what was reached`() async throws {
    let app = try RehearsedApp()
    try app.health.add(.stepCount, 4000, at: app.now.adding(seconds: -86_400), number: 1)
    let service = try await app.service()
    try await service.setRunning(true)
    _ = await service.run(.processing)
    let model = try await model(app)
    await model.today.dashboard.requestAuthorizationAndStart()
    try app.health.add(.stepCount, 10_500, at: app.now.adding(seconds: -1), lasting: 1, number: 2)
    await model.today.refresh()
    #expect(model.today.text.contains("10,500 of 10,000 steps"))
    #expect(model.today.text.first == "Today   ● LIVE")
    #expect(model.today.summary?.badges == [.goal, .best])
    #expect(model.today.dashboard.yesterday[.steps] == 4000)
    #expect(model.today.text.contains { $0.hasSuffix(": yesterday 4,000, week 4,000") })
    await model.settings.send(.setGoal(20_000))
    #expect(model.today.summary?.badges == [.best])
    await model.left()
    #expect(!model.today.dashboard.isTracking)
  }

  @Test func `Health that shows nothing at all is denied, with what to do, and is looked at again`()
    async throws
  {
    let app = try RehearsedApp()
    _ = try await app.service()
    let model = try await model(app)
    // Allowed, for all that HealthKit says: but no step was ever taken, and weight is not looked at.
    try app.health.add(.bodyMass, 70, at: app.now.adding(seconds: -60), number: 1)
    await model.today.appeared()
    #expect(model.today.dashboard.authorizationStatus == .denied)
    #expect(!model.today.dashboard.isTracking)
    #expect(model.today.message?.contains("access is denied, or there are none yet") == true)
    #expect(model.today.message?.hasSuffix(PhonePermission.health.remedy) == true)
    // The days are made all the same: the weight may be all that was allowed.
    try await model.service.setRunning(true)
    #expect(await !model.service.run(.processing).messages.contains { $0.contains("E005") })
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 2)
    await model.returned()
    await model.today.appeared()
    #expect(model.today.dashboard.authorizationStatus == .authorized)
    #expect(model.today.dashboard.isTracking && model.today.message == nil)
    model.today.dashboard.stopLiveTracking()
  }

  @Test func `the log is filtered by error, type and text, the newest first`() async throws {
    let app = try RehearsedApp()
    let service = try await app.service()
    try await service.setRunning(true)
    app.pass(1)
    await service.log(type: "recording_interrupted", "Audio interruption began")
    app.pass(1)
    try app.health.add(.stepCount, 1, at: app.now.adding(seconds: -60), number: 1)
    _ = await service.run(.refresh)
    let model = try await model(app)
    await model.log.refresh()
    #expect(model.log.shown.last?.type == "service_started")
    #expect(model.log.types.contains("sync_failed"))
    model.log.filter.onlyErrors = true
    #expect(model.log.shown.map(\.type) == ["sync_failed"])
    #expect(model.log.shown.first?.stream == "apple_ios_healthkit")
    model.log.filter = LogFilter()
    model.log.filter.onlyType = "service_started"
    #expect(Set(model.log.shown.map(\.type)) == ["service_started"])
    model.log.filter.onlyType = nil
    #expect(Set(model.log.shown.map(\.type)) == Set(model.log.types))
    model.log.filter.text = "INTERRUPTION"
    #expect(model.log.shown.map(\.message) == ["Audio interruption began"])
    model.log.filter.since = app.now
    #expect(model.log.shown == [])
  }
}
