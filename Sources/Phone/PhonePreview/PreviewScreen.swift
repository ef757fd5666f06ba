import Foundation
import HealthCollector
import HealthModel
import HealthStreams
import PhoneKit
import Secrets

/// A screen of the app, and the states that are shown of it.
@MainActor enum PreviewScreen: String, CaseIterable {
  case onboarding, today, sync, endpoint, gateways, records, log, settings

  typealias State = (title: String, lines: [String])

  func states() async throws -> [State] {
    switch self {
    case .onboarding: Self.onboardingStates()
    case .today: try await Self.todayStates()
    case .sync: try await Self.syncStates()
    case .endpoint: Self.endpointStates()
    case .gateways: Self.gatewayStates()
    case .records: Self.recordStates()
    case .log: try await Self.logStates()
    case .settings: Self.settingStates()
    }
  }

  private nonisolated static let zone = "Europe/Berlin"
  private static let hub = PhoneReceiver.hub(url: "https://hub.example")

  private static func onboardingStates() -> [State] {
    var machine = OnboardingMachine()
    var states: [State] = [("at the first start", machine.text)]
    func then(_ title: String, _ events: OnboardingMachine.Event...) {
      for event in events { _ = machine.handle(event) }
      states.append((title, machine.text))
    }
    then("after \"I agree\"", .consented)
    then("an address was entered", .entered(hub))
    then("verifying", .verify)
    then("the token is wrong", .refused(hub, "hub.example refused the device token with 401"))
    then("Pushgateways only", .entered(.gateways), .verify, .verified(.gateways))
    then("verified", .entered(hub), .verify, .verified(hub))
    then("nobody was asked", .proceed)
    then(
      "location only while the app is used",
      .permissionsRead([.health: .granted, .location: .whileInUse, .microphone: .notDetermined]))
    then(
      "back from Settings",
      .permissionsRead([.health: .granted, .location: .granted, .microphone: .granted]))
    then("before the first sync", .proceed)
    then("running", .startFirstSync, .progressed(uploaded: 1200, of: 8500))
    then("no network", .pieceEnded(isComplete: false, failure: "E001: nothing answered"))
    then("finished", .returned, .pieceEnded(isComplete: true, failure: nil))
    return states
  }

  private static func endpointStates() -> [State] {
    var settings = PhoneSettings()
    settings.receiver = hub
    var machine = EndpointMachine(settings)
    var states: [State] = [("what is used", machine.text)]
    func then(_ title: String, _ events: EndpointMachine.Event...) {
      for event in events { _ = machine.handle(event) }
      states.append((title, machine.text))
    }
    let other = PhoneReceiver.hub(url: "https://other.example")
    then("another one was entered", .entered(other))
    then("verifying", .verify)
    then("its token is wrong", .refused(other, "other.example refused the device token with 401"))
    then("changed", .verify, .verified(other))
    return states
  }

  private static func gatewayStates() -> [State] {
    var machine = GatewaysMachine(PhoneSettings())
    var states: [State] = [("none", machine.text(timeZoneName: zone))]
    let home = PhoneGateway(id: "1", url: "https://gateway.example:9091", instance: "Ann's iPhone")
    let second = PhoneGateway(
      id: "2", url: "https://push.example", instance: "Ann's iPhone", user: "ann", isOn: false)
    _ = machine.handle(.saved(home))
    _ = machine.handle(.saved(second))
    _ = machine.handle(.pushesRead(["1": Timestamp(secondsSince1970: 1_783_690_930)]))
    states.append(("two", machine.text(timeZoneName: zone)))
    _ = machine.handle(.test(id: "1"))
    _ = machine.handle(.test(id: "2"))
    _ = machine.handle(.tested(home, failure: nil))
    states.append(("testing", machine.text(timeZoneName: zone)))
    _ = machine.handle(.tested(second, failure: "push.example refused the user and password"))
    _ = machine.handle(.chose(.weight, isOn: false))
    states.append(("tested, without weight", machine.text(timeZoneName: zone)))
    return states
  }

  private static func recordStates() -> [State] {
    var machine = RecordsMachine()
    var states: [State] = [("at first", machine.text(timeZoneName: zone))]
    func then(_ title: String, _ events: RecordsMachine.Event...) {
      for event in events { _ = machine.handle(event) }
      states.append((title, machine.text(timeZoneName: zone)))
    }
    then("refused", .connect, .answered(.denied))
    then(
      "the past is sent", .returned(.granted),
      .progressed(RecordProgress(days: 120, allDays: 1460, records: 2917)))
    then("no network", .failed("nothing answered at hub.example"))
    then(
      "all is sent", .syncNow, .ended(at: Timestamp(secondsSince1970: 1_783_690_930)))
    return states
  }

