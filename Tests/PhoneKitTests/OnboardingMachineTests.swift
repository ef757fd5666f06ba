import HealthModel
import PhoneKit
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// `OnboardingMachine`, on every edge.
@Suite(.unit) struct OnboardingMachineTests {
  private typealias Machine = OnboardingMachine
  private static let hub = PhoneReceiver.hub(url: "https://hub.example")
  private static let other = PhoneReceiver.hub(url: "https://other.example")
  private static let granted: [PhonePermission: PhonePermission.State] = [
    .health: .granted, .location: .granted, .microphone: .granted,
  ]

  private static let events: [Machine.Event] = [
    .consented, .entered(hub), .entered(other), .entered(.gateways), .verify, .verified(hub),
    .verified(other), .verified(.gateways),
    .refused(hub, "no"), .proceed, .back, .permissionsRead(granted),
    .permissionsRead(granted.merging([.location: .whileInUse]) { $1 }),
    .permissionsRead(granted.merging([.microphone: .denied]) { $1 }),
    .permissionsRead([.health: .notDetermined]), .ask(.health), .ask(.location), .openSettings,
    .returned, .left, .startFirstSync, .progressed(uploaded: 1, of: 2),
    .pieceEnded(isComplete: false, failure: nil), .pieceEnded(isComplete: false, failure: "E001"),
    .pieceEnded(isComplete: true, failure: nil),
  ]

  /// Attempts are counted without end, so the walk stops counting at 2.
  private static let walk = MachineWalk<Machine, Machine.Event, Machine.Action>(
    from: Machine(), by: events
  ) { machine, event in
    var next = machine
    let actions = next.handle(event)
    if next.attempts <= 2 { machine = next }
    return actions
  }

