import Foundation
import HealthModel
import HealthStreams
import PhoneKit
import Secrets
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// `PhoneService` over a real queue, with a hub that does not answer.
@Suite(.unit) struct PhoneServiceTests {
  private func point(_ app: RehearsedApp, _ altitude: Double = 10) throws -> StreamEntry {
    try LocationPoint(
      timestamp: "\(app.now)", latitude: 48.5, longitude: 16.25, altitude: altitude, speed: 1,
      horizontalAccuracy: 5, verticalAccuracy: 3
    ).entry()
  }

  @Test func `nothing is collected before the first steps are finished and the services run`()
    async throws
  {
    let app = try RehearsedApp()
    let service = try PhoneService(app.environment)
    #expect(try await service.take([point(app)]) == 0)
    #expect(await service.run(.processing).messages == ["the services are stopped"])
    #expect(await service.syncNow().messages == ["the first steps are not finished"])
    #expect(try await service.status() == nil)
    let ready = try await app.service()
    #expect(try await ready.take([point(app)]) == 0)
    try await ready.setRunning(true)
    #expect(try await ready.take([point(app)]) == 1)
    try await ready.change { $0.streams.remove(.location) }
    #expect(try await ready.take([point(app, 11)]) == 0)
    #expect(try await ready.status()?.streamCounts[.location]?.pending == 1)
    #expect(app.notifications == ["Sync started"])
    try await ready.setRunning(false)
    #expect(app.notifications == ["Sync started", "Sync stopped"])
  }

