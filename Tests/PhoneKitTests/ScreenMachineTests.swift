import HealthModel
import HealthStreams
import Outbox
import PhoneKit
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// The machines of the other screens, on every edge.
@Suite(.unit) struct ScreenMachineTests {
  private static let offline = DeliveryFailure(.offline, "no route")
  private static let refused = DeliveryFailure(.unauthorized, "the token was refused")

  @Test func `one sync is under way at a time, and every state of the sync can end`() {
    let events: [SyncMachine.Event] = [
      .started, .stopped, .syncNow, .retryFailed, .timerFired, .syncEnded([]),
      .syncEnded([Self.refused]), .settingsChanged, .returned, .intervalChanged(600),
    ]
    let walk = MachineWalk<SyncMachine, SyncMachine.Event, SyncMachine.Action>(
      from: SyncMachine(), by: events
    ) { machine, event in machine.handle(event) }
    #expect(walk.states.count > 10)
    for edge in walk.edges {
      let begins = edge.actions.filter { $0 == .sync }.count
      #expect(begins <= 1)
      if begins == 1 {
        var ended = false
        if case .syncEnded = edge.event { ended = true }
        #expect(edge.from.phase != .syncing || ended)
        #expect(edge.to.phase == .syncing)
      }
      // A timer runs in the state that waits for it, and in no other.
      if case .waiting = edge.to.phase { #expect(edge.to.isRunning) }
      if case .waiting = edge.from.phase, edge.to.phase == .syncing || edge.to.phase == .stopped {
        #expect(edge.actions.contains(.cancelWait))
      }
      if edge.event == .timerFired, case .waiting = edge.from.phase {
        #expect(edge.actions.contains(.sync))
      }
      if case .blocked = edge.to.phase { #expect(edge.to.isRunning) }
    }
    for state in walk.states {
      var machine = state
      _ = machine.handle(.stopped)
      for _ in 0..<3 { _ = machine.handle(.syncEnded([])) }
      #expect(machine.phase == .stopped && !machine.isRunning)
    }
  }

  @Test func `a sync waits longer while the receiver is down, and stops at a refused token`() {
    var machine = SyncMachine()
    #expect(machine.handle(.started) == [.cancelWait, .sync])
    #expect(machine.handle(.syncEnded([])) == [.readStatus, .wait(seconds: 300)])
    for seconds in [30, 60, 120, 240, 300, 300] {
      #expect(machine.handle(.timerFired) == [.cancelWait, .sync])
      #expect(
        machine.handle(.syncEnded([Self.offline])) == [.readStatus, .wait(seconds: seconds)])
    }
    #expect(machine.handle(.syncNow) == [.cancelWait, .sync])
    #expect(machine.handle(.syncEnded([Self.refused])) == [.readStatus])
    #expect(machine.phase == .blocked(code: "E002", message: "the token was refused"))
    #expect(machine.text(timeZoneName: "UTC").contains { $0.hasPrefix("❌ E002: the token") })
    #expect(machine.handle(.timerFired) == [])
    #expect(machine.handle(.settingsChanged) == [.cancelWait, .sync])
    // A person who taps twice gets a second sync after the first.
    #expect(machine.handle(.syncNow) == [])
    #expect(machine.handle(.syncEnded([])) == [.readStatus, .sync])
  }

  @Test func `"Sync now" works while the services are stopped, and does not start them`() {
    var machine = SyncMachine()
    #expect(machine.handle(.syncNow) == [.cancelWait, .sync])
    #expect(machine.handle(.syncEnded([])) == [.readStatus] && machine.phase == .stopped)
  }

  private static let gateway = PhoneGateway(id: "a", url: "https://a.example", instance: "phone")

  @Test func `gateways: a test counts for what was tested, and what is removed is taken away`() {
    var moved = Self.gateway
    moved.url = "https://b.example"
    let events: [GatewaysMachine.Event] = [
      .saved(Self.gateway), .saved(moved), .removed(id: "a"), .removed(id: "x"), .test(id: "a"),
      .tested(Self.gateway, failure: nil), .tested(moved, failure: "503"),
      .chose(.steps, isOn: false), .chose(.steps, isOn: true), .choseAll,
      .choseHeartRate(false), .choseWorkouts(false),
    ]
    let walk = MachineWalk<GatewaysMachine, GatewaysMachine.Event, GatewaysMachine.Action>(
      from: GatewaysMachine(PhoneSettings()), by: events
    ) { machine, event in machine.handle(event) }
    for edge in walk.edges {
      let changed =
        edge.from.gateways != edge.to.gateways || edge.from.metrics != edge.to.metrics
        || edge.from.pushesHeartRate != edge.to.pushesHeartRate
        || edge.from.pushesWorkouts != edge.to.pushesWorkouts
      if changed { #expect(edge.actions.contains(.keep)) }
      for case .test(let gateway) in edge.actions { #expect(edge.to.gateways.contains(gateway)) }
      // Nothing that was pushed to an address outlasts it.
      for old in edge.from.gateways where !edge.to.gateways.contains(where: { $0.url == old.url }) {
        #expect(edge.actions.contains(.clear(old)))
        #expect(edge.to.tests[old.id] == nil)
      }
      if edge.to.tests["a"] == .succeeded, edge.from.tests["a"] != .succeeded {
        #expect(edge.from.tests["a"] == .running && edge.to.gateways == [Self.gateway])
      }
    }
    #expect(walk.states.contains { $0.tests["a"] == .failed("503") })
    #expect(walk.states.contains { !$0.isPushed(.steps) && $0.isPushed(.weight) })
  }

  @Test func `gateways: five and no more, each with its own test`() {
    var machine = GatewaysMachine(PhoneSettings())
    for number in 1...6 {
      _ = machine.handle(.saved(.init(id: "\(number)", url: "https://g", instance: "i")))
    }
    #expect(machine.gateways.count == 5 && !machine.mayAdd)
    #expect(machine.handle(.test(id: "1")).count == 1 && machine.handle(.test(id: "2")).count == 1)
    #expect(machine.handle(.test(id: "1")) == [])
    #expect(machine.text(timeZoneName: "UTC").filter { $0.contains("Testing…") }.count == 2)
  }

  @Test func `records: nothing is sent before Health was allowed, nor after "Disconnect"`() {
    let moment = Timestamp(secondsSince1970: 1_770_000_000)
    let events: [RecordsMachine.Event] = [
      .connect, .answered(.granted), .answered(.denied), .openSettings, .returned(.granted),
      .returned(.denied), .progressed(RecordProgress(days: 1, allDays: 3, records: 20)),
      .ended(at: moment), .failed("gone"),
      .syncNow, .news, .disconnect,
    ]
    let walk = MachineWalk<RecordsMachine, RecordsMachine.Event, RecordsMachine.Action>(
      from: RecordsMachine(), by: events
    ) { machine, event in machine.handle(event) }
    for edge in walk.edges {
      let sends = edge.actions.contains { $0 == .backfill || $0 == .sync }
      if sends { #expect(edge.to.isConnected) }
      if edge.actions.contains(.backfill) {
        #expect(!edge.from.isFilled && edge.to.phase == .backfilling)
      }
      if edge.actions.contains(.sync) { #expect(edge.from.isFilled && edge.to.phase == .syncing) }
      if edge.from.isConnected, !edge.to.isConnected {
        #expect(edge.event == .disconnect && edge.actions.contains(.keep(isConnected: false)))
        let wasBusy = edge.from.phase == .backfilling || edge.from.phase == .syncing
        #expect(edge.actions.contains(.cancel) == wasBusy)
      }
      if edge.from.phase == .denied, edge.to.phase != .denied, edge.to.isConnected {
        #expect(edge.event == .returned(.granted))
      }
    }
    var machine = RecordsMachine()
    for event in [RecordsMachine.Event.connect, .answered(.granted), .ended(at: moment)] {
      _ = machine.handle(event)
    }
    #expect(machine.text(timeZoneName: "UTC").contains { $0.hasPrefix("✅ Up to date") })
    #expect(RecordsMachine(isConnected: true).phase != .upToDate)
  }

  @Test func `settings: what changes is kept, and streams start only while the services run`() {
    let airPods = AudioInput(id: "bt", name: "AirPods", kind: .bluetooth)
    let own = AudioInput(id: "mic", name: "iPhone Microphone", kind: .builtIn)
    let events: [SettingsMachine.Event] = [
      .turned(.audio, isOn: false), .turned(.audio, isOn: true), .choseInput("bt"),
      .choseInput(nil), .inputsChanged([own]), .inputsChanged([own, airPods]), .setGoal(0),
      .setGoal(10_000), .setNotifyHours(1), .setNotifyHours(24), .setInterval(minutes: 0),
      .setInterval(minutes: 5), .start, .stop,
    ]
    var settings = PhoneSettings()
    for isFinished in [false, true] {
      if isFinished { settings.onboarding = .finished }
      let walk = MachineWalk<SettingsMachine, SettingsMachine.Event, SettingsMachine.Action>(
        from: SettingsMachine(settings), by: events
      ) { machine, event in machine.handle(event) }
      for edge in walk.edges {
        #expect(edge.actions.contains(.keep) == (edge.from.settings != edge.to.settings))
        #expect((6...12).contains(edge.to.settings.notifyHours) && edge.to.settings.stepGoal > 0)
        #expect((1...60).contains(edge.to.settings.intervalMinutes))
        let streams = edge.actions.contains {
          $0 == .startStream(.audio) || $0 == .stopStream(.audio)
        }
        if streams { #expect(edge.from.settings.isRunning) }
        if edge.to.usedInput != edge.from.usedInput, let used = edge.to.usedInput {
          #expect(edge.actions.contains(.useInput(used)))
        }
      }
      #expect(walk.states.contains { $0.settings.isRunning } == isFinished)
    }
  }

  @Test func `the interval goes from 1 to 60 minutes, in steps that a person can count`() {
    var machine = SettingsMachine(PhoneSettings())
    #expect(machine.settings.intervalMinutes == 5)
    var down: [Int] = []
    for _ in 1...5 {
      _ = machine.handle(.setInterval(minutes: machine.shorterInterval))
      down.append(machine.settings.intervalMinutes)
    }
    #expect(down == [4, 3, 2, 1, 1])
    var up: [Int] = []
    for _ in 1...16 {
      _ = machine.handle(.setInterval(minutes: machine.longerInterval))
      up.append(machine.settings.intervalMinutes)
    }
    #expect(up == [2, 3, 4, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 60])
    _ = machine.handle(.setInterval(minutes: 7))
    #expect(machine.shorterInterval == 5 && machine.longerInterval == 10)
  }

  @Test func `a microphone that went away is replaced by the phone's own, and is used again later`()
  {
    let airPods = AudioInput(id: "bt", name: "AirPods", kind: .bluetooth)
    let own = AudioInput(id: "mic", name: "iPhone Microphone", kind: .builtIn)
    var machine = SettingsMachine(PhoneSettings())
    #expect(machine.handle(.inputsChanged([airPods, own])) == [.useInput(own)])
    #expect(machine.handle(.choseInput("bt")) == [.keep, .useInput(airPods)])
    #expect(machine.handle(.inputsChanged([own])) == [.useInput(own)])
    #expect(machine.fellBack && machine.settings.audioInput == "bt")
    #expect(
      machine.text.contains("Audio Input: iPhone Microphone (the chosen one is not connected)"))
    #expect(machine.handle(.inputsChanged([own, airPods])) == [.useInput(airPods)])
  }

  @Test func `badges are of the goal, of rows of days, and of the best day`() throws {
    let today = try #require(CalendarDate("2026-03-08"))
    func summary(_ steps: Int, _ before: [Double?]) throws -> TodaySummary {
      var days: [CalendarDate: [DailyMetric: Double]] = [:]
      for (back, steps) in before.enumerated() {
        let date = try #require(today.adding(days: -back - 1))
        days[date] = steps.map { [.steps: $0] } ?? [:]
      }
      return TodaySummary(today, steps: steps, goal: 10_000, days: days)
    }
    #expect(try summary(9_999, []).badges == [])
    #expect(try summary(10_000, []).badges == [.goal])
    #expect(try summary(20_000, [12_000]).badges == [.goal, .double, .best])
    #expect(try summary(10_000, [12_000, 10_000]).badges == [.goal, .threeDays])
    #expect(try summary(10_000, [12_000, nil, 12_000]).badges == [.goal])
    let week = [Double?](repeating: 10_000, count: 6)
    #expect(try summary(10_001, week).badges == [.goal, .best, .threeDays, .sevenDays])
  }
}
