import Foundation
import HealthModel
import HealthStreams
import PhoneKit
import Secrets
import Synchronization
import TestSupport
import Testing

/// The app's models with servers that misbehave, and persons who do not look.
@MainActor @Suite(.process) struct CarelessServersTests {
  private struct Phone {
    let health = RehearsedHealth()
    let notes = Notes()
    let environment: PhoneEnvironment
    let folder = FileManager.default.temporaryDirectory.appending(path: "careless-\(UUID())")

    @MainActor init() throws {
      let permissions = RehearsedPermissions()
      for permission in PhonePermission.allCases { permissions.set(.granted, of: permission) }
      let notes = notes
      environment = PhoneEnvironment(
        folder: folder, secrets: SecretFolder(path: folder.appending(path: "secrets").path),
        health: health, permissions: permissions, notify: { _, text in notes.add(text) },
        timeZoneName: { "Europe/Berlin" })
    }

    /// The app of a phone with a receiver, at a step of the first ones.
    @MainActor func model(
      _ receiver: PhoneReceiver, token: String, at step: OnboardingStep = .finished
    ) async throws -> PhoneModel {
      let service = try PhoneService(environment)
      try await service.keep(token: Secret(token))
      try await service.change { ($0.receiver, $0.onboarding) = (receiver, step) }
      return try await bare()
    }

    @MainActor func bare() async throws -> PhoneModel {
      try await PhoneModel(environment, timer: RehearsedTimer(), collecting: RehearsedSensors())
    }
  }

  private final class Notes: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  private func steps(_ phone: Phone, _ count: Int) throws {
    for number in 1...count {
      try phone.health.add(
        .stepCount, 1, at: Timestamp.now.adding(seconds: -number), lasting: 1, number: number)
    }
  }

  @Test
  func `a first sync that a server failed more than five times ends once the server works again`()
    async throws
  {
    let phone = try Phone()
    defer { try? FileManager.default.removeItem(at: phone.folder) }
    let server = try IngestServer()
    try steps(phone, 20)
    let model = try await phone.model(
      .hub(url: server.url("500")), token: IngestServer.token, at: .firstSync)
    for attempt in 1...7 {
      await model.onboarding.send(.startFirstSync)
      guard case .paused(let reason?) = model.onboarding.machine.firstSync else {
        Issue.record("\(attempt): \(model.onboarding.machine.firstSync)")
        return
      }
      #expect(reason.hasPrefix("E003"))
      #expect(model.onboarding.machine.attempts == attempt)
    }
    try await model.service.change { $0.receiver = .hub(url: server.url("ok")) }
    await model.onboarding.send(.startFirstSync)
    #expect(model.onboarding.isFinished && model.onboarding.machine.uploaded == 20)
    #expect(try await server.log().batches.values.map(\.records).reduce(0, +) == 20)
  }

  @Test func `what a server will never take does not keep the app from starting`() async throws {
    let phone = try Phone()
    defer { try? FileManager.default.removeItem(at: phone.folder) }
    let server = try IngestServer()
    try steps(phone, 3)
    let model = try await phone.model(
      .hub(url: server.url("422")), token: IngestServer.token, at: .firstSync)
    await model.onboarding.send(.startFirstSync)
    #expect(model.onboarding.isFinished, "\(model.onboarding.machine.text)")
    await model.sync.send(.returned)
    #expect(model.sync.machine.status?.uploadStats.failed == 3 && model.sync.machine.mayRetry)
  }

  @Test(arguments: ["html", "not_http", "302", "open", "404"])
  func `an endpoint that is something else is not verified, and gets no token that it could keep`(
    mode: String
  ) async throws {
    let phone = try Phone()
    defer { try? FileManager.default.removeItem(at: phone.folder) }
    let server = try IngestServer()
    let model = try await phone.bare()
    await model.onboarding.send(.consented)
    await model.onboarding.enter(hub: server.url(mode), token: IngestServer.token)
    await model.onboarding.send(.verify)
    guard case .refused = model.onboarding.machine.verification else {
      Issue.record("\(model.onboarding.machine.verification)")
      return
    }
    #expect(try await server.log().tokens == [])
    await model.onboarding.send(.proceed)
    #expect(model.onboarding.machine.step == .receiver)
  }

  @Test
  func `a token that is changed while the first one is being verified is not taken for verified`()
    async throws
  {
    let phone = try Phone()
    defer { try? FileManager.default.removeItem(at: phone.folder) }
    let server = try IngestServer()
    let model = try await phone.bare()
    await model.onboarding.send(.consented)
    await model.onboarding.enter(hub: server.url(), token: IngestServer.token)
    async let first: Void = model.onboarding.send(.verify)
    while model.onboarding.machine.verification != .verifying { await Task.yield() }
    await model.onboarding.enter(hub: server.url(), token: "another-token")
    await model.onboarding.send(.verify)
    await first
    guard case .refused = model.onboarding.machine.verification else {
      Issue.record("\(model.onboarding.machine.verification)")
      return
    }
    #expect(try phone.environment.secrets.secret(named: PhoneReceiver.tokenName) == nil)
  }

