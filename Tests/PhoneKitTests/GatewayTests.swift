import Foundation
import HealthModel
import HealthStreams
import PhoneKit
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// Pushgateways: what tells phones apart, what is chosen, and plain http.
@MainActor @Suite(.unit) struct GatewayTests {
  private func model(_ app: RehearsedApp) async throws -> PhoneModel {
    try await PhoneModel(
      app.environment, timer: RehearsedTimer(), collecting: RehearsedSensors())
  }

  @Test
  func `the instance of a phone is its own, outlasts the app, and can be edited`()
    async throws
  {
    let (app, other) = (try RehearsedApp(), try RehearsedApp())
    let model = try await model(app)
    let own = model.gateways.defaultInstance
    #expect(own.hasPrefix("iPhone ") && own.count == "iPhone ".count + 8)
    #expect(try await self.model(other).gateways.defaultInstance != own)
    // Without one that is entered, and with blanks alone.
    for (id, instance) in [("a", ""), ("b", "  ")] {
      await model.gateways.save(
        PhoneGateway(id: id, url: "http://127.0.0.1:9", instance: instance))
    }
    #expect(model.gateways.machine.gateways.map(\.instance) == [own, own])
    var changed = try #require(model.gateways.machine.gateways.first)
    changed.instance = "Ann's phone"
    await model.gateways.save(changed)
    // What the old group holds can't be taken away: nothing answers. That is said.
    #expect(model.gateways.errorMessage?.contains("is still in") == true)
    let kept = try await self.model(app)
    #expect(kept.gateways.machine.gateways.map(\.instance) == ["Ann's phone", own])
    // Installed again: the Keychain has the id.
    try FileManager.default.removeItem(at: app.folder.appending(path: "settings.json"))
    #expect(try await self.model(app).gateways.defaultInstance == own)
  }

  @Test func `plain http needs the person's leave, for each gateway`() async throws {
    let app = try RehearsedApp()
    let service = try await app.service()
    var gateway = PhoneGateway(id: "a", url: "http://0.0.0.0:9", instance: "phone")
    #expect(!gateway.allowsPlaintext)
    #expect(await service.test(gateway)?.contains("plain http") == true)
    gateway.allowsPlaintext = true
    let reason = await service.test(gateway)
    #expect(reason != nil && reason?.contains("plain http") == false)
    let settings = PhoneSettings()
    var machine = GatewaysMachine(settings)
    _ = machine.handle(.saved(gateway))
    #expect(machine.text(timeZoneName: "UTC").contains { $0.contains("can read what is pushed") })
    // One that was kept without the choice has none.
    let kept = #"{"id":"a","url":"http://gateway","instance":"i","user":"","isOn":true}"#
    let read = try JSONDecoder().decode(PhoneGateway.self, from: Data(kept.utf8))
    #expect(!read.allowsPlaintext && read.url == "http://gateway")
    let again = try JSONDecoder().decode(
      PhoneGateway.self, from: try JSONEncoder().encode(gateway))
    #expect(again == gateway)
  }

  @Test func `with gateways only nothing is queued, and no other sensor runs`() async throws {
    let app = try RehearsedApp()
    app.permissions.set(.granted, of: .health)
    try app.health.add(.stepCount, 5, at: app.now.adding(seconds: -60), number: 1)
    let sensors = RehearsedSensors()
    let model = try await PhoneModel(
      app.environment, timer: RehearsedTimer(), collecting: sensors)
    await model.onboarding.send(.consented)
    await model.onboarding.useGatewaysOnly()
    #expect(model.onboarding.machine.verification == .refused("add a Pushgateway first"))
    await model.gateways.save(PhoneGateway(id: "a", url: "http://127.0.0.1:9", instance: ""))
    await model.onboarding.useGatewaysOnly()
    guard case .refused = model.onboarding.machine.verification else {
      Issue.record("\(model.onboarding.machine.verification)")
      return
    }
    // As if it had answered.
    try await model.service.change {
      ($0.receiver, $0.onboarding, $0.streams) = (.gateways, .finished, [.healthKit])
    }
    await model.settings.resume()
    await model.settings.send(.start)
    #expect(sensors.running == [.healthKit] && model.settings.machine.streams == [.healthKit])
    await model.settings.send(.turned(.location, isOn: true))
    #expect(sensors.running == [.healthKit])
    let point = try LocationPoint(
      timestamp: "\(app.now)", latitude: 48.5, longitude: 16.25, altitude: 1, speed: 1,
      horizontalAccuracy: 5, verticalAccuracy: 3
    ).entry()
    #expect(try await model.service.take([point]) == 0)
    let report = await model.service.run(.processing)
    // The push alone fails: nothing answers. The day is made.
    #expect(report.messages.count == 1 && report.messages.first?.hasPrefix("push") == true)
    #expect(try await model.service.status() == nil)
    let files = try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
    #expect(files.contains("days") && !files.contains { $0.hasSuffix(".sqlite") }, "\(files)")
    // After a restart it is so, too.
    let kept = await (try PhoneService(app.environment)).settings
    #expect(kept.receiver == .gateways && kept.onboarding == .finished)
  }

  @Test func `the current heart rate and workouts are chosen like metrics, and kept`() async throws
  {
    let app = try RehearsedApp()
    let model = try await model(app)
    #expect(model.gateways.machine.pushesHeartRate && model.gateways.machine.pushesWorkouts)
    await model.gateways.send(.chose(.weight, isOn: false))
    await model.gateways.send(.choseHeartRate(false))
    await model.gateways.send(.choseWorkouts(false))
    let kept = try await self.model(app).gateways.machine
    #expect(!kept.pushesHeartRate && !kept.pushesWorkouts && !kept.isPushed(.weight))
    #expect(
      kept.text(timeZoneName: "UTC").contains {
        $0.hasSuffix(", no current heart rate, no workouts")
      })
    await model.gateways.send(.choseAll)
    #expect(model.gateways.machine.pushesHeartRate && model.gateways.machine.isPushed(.weight))
  }
}
