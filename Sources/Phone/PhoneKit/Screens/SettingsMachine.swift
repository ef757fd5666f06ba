public import HealthStreams

/// The screen of the settings. Pure: it changes what is kept, and says what follows.
public struct SettingsMachine: ScreenMachine {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The person turns a stream on or off.
    case turned(StreamName, isOn: Bool)
    /// The person chooses a microphone; nil for the phone's own.
    case choseInput(String?)
    /// The microphones that are connected have changed.
    case inputsChanged([AudioInput])
    /// The person changes the goal.
    case setGoal(Int)
    /// The person changes how often the regular notification comes.
    case setNotifyHours(Int)
    /// The person changes the time between two syncs.
    case setInterval(minutes: Int)
    /// What the system says of the permissions.
    case permissionsRead([PhonePermission: PhonePermission.State])
    /// Others have kept settings, such as the first steps.
    case kept(PhoneSettings)
    /// The person starts the services.
    case start
    /// The person stops the services.
    case stop
  }

  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Keep the settings.
    case keep
    /// Begin to collect a stream.
    case startStream(StreamName)
    /// End collecting a stream.
    case stopStream(StreamName)
    /// Record with this microphone from now on.
    case useInput(AudioInput)
    /// From now on, sync and push at this interval, in minutes.
    case useInterval(minutes: Int)
    /// Start the services, and tell the person.
    case startServices
    /// Stop the services, and tell the person.
    case stopServices
  }

  /// What is kept.
  public private(set) var settings: PhoneSettings
  /// The microphones that are connected.
  public private(set) var inputs: [AudioInput] = []
  /// What the system said last of the permissions.
  public private(set) var permissions: [PhonePermission: PhonePermission.State] = [:]

  /// The screen of what was kept.
  public init(_ settings: PhoneSettings) { self.settings = settings }

  /// The streams that can be turned on: those that the receiver has a use for.
  public var streams: [StreamName] { settings.receiver?.streams ?? StreamName.collected }

  /// The microphone that is used.
  public var usedInput: AudioInput? { AudioInput.used(of: inputs, chosen: settings.audioInput) }

  /// Whether the chosen microphone is away, so that the phone's own is used.
  public var fellBack: Bool { settings.audioInput != nil && usedInput?.id != settings.audioInput }

  /// The permissions that a stream that is on lacks, as far as it is known.
  public var missing: [PhonePermission] {
    settings.permissions.filter { permissions[$0].map { $0 != .granted } ?? false }
  }

  /// The next longer time between two syncs: each minute up to 5, then each fifth.
  public var longerInterval: Int {
    let minutes = settings.intervalMinutes
    return minutes < 5 ? minutes + 1 : minutes - minutes % 5 + 5
  }

  /// The next shorter one.
  public var shorterInterval: Int {
    let less = settings.intervalMinutes - 1
    return less < 5 ? less : less - less % 5
  }

  /// Whether services can be started: the first steps are finished.
  public var mayStart: Bool { settings.onboarding == .finished && !settings.isRunning }

  /// What to do about an event. An event that changes nothing does nothing.
  public mutating func handle(_ event: Event) -> [Action] {
    let (old, input) = (settings, usedInput)
    var actions: [Action] = []
    switch event {
    case .turned(let stream, let isOn):
      guard streams.contains(stream) else { return [] }
      if isOn { settings.streams.insert(stream) } else { settings.streams.remove(stream) }
      if settings.streams != old.streams, settings.mayCollect {
        actions = [isOn ? .startStream(stream) : .stopStream(stream)]
      }
    case .choseInput(let id): settings.audioInput = id
    case .inputsChanged(let found): inputs = found
    case .permissionsRead(let states): permissions = states
    case .kept(let kept):
      settings = kept
      return []
    case .setGoal(let goal):
      settings.stepGoal = (1...PhoneSettings.maximumGoal).clamp(goal)
    case .setNotifyHours(let hours): settings.notifyHours = PhoneSettings.notifyRange.clamp(hours)
    case .setInterval(let minutes):
      settings.intervalMinutes = PhoneSettings.intervalRange.clamp(minutes)
      if settings.intervalMinutes != old.intervalMinutes {
        actions = [.useInterval(minutes: settings.intervalMinutes)]
      }
    case .start:
      guard mayStart else { return [] }
      settings.isRunning = true
      actions = [.startServices]
    case .stop:
      guard settings.isRunning else { return [] }
      settings.isRunning = false
      actions = [.stopServices]
    }
    if let used = usedInput, used != input { actions.append(.useInput(used)) }
    return (settings == old ? [] : [.keep]) + actions
  }
}