  private static func settingStates() -> [State] {
    let own = AudioInput(id: "mic", name: "iPhone Microphone", kind: .builtIn)
    let airPods = AudioInput(id: "bt", name: "AirPods", kind: .bluetooth)
    var settings = PhoneSettings()
    (settings.onboarding, settings.receiver) = (.finished, hub)
    var machine = SettingsMachine(settings)
    for event: SettingsMachine.Event in [
      .inputsChanged([own, airPods]), .choseInput("bt"), .start,
    ] { _ = machine.handle(event) }
    var states: [State] = [("running, with AirPods", machine.text)]
    for event: SettingsMachine.Event in [
      .inputsChanged([own]), .turned(.location, isOn: false), .stop,
    ] { _ = machine.handle(event) }
    states.append(("stopped, AirPods away, no location", machine.text))
    _ = machine.handle(.turned(.location, isOn: true))
    _ = machine.handle(.permissionsRead([.location: .whileInUse]))
    states.append(("the permission for the place was taken back", machine.text))
    return states
  }

  // MARK: - Over a real queue

  /// A phone of a folder of its own, whose hub does not answer.
  private static func phone() async throws -> (
    model: PhoneModel, health: RehearsedHealth, end: () -> Void
  ) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "preview-\(UUID())")
    let (health, now) = (RehearsedHealth(), Timestamp(secondsSince1970: 1_783_690_930))
    let permissions = RehearsedPermissions()
    for permission in PhonePermission.allCases { permissions.set(.granted, of: permission) }
    var environment = PhoneEnvironment(
      folder: folder, secrets: SecretFolder(path: folder.appending(path: "secrets").path),
      health: health, permissions: permissions, notify: { _, _ in },
      timeZoneName: { zone })
    environment.now = { now }
    let model = try await PhoneModel(
      environment, timer: RehearsedTimer(), collecting: RehearsedSensors())
    try await model.service.keep(token: Secret("a-token-of-a-preview"))
    try await model.service.change {
      ($0.receiver, $0.onboarding) = (.hub(url: "http://127.0.0.1:9"), .finished)
    }
    for number in 1...40 {
      try health.add(.stepCount, 213, at: now.adding(seconds: -600 * number), number: number)
    }
    try health.add(
      .distanceWalkingRunning, 5230, at: now.adding(seconds: -3600), lasting: 3000, number: 41)
    try health.add(
      .activeEnergyBurned, 387, at: now.adding(seconds: -3600), lasting: 3000, number: 42)
    return (model, health, { try? FileManager.default.removeItem(at: folder) })
  }

  private static func todayStates() async throws -> [State] {
    let (model, health, end) = try await phone()
    defer { end() }
    health.allow(.denied)
    await model.today.dashboard.requestAuthorizationAndStart()
    var states: [State] = [("denied", model.today.text)]
    health.allow(.authorized)
    await model.today.dashboard.requestAuthorizationAndStart()
    await model.today.refresh()
    states.append(("live", model.today.text))
    model.today.dashboard.updateStepGoal(5000)
    states.append(("with a goal of 5,000", model.today.text))
    model.today.dashboard.stopLiveTracking()
    return states
  }

  private static func syncStates() async throws -> [State] {
    let (model, _, end) = try await phone()
    defer { end() }
    var states: [State] = [("stopped", model.sync.machine.text(timeZoneName: zone))]
    try await model.service.setRunning(true)
    await model.sync.send(.started)
    states.append(("the hub does not answer", model.sync.machine.text(timeZoneName: zone)))
    return states
  }

  private static func logStates() async throws -> [State] {
    let (model, _, end) = try await phone()
    defer { end() }
    try await model.service.setRunning(true)
    await model.service.log(type: "recording_interrupted", "Audio interruption began")
    await model.service.log(type: "recording_resumed", "Audio interruption ended")
    await model.sync.send(.started)
    await model.log.refresh()
    var states: [State] = [("all", model.log.text(timeZoneName: zone))]
    model.log.filter.onlyErrors = true
    states.append(("errors", model.log.text(timeZoneName: zone)))
    return states
  }
}
