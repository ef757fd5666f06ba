public import HealthStreams

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

/// The screen of the settings.
@MainActor
public final class SettingsModel: ScreenModel<SettingsMachine> {
  private let permissions: any PermissionAsking
  private let collecting: any StreamCollecting
  private let sync: SyncModel
  private let applied: @MainActor (PhoneSettings) -> Void

  /// The screen of what was kept.
  ///
  /// - Parameters:
  ///   - service: what keeps the settings.
  ///   - settings: those that were kept.
  ///   - permissions: knows which streams may be collected.
  ///   - collecting: starts and stops what collects each stream.
  ///   - sync: the screen of the sync.
  ///   - applied: called with what was kept, for the screens that follow it.
  public init(
    _ service: PhoneService, settings: PhoneSettings, permissions: any PermissionAsking,
    collecting: any StreamCollecting, sync: SyncModel,
    applied: @escaping @MainActor (PhoneSettings) -> Void
  ) {
    (self.permissions, self.collecting) = (permissions, collecting)
    (self.sync, self.applied) = (sync, applied)
    super.init(service, SettingsMachine(settings))
  }

  override func act(_ actions: [SettingsMachine.Action]) async {
    for action in actions {
      switch action {
      case .keep:
        guard await keep() else { return }
      case .startStream(let stream): collecting.start(stream)
      case .stopStream(let stream): collecting.stop(stream)
      case .useInput(let input): collecting.use(input)
      case .useInterval(let minutes): await sync.send(.intervalChanged(minutes * 60))
      case .startServices: await setRunning(true)
      case .stopServices: await setRunning(false)
      }
    }
  }

  /// Takes up what others have kept, such as the end of the first steps, and starts what runs.
  public func resume() async {
    await reload()
    if machine.settings.mayCollect { await sync.send(.started) }
  }

  /// Takes up what others have kept, such as another receiver.
  func reload() async {
    await send(.kept(await service.settings))
    applied(machine.settings)
    await returned()
    if machine.settings.onboarding == .finished { collectOnly(machine.settings.collected) }
  }

  /// The app came to the foreground: the permissions are looked at again.
  public func returned() async {
    await send(.permissionsRead(await permissions.states(of: PhonePermission.allCases)))
  }

  /// The person taps "Open Settings".
  public func openSettings() async { await permissions.openSettings() }

  /// What is not collected is stopped, too: the system may still wake the app for it.
  private func collectOnly(_ streams: Set<StreamName>) {
    for stream in StreamName.collected {
      if streams.contains(stream) { collecting.start(stream) } else { collecting.stop(stream) }
    }
  }

  /// Only what this screen has; others keep their own. What can't be kept is not so: the screen shows
  /// what is.
  private func keep() async -> Bool {
    let kept = machine.settings
    guard
      await persist({
        try await service.change {
          ($0.streams, $0.audioInput, $0.stepGoal) = (kept.streams, kept.audioInput, kept.stepGoal)
          ($0.notifyHours, $0.intervalMinutes) = (kept.notifyHours, kept.intervalMinutes)
        }
      })
    else { return false }
    errorMessage = nil
    applied(kept)
    return true
  }

  private func persist(_ work: () async throws -> Void) async -> Bool {
    let isKept = await attempt(work)
    if !isKept { _ = machine.handle(.kept(await service.settings)) }
    return isKept
  }

  private func setRunning(_ isRunning: Bool) async {
    _ = await persist { try await service.setRunning(isRunning) }
    collectOnly(machine.settings.collected)
    await sync.send(machine.settings.isRunning ? .started : .stopped)
  }
}
