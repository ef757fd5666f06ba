public import HealthStreams
public import Observation

/// What collects a stream all the time: Core Location and the microphone on a phone.
@MainActor
public protocol StreamCollecting: AnyObject {
  /// Begins to collect a stream. HealthKit is collected by the timer.
  func start(_ stream: StreamName)
  /// Ends it.
  func stop(_ stream: StreamName)
  /// Records with this microphone from now on.
  func use(_ input: AudioInput)
}

/// The screen of the settings, for a view. It carries out what `SettingsMachine` says.
@MainActor @Observable
public final class SettingsModel {
  /// What the screen shows.
  public private(set) var machine: SettingsMachine
  /// What could not be kept; nil if all is well.
  public private(set) var errorMessage: String?

  @ObservationIgnored private let service: PhoneService
  @ObservationIgnored private let permissions: any PermissionAsking
  @ObservationIgnored private let collecting: any StreamCollecting
  @ObservationIgnored private let sync: SyncModel
  @ObservationIgnored private let showGoal: @MainActor (Int) -> Void

  /// The screen of what was kept.
  ///
  /// - Parameters:
  ///   - service: what keeps the settings.
  ///   - settings: those that were kept.
  ///   - permissions: knows which streams may be collected.
  ///   - collecting: starts and stops what collects each stream.
  ///   - sync: the screen of the sync.
  ///   - showGoal: shows a goal on the screen of today.
  public init(
    _ service: PhoneService, settings: PhoneSettings, permissions: any PermissionAsking,
    collecting: any StreamCollecting, sync: SyncModel, showGoal: @escaping @MainActor (Int) -> Void
  ) {
    (self.service, self.permissions, self.collecting) = (service, permissions, collecting)
    (self.sync, self.showGoal) = (sync, showGoal)
    machine = SettingsMachine(settings)
  }

  /// Something that the person or the system has changed.
  public func send(_ event: SettingsMachine.Event) async {
    for action in machine.handle(event) {
      switch action {
      case .keep: await keep()
      case .startStream(let stream): collecting.start(stream)
      case .stopStream(let stream): collecting.stop(stream)
      case .useInput(let input): collecting.use(input)
      case .showGoal(let goal): showGoal(goal)
      case .useInterval(let minutes): await sync.use(intervalMinutes: minutes)
      case .startServices: await setRunning(true)
      case .stopServices: await setRunning(false)
      }
    }
  }

  /// Takes up what others have kept, such as the end of the first steps, and starts what runs.
  public func resume() async {
    await send(.kept(await service.settings))
    await returned()
    guard machine.settings.mayCollect else { return }
    for stream in machine.settings.streams { collecting.start(stream) }
    await sync.start()
  }

  /// The app came to the foreground: the permissions are looked at again.
  public func returned() async {
    var states: [PhonePermission: PhonePermission.State] = [:]
    for permission in PhonePermission.allCases {
      states[permission] = await permissions.state(of: permission)
    }
    await send(.permissionsRead(states))
  }

  /// The person taps "Open Settings".
  public func openSettings() async { await permissions.openSettings() }

  /// Only what this screen has; others keep their own.
  private func keep() async {
    let kept = machine.settings
    do {
      try await service.change {
        ($0.streams, $0.audioInput, $0.stepGoal) = (kept.streams, kept.audioInput, kept.stepGoal)
        ($0.notifyHours, $0.intervalMinutes) = (kept.notifyHours, kept.intervalMinutes)
      }
      errorMessage = nil
    } catch {
      errorMessage = "\(error)"
    }
  }

  private func setRunning(_ isRunning: Bool) async {
    do {
      try await service.setRunning(isRunning)
    } catch {
      errorMessage = "\(error)"
    }
    for stream in machine.settings.streams {
      if isRunning { collecting.start(stream) } else { collecting.stop(stream) }
    }
    if isRunning { await sync.start() } else { await sync.stop() }
  }
}