  @Test
  func `seven days are collected, once, in the seven types, and what was taken outlasts a restart`()
    async throws
  {
    let app = try RehearsedApp()
    for day in 0..<20 {
      try app.health.add(
        .stepCount, 100, at: app.now.adding(seconds: -day * 86_400 - 60), number: day)
      try app.health.add(.bodyMass, 70, at: app.now, number: 100 + day)
    }
    let service = try await app.service()
    let first = await service.firstSyncPiece()
    #expect(!first.isComplete && first.failure?.hasPrefix("E001") == true)
    #expect(try await service.status()?.streamCounts[.healthKit]?.pending == 8)
    // Late, and older than the first sync.
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -3600), number: 200)
    app.pass(86_400)
    try await service.setRunning(true)
    _ = await service.run(.refresh)
    let again = try PhoneService(app.environment)
    #expect(try await again.status()?.streamCounts[.healthKit]?.pending == 9)
    #expect(await again.settings.isRunning && again.deviceID == service.deviceID)
    _ = await again.run(.refresh)
    #expect(try await again.status()?.streamCounts[.healthKit]?.pending == 9)
  }

  @Test func `a permission that was taken back is told, loses nothing, and publishes no empty day`()
    async throws
  {
    let app = try RehearsedApp()
    try app.health.add(.stepCount, 100, at: app.now.adding(seconds: -60), number: 1)
    let service = try await app.service()
    try await service.setRunning(true)
    _ = await service.run(.processing)
    let today = try await service.today()
    app.health.allow(.denied)
    let report = await service.run(.processing)
    #expect(report.messages.contains { $0.contains("E005") })
    #expect(app.notifications.contains { $0.hasPrefix("Collect failed") })
    try app.health.add(.stepCount, 50, at: app.now.adding(seconds: -30), number: 2)
    app.health.allow(.authorized)
    _ = await service.run(.processing)
    #expect(app.notifications.contains("Collect works again"))
    #expect(try await service.status()?.streamCounts[.healthKit]?.pending == 2)
    app.pass(86_400)
    #expect(try await service.daysBeforeToday()[today]?[.steps] == 150)
  }

  @Test func `below 50 MB the person is told once, and below 100 MB what is recent stays`()
    async throws
  {
    let app = try RehearsedApp()
    let service = try await app.service()
    try await service.setRunning(true)
    app.setFreeSpace(30_000_000)
    #expect(try await service.take([point(app)]) == 1)
    _ = await service.run(.refresh)
    _ = await service.run(.refresh)
    #expect(app.notifications.filter { $0.contains("are left on the disk") }.count == 1)
    #expect(try await service.status()?.streamCounts[.location]?.pending == 1)
    let lines = try await service.logLines()
    #expect(lines.contains { $0.type == "storage_low" && $0.message.hasPrefix("E004") })
  }

  @Test func `a full disk is reported once, although that can't be saved`() async throws {
    let app = try RehearsedApp()
    let service = try await app.service()
    try await service.setRunning(true)
    // A folder in the file's place: no state can be kept there.
    let state = app.folder.appending(path: "notifications.json")
    try? FileManager.default.removeItem(at: state)
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: false)
    app.setFreeSpace(30_000_000)
    #expect(try await service.take([point(app)]) == 1)
    _ = await service.run(.refresh)
    _ = await service.run(.refresh)
    #expect(app.notifications.filter { $0.contains("are left on the disk") }.count == 1)
  }

  @Test
  func
    `the ids outlast the app's folder, as the Keychain does, and the token is in no file but its own`()
    async throws
  {
    let app = try RehearsedApp()
    let service = try await app.service()
    let device = service.deviceID
    let files = try FileManager.default.contentsOfDirectory(
      at: app.folder, includingPropertiesForKeys: nil)
    for file in files where !file.hasDirectoryPath {
      #expect(try Data(contentsOf: file).firstRange(of: Data("token".utf8)) == nil, "\(file)")
      try FileManager.default.removeItem(at: file)
    }
    #expect(try PhoneService(app.environment).deviceID == device)
  }

  @Test func `settings of another version keep what can be read`() async throws {
    let app = try RehearsedApp()
    let service = try await app.service()
    try await service.change { ($0.notifyHours, $0.pushedMetrics) = (6, [.steps]) }
    let file = app.folder.appending(path: "settings.json")
    let kept = try String(contentsOf: file, encoding: .utf8)
    try Data(
      kept.replacing("\"notify_hours\":6", with: "\"notify_hours\":99")
        .replacing("\"streams\":", with: "\"later\":1,\"old_streams\":").utf8
    ).write(to: file)
    let settings = await (try PhoneService(app.environment)).settings
    #expect(settings.notifyHours == 12 && settings.pushedMetrics == [.steps])
    #expect(settings.streams.count == 3 && settings.onboarding == .finished)
  }

  @Test
  func `damaged settings are kept aside and told, and those that can't be read are not replaced`()
    async throws
  {
    let app = try RehearsedApp()
    let service = try await app.service()
    try await service.setRunning(true)
    let file = app.folder.appending(path: "settings.json")
    let kept = try Data(contentsOf: file)
    // A folder in its place can't be read, as a file of a locked phone can't, by the superuser either.
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(throws: PhoneFailure.self) { try PhoneService(app.environment) }
    try FileManager.default.removeItem(at: file)
    try kept.write(to: file)
    #expect(await (try PhoneService(app.environment)).settings == service.settings)
    try Data("damaged".utf8).write(to: file)
    let anew = try PhoneService(app.environment)
    #expect(await anew.settings == PhoneSettings())
    #expect(try await anew.logLines().contains { $0.message.contains("damaged") })
    let aside = app.folder.appending(path: "settings.damaged.json")
    #expect(try String(contentsOf: aside, encoding: .utf8) == "damaged")
  }

  @Test func `runs that begin at once are one, and one that is cancelled ends`() async throws {
    let app = try RehearsedApp()
    let service = try await app.service()
    try await service.setRunning(true)
    for number in 0..<500 {
      try app.health.add(.stepCount, 1, at: app.now.adding(seconds: -number), number: number)
    }
    async let first = service.run(.refresh)
    async let second = service.run(.refresh)
    _ = await (first, second)
    #expect(try await service.status()?.streamCounts[.healthKit]?.pending == 500)
    let cancelled = Task { await service.run(.processing) }
    cancelled.cancel()
    _ = await cancelled.value
    #expect(try await service.status()?.streamCounts[.healthKit]?.pending == 500)
  }
}