  @Test
  func `a token that was revoked is reported, and another one sends what waits`() async throws {
    let phone = try Phone()
    defer { try? FileManager.default.removeItem(at: phone.folder) }
    let server = try IngestServer()
    let model = try await phone.model(.hub(url: server.url()), token: "revoked")
    try steps(phone, 10)
    await model.settings.send(.start)
    guard case .blocked("E002", _) = model.sync.machine.phase else {
      Issue.record("\(model.sync.machine.phase)")
      return
    }
    #expect(phone.notes.all.contains { $0.contains("E002") })
    await model.endpoint.enter(hub: server.url(), token: "wrong-again")
    await model.endpoint.send(.verify)
    guard case .refused = model.endpoint.machine.verification else {
      Issue.record("\(model.endpoint.machine.text)")
      return
    }
    await model.endpoint.enter(hub: server.url(), token: IngestServer.token)
    await model.endpoint.send(.verify)
    #expect(model.endpoint.machine.verification == .verified)
    guard case .waiting = model.sync.machine.phase else {
      Issue.record("\(model.sync.machine.phase)")
      return
    }
    #expect(model.sync.machine.status?.streamCounts[.healthKit]?.uploaded == 10)
    #expect(try await server.log().batches.values.map(\.records).reduce(0, +) == 10)
  }

  @Test func `after a change from a bucket to a hub what waits goes there, once`()
    async throws
  {
    let phone = try Phone()
    defer { try? FileManager.default.removeItem(at: phone.folder) }
    let server = try IngestServer()
    // The first receiver was a bucket, so the queue is one of a bucket.
    let model = try await phone.model(
      .bucket(name: "gone", endpoint: "http://127.0.0.1:9", region: "us-east-1", prefix: ""),
      token: "none")
    try steps(phone, 10)
    await model.settings.send(.start)
    // Health gives its samples again; a point of the place is there once.
    let point = try LocationPoint(
      timestamp: "\(Timestamp.now)", latitude: 48.5, longitude: 16.25, altitude: 10, speed: 1,
      horizontalAccuracy: 5, verticalAccuracy: 3
    ).entry()
    #expect(try await model.service.take([point]) == 1)
    #expect(try await model.service.status()?.uploadStats.pending == 11)
    await model.endpoint.enter(hub: server.url(), token: IngestServer.token)
    await model.endpoint.send(.verify)
    await model.sync.send(.syncNow)
    #expect(try await model.service.status()?.uploadStats.uploaded == 11)
    #expect(try await server.log().batches.values.map(\.records).reduce(0, +) == 11)
    // Started again, it is the same queue.
    let again = try PhoneService(phone.environment)
    #expect(try await again.status()?.uploadStats.uploaded == 11)
  }

  @Test
  func `a gateway that hangs does not stop pushes to another, and is reported once`()
    async throws
  {
    let phone = try Phone()
    defer { try? FileManager.default.removeItem(at: phone.folder) }
    let (refuses, hangs, works) = (try BadGateway(), try BadGateway(), try BadGateway())
    let model = try await phone.model(.hub(url: "http://127.0.0.1:9"), token: "none")
    try steps(phone, 10)
    await model.gateways.save(.init(id: "a", url: refuses.url("400"), instance: "phone"))
    await model.gateways.save(.init(id: "b", url: hangs.url("slow"), instance: "phone"))
    await model.gateways.save(.init(id: "c", url: hangs.url("slow"), instance: "phone"))
    await model.gateways.save(.init(id: "d", url: works.url("ok"), instance: "phone"))
    try await model.service.setRunning(true)
    let clock = ContinuousClock()
    for _ in 0..<2 {
      let began = clock.now
      _ = await model.service.run(.processing)
      #expect(clock.now - began < .seconds(20))
    }
    #expect(try await works.requests().count == 2)
    await model.gateways.appeared()
    #expect(Set(model.gateways.machine.lastPushes.keys) == ["d"])
    let told = phone.notes.all.filter { $0.hasPrefix("Push") }
    #expect(told.count == 1 && told.first?.hasPrefix("Push failed") == true, "\(told)")
  }

  @Test func `the password of a gateway's new address is not shown to the old one`() async throws {
    let phone = try Phone()
    defer { try? FileManager.default.removeItem(at: phone.folder) }
    let (old, new) = (try BadGateway(), try BadGateway())
    let model = try await phone.model(.hub(url: "http://127.0.0.1:9"), token: "none")
    var gateway = PhoneGateway(id: "a", url: old.url("ok"), instance: "phone", user: "ann")
    await model.gateways.save(gateway, password: "first")
    gateway.url = new.url("ok")
    await model.gateways.save(gateway, password: "second")
    await model.gateways.send(.test(id: "a"))
    func password(_ text: String) -> String {
      "Basic " + Data("ann:\(text)".utf8).base64EncodedString()
    }
    #expect(Set(try await old.requests().map(\.authorization)) == [password("first")])
    #expect(Set(try await new.requests().map(\.authorization)) == [password("second")])
  }
}
