import HealthCollector
import Testing

/// The microphone through interruptions.
@Suite(.unit) struct RecordingMachineTests {
  private func machine(_ events: RecordingMachine.Event...) -> RecordingMachine {
    var machine = RecordingMachine()
    for event in events { _ = machine.handle(event) }
    return machine
  }

  @Test func `a call pauses the recording, and its end resumes it`() {
    var machine = machine(.start, .started)
    #expect(machine.state == .recording)
    #expect(machine.handle(.interruptionBegan) == [.log(.interrupted)])
    #expect(machine.state == .interrupted)
    #expect(machine.handle(.interruptionEnded(shouldResume: true)) == [.resumeSession])
    #expect(machine.state == .resuming)
    #expect(machine.handle(.started) == [.log(.resumed)])
    #expect(machine.state == .recording)
  }

  @Test func `where resuming fails, the session is made anew`() {
    var machine = machine(
      .start, .started, .interruptionBegan, .interruptionEnded(shouldResume: true))
    #expect(
      machine.handle(.failed("busy")) == [.log(.resumeFailed), .stopSession, .startSession])
    #expect(machine.state == .restarting)
    #expect(machine.handle(.started) == [.log(.restarted)])
  }

  @Test func `a restart that fails is tried again, ever more rarely, and never given up`() {
    var machine = machine(
      .start, .started, .interruptionBegan, .interruptionEnded(shouldResume: false))
    var delays: [Int] = []
    for _ in 0..<9 {
      for case .retry(let seconds) in machine.handle(.failed("no")) { delays.append(seconds) }
      #expect(machine.handle(.timerFired) == [.stopSession, .startSession])
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    #expect(machine.handle(.started) == [.log(.restarted)])
  }

  @Test func `after a restart that succeeded, the next failure is tried again at once`() {
    var machine = machine(.start)
    for _ in 0..<5 {
      _ = machine.handle(.failed("busy"))
      _ = machine.handle(.timerFired)
    }
    #expect(machine.handle(.started) == [.log(.restarted)])
    _ = machine.handle(.failed("gone"))
    #expect(machine.handle(.failed("busy")) == [.log(.restartFailed), .retry(seconds: 1)])
  }

  @Test func `in the foreground a recording that has fallen silent is found`() {
    var machine = machine(.start, .started)
    #expect(machine.handle(.foreground(isRecording: true)) == [])
    #expect(
      machine.handle(.foreground(isRecording: false))
        == [.log(.foundSilent), .stopSession, .startSession])
    var paused = self.machine(.start, .started, .interruptionBegan)
    #expect(paused.handle(.foreground(isRecording: false)) == [.resumeSession])
  }

  @Test func `whatever happens, a person's stop ends it, and only a start begins it`() {
    let events: [RecordingMachine.Event] = [
      .start, .started, .failed("x"), .interruptionBegan, .interruptionEnded(shouldResume: true),
      .interruptionEnded(shouldResume: false), .servicesReset, .foreground(isRecording: true),
      .foreground(isRecording: false), .timerFired,
    ]
    // Every state that any four events lead to.
    var seen: Set<RecordingMachine> = [RecordingMachine()]
    for _ in 0..<4 {
      for machine in seen {
        for event in events {
          var next = machine
          let actions = next.handle(event)
          if machine.state == .stopped, event != .start { #expect(actions.isEmpty) }
          // The microphone is asked for only on the way to recording.
          if actions.contains(.startSession) || actions.contains(.resumeSession) {
            #expect([.starting, .resuming, .restarting].contains(next.state))
          }
          seen.insert(next)
        }
      }
    }
    for machine in seen where machine.state != .stopped {
      var stopped = machine
      #expect(stopped.handle(.stop) == [.stopSession, .log(.stopped)])
      #expect(stopped == RecordingMachine())
    }
    #expect(Set(seen.map(\.state)).count == 6)
  }
}