  @Test
  func `on every edge, services start only after consent, verification, permissions and a sync`() {
    let walk = Self.walk
    #expect(walk.states.count > 50 && walk.edges.count > 1000)
    var finishes = 0
    for edge in walk.edges {
      let starts = edge.actions.contains(.startServices)
      #expect(starts == (edge.to.step == .finished && edge.from.step != .finished))
      if starts {
        finishes += 1
        #expect(edge.from.step == .firstSync && edge.from.verification == .verified)
        #expect(edge.from.missing.isEmpty && edge.to.firstSync == .complete)
      }
      // A step is left forward only once what it asks for is there, and never two at once.
      if edge.to.step > edge.from.step {
        #expect(edge.actions.contains(.keepStep(edge.to.step)))
        switch edge.from.step {
        case .consent: #expect(edge.to.step == .receiver)
        case .receiver: #expect(edge.from.verification == .verified)
        case .permissions: #expect(edge.from.missing.isEmpty)
        default: break
        }
      }
      // What is kept was verified unchanged.
      for case .keep(let receiver) in edge.actions {
        #expect(edge.to.receiver == receiver && edge.to.verification == .verified)
      }
      for case .verify(let receiver) in edge.actions {
        #expect(edge.to.receiver == receiver && edge.to.verification == .verifying)
      }
    }
    #expect(finishes > 0)
    for step in Machine.Step.allCases { #expect(walk.states.contains { $0.step == step }) }
  }

  @Test func `from every state the first steps can be finished`() {
    for state in Self.walk.states {
      var machine = state
      var steps = 0
      while machine.step != .finished, steps < 30 {
        steps += 1
        switch machine.step {
        case .consent: _ = machine.handle(.consented)
        case .receiver:
          if machine.verification == .verifying, let receiver = machine.receiver {
            _ = machine.handle(.verified(receiver))
          } else if machine.mayProceed {
            _ = machine.handle(.proceed)
          } else {
            _ = machine.handle(.entered(Self.hub))
            _ = machine.handle(.verify)
          }
        case .permissions:
          _ = machine.handle(.permissionsRead(Self.granted))
          _ = machine.handle(.proceed)
        case .firstSync:
          _ = machine.handle(.startFirstSync)
          _ = machine.handle(.pieceEnded(isComplete: true, failure: nil))
        case .finished: break
        }
      }
      #expect(machine.step == .finished, "\(state)")
    }
  }

  @Test func `an answer about an endpoint that was changed meanwhile verifies nothing`() {
    var machine = Machine(at: .receiver)
    _ = machine.handle(.entered(Self.hub))
    #expect(machine.handle(.verify) == [.verify(Self.hub)])
    _ = machine.handle(.entered(Self.other))
    #expect(machine.handle(.verified(Self.hub)) == [])
    #expect(machine.verification == .unverified && !machine.mayProceed)
    #expect(machine.handle(.proceed) == [])
  }

  @Test func `what is denied leads to Settings, and is looked at again on return`() {
    var machine = Machine(at: .permissions, receiver: Self.hub)
    #expect(machine.missing == [.health, .location, .microphone])
    // Health is many types: each group of them has its reason.
    for reason in PhonePermission.health.reasons {
      #expect(machine.text.contains("   - \(reason)"))
    }
    #expect(Set(PhonePermission.health.reasons).count == MetricGroup.allCases.count + 1)
    #expect(machine.handle(.ask(.location)) == [.ask(.location)])
    _ = machine.handle(.permissionsRead(Self.granted.merging([.location: .whileInUse]) { $1 }))
    #expect(machine.missing == [.location] && machine.needsSettings(.location))
    #expect(machine.text.contains { $0.contains("choose Location, and then Always") })
    #expect(machine.text.contains("   [ Open Settings ]") && machine.text.last == "( Continue )")
    #expect(machine.handle(.ask(.location)) == [.openSettings])
    #expect(machine.handle(.returned) == [.readPermissions])
    _ = machine.handle(.permissionsRead(Self.granted))
    // Before the first notification, which comes when the services start.
    #expect(machine.handle(.proceed) == [.askForNotifications, .keepStep(.firstSync)])
  }

  @Test func `the first sync goes on by itself, and waits after a failure`() {
    var machine = Machine(at: .firstSync, receiver: Self.hub)
    #expect(machine.handle(.startFirstSync) == [.syncPiece])
    #expect(machine.handle(.startFirstSync) == [])
    _ = machine.handle(.progressed(uploaded: 3, of: 9))
    #expect(machine.text.contains("Uploaded 3 of 9"))
    #expect(machine.handle(.pieceEnded(isComplete: false, failure: nil)) == [.syncPiece])
    #expect(machine.attempts == 2)
    #expect(machine.handle(.pieceEnded(isComplete: false, failure: "E001: gone")) == [])
    #expect(machine.firstSync == .paused("E001: gone"))
    #expect(machine.handle(.returned) == [.syncPiece])
    #expect(machine.handle(.left) == [] && machine.firstSync == .paused(nil))
    // The piece that the system ended reports late.
    #expect(machine.handle(.pieceEnded(isComplete: true, failure: nil)) == [])
    #expect(machine.handle(.startFirstSync) == [.syncPiece])
    #expect(
      machine.handle(.pieceEnded(isComplete: true, failure: nil))
        == [.keepStep(.finished), .startServices])
  }

  @Test func `who pushes to gateways only is asked for Health, and for nothing else`() {
    var machine = Machine(at: .receiver)
    _ = machine.handle(.entered(.gateways))
    #expect(machine.handle(.verify) == [.verify(.gateways)])
    #expect(machine.handle(.verified(.gateways)) == [.keep(.gateways)])
    #expect(machine.receiverLines.contains("Where to: Pushgateways only"))
    _ = machine.handle(.proceed)
    #expect(machine.needed == [.health])
    _ = machine.handle(.permissionsRead([.health: .granted]))
    #expect(machine.handle(.proceed).contains(.keepStep(.firstSync)))
    #expect(machine.text.first == "The first push")
  }

  @Test func `a step that was kept without its receiver begins at the receiver`() {
    #expect(Machine(at: .firstSync).step == .receiver)
    #expect(Machine(at: .firstSync, receiver: Self.hub).step == .firstSync)
    #expect(Machine(at: .finished, receiver: Self.hub).firstSync == .complete)
  }
}
