package import HealthStreams
import Synchronization

/// Who answers questions for permissions in previews and tests.
package final class RehearsedPermissions: PermissionAsking {
  private let states: Mutex<[PhonePermission: PhonePermission.State]>
  private let answers: Mutex<[PhonePermission: PhonePermission.State]>
  private let opened = Mutex(0)

  /// - Parameter answers: what the person says; they allow what is not named.
  package init(answers: [PhonePermission: PhonePermission.State] = [:]) {
    states = Mutex([:])
    self.answers = Mutex(answers)
  }

  /// How often Settings were opened.
  package var settingsOpened: Int { opened.withLock { $0 } }

  /// What the person changes in Settings.
  package func set(_ state: PhonePermission.State, of permission: PhonePermission) {
    states.withLock { $0[permission] = state }
  }

  package func state(of permission: PhonePermission) async -> PhonePermission.State {
    states.withLock { $0[permission] ?? .notDetermined }
  }

  package func ask(_ permission: PhonePermission) async -> PhonePermission.State {
    let answer = answers.withLock { $0[permission] ?? .granted }
    return states.withLock { states in
      if states[permission] ?? .notDetermined == .notDetermined { states[permission] = answer }
      return states[permission] ?? .notDetermined
    }
  }

  package func openSettings() async { opened.withLock { $0 += 1 } }
}

/// A timer that fires when a preview or test says so.
@MainActor
package final class RehearsedTimer: PhoneTimer {
  /// The seconds of the wait; nil without one.
  package private(set) var seconds: Int?
  private var fire: (@MainActor () -> Void)?

  package init() {}

  package func start(seconds: Int, _ fire: @escaping @MainActor () -> Void) {
    (self.seconds, self.fire) = (seconds, fire)
  }

  package func cancel() { (seconds, fire) = (nil, nil) }

  /// The time is over.
  package func elapse() {
    let due = fire
    cancel()
    due?()
  }
}

/// Sensors that only remember what they were told.
@MainActor
package final class RehearsedSensors: StreamCollecting {
  /// The streams that are collected.
  package private(set) var running: Set<StreamName> = []
  /// The microphone that is used.
  package private(set) var input: AudioInput?

  package init() {}

  package func start(_ stream: StreamName) { running.insert(stream) }
  package func stop(_ stream: StreamName) { running.remove(stream) }
  package func use(_ input: AudioInput) { self.input = input }
}
