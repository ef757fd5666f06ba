public import HealthStreams
import Synchronization

/// Who answers questions for permissions in previews and tests.
public final class RehearsedPermissions: PermissionAsking {
  private let states: Mutex<[PhonePermission: PhonePermission.State]>
  private let answers: Mutex<[PhonePermission: PhonePermission.State]>
  private let opened = Mutex(0)
  private let asked = Mutex(0)

  /// - Parameter answers: what the person says; they allow what is not named.
  public init(answers: [PhonePermission: PhonePermission.State] = [:]) {
    states = Mutex([:])
    self.answers = Mutex(answers)
  }

  /// How often Settings were opened.
  public var settingsOpened: Int { opened.withLock { $0 } }

  /// How often it was asked whether notifications may be shown.
  public var notificationsAsked: Int { asked.withLock { $0 } }

  /// What the person changes in Settings.
  public func set(_ state: PhonePermission.State, of permission: PhonePermission) {
    states.withLock { $0[permission] = state }
  }

  /// What was answered.
  public func state(of permission: PhonePermission) async -> PhonePermission.State {
    states.withLock { $0[permission] ?? .notDetermined }
  }

  /// Answers as the person does, once.
  public func ask(_ permission: PhonePermission) async -> PhonePermission.State {
    let answer = answers.withLock { $0[permission] ?? .granted }
    return states.withLock { states in
      if states[permission] ?? .notDetermined == .notDetermined { states[permission] = answer }
      return states[permission] ?? .notDetermined
    }
  }

  /// Counts.
  public func askForNotifications() async { asked.withLock { $0 += 1 } }

  /// Counts.
  public func openSettings() async { opened.withLock { $0 += 1 } }
}

/// A timer that fires when a preview or test says so.
@MainActor
public final class RehearsedTimer: PhoneTimer {
  /// The seconds of the wait; nil without one.
  public private(set) var seconds: Int?
  private var fire: (@MainActor () -> Void)?

  /// A timer that waits for nothing.
  public init() {}

  /// Waits for `elapse`.
  public func start(seconds: Int, _ fire: @escaping @MainActor () -> Void) {
    (self.seconds, self.fire) = (seconds, fire)
  }

  /// Waits no more.
  public func cancel() { (seconds, fire) = (nil, nil) }

  /// The time is over.
  public func elapse() {
    let due = fire
    cancel()
    due?()
  }
}

/// Sensors that only record the commands they get.
@MainActor
public final class RehearsedSensors: StreamCollecting {
  /// The streams that are collected.
  public private(set) var running: Set<StreamName> = []
  /// The microphone that is used.
  public private(set) var input: AudioInput?

  /// Sensors that collect nothing.
  public init() {}

  /// Remembers the stream.
  public func start(_ stream: StreamName) { running.insert(stream) }
  /// Forgets the stream.
  public func stop(_ stream: StreamName) { running.remove(stream) }
  /// Remembers the microphone.
  public func use(_ input: AudioInput) { self.input = input }
}
