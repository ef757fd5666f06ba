/// The first steps, as a pure state machine: events in, actions out. Until they are finished nothing
/// is collected.
///
/// Consent, then a receiver that was verified, or Pushgateways that took a test, then every permission,
/// then the first sync of seven days, or the first push. A step is left only once what it asks for is there, and a step that was done is done after
/// a restart too.
public struct OnboardingMachine: ScreenMachine {
  /// One screen.
  public typealias Step = OnboardingStep

  /// Whether the receiver answers and takes the secret.
  public enum Verification: Hashable, Sendable {
    /// It was not asked.
    case unverified
    /// It is being asked.
    case verifying
    /// Why it can't be used, for the person.
    case refused(String)
    /// It can be used.
    case verified
  }

  /// The first sync.
  public enum FirstSync: Hashable, Sendable {
    /// Not begun.
    case notStarted
    /// A piece of at most 30 s is under way.
    case running
    /// It waits for the person, or for the app to come back; with what failed last.
    case paused(String?)
    /// All is uploaded.
    case complete
  }

  /// What happened.
  public enum Event: ReceiverEvent, Hashable {
    /// The person agrees that data leaves the phone.
    case consented
    /// The person has entered or changed a receiver. What was verified before does not count.
    case entered(PhoneReceiver)
    /// The person taps "Verify".
    case verify
    /// The receiver that was asked can be used.
    case verified(PhoneReceiver)
    /// It can't be used, with the reason.
    case refused(PhoneReceiver, String)
    /// The person taps "Continue".
    case proceed
    /// The person goes back a step.
    case back
    /// What the system says of the permissions.
    case permissionsRead([PhonePermission: PhonePermission.State])
    /// The person taps "Allow".
    case ask(PhonePermission)
    /// The person taps "Open Settings".
    case openSettings
    /// The app came to the foreground.
    case returned
    /// The person taps "Start" or "Try again".
    case startFirstSync
    /// How many of how many entries have been uploaded.
    case progressed(uploaded: Int, of: Int)
    /// A piece of the first sync has ended.
    case pieceEnded(isComplete: Bool, failure: String?)
    /// The app goes to the background, where a piece may be ended at any moment.
    case left
  }

  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Ask the receiver whether it can be used; report `verified` or `refused`.
    case verify(PhoneReceiver)
    /// Keep the receiver: it was verified.
    case keep(PhoneReceiver)
    /// Keep the step for the next start.
    case keepStep(Step)
    /// Report `permissionsRead`.
    case readPermissions
    /// Ask the person; then report `permissionsRead`.
    case ask(PhonePermission)
    /// Ask whether notifications may be shown, before there is one.
    case askForNotifications
    /// Show the app's page in Settings.
    case openSettings
    /// Do the next piece of the first sync; report `progressed` and `pieceEnded`.
    case syncPiece
    /// Start every service.
    case startServices
  }

  /// The screen that is shown.
  public private(set) var step: Step
  /// What was entered; nil before.
  public private(set) var receiver: PhoneReceiver?
  /// Whether it can be used.
  public private(set) var verification: Verification
  /// What the system said last.
  public private(set) var permissions: [PhonePermission: PhonePermission.State] = [:]
  /// The first sync.
  public private(set) var firstSync: FirstSync = .notStarted
  /// Entries that are uploaded.
  public private(set) var uploaded = 0
  /// Entries that were found so far.
  public private(set) var found = 0
  /// Pieces that were begun.
  public private(set) var attempts = 0
  private let all: [PhonePermission]
  /// The permissions that must be granted: those of the streams that the receiver has a use for.
  public var needed: [PhonePermission] {
    all.filter { receiver?.streams.contains($0.stream) ?? true }
  }

  /// The first steps, from the one where the person stopped.
  ///
  /// - Parameters:
  ///   - step: what was kept. A step behind the receiver counts only with a receiver that was kept.
  ///   - receiver: the one that was verified, if any.
  ///   - needed: the permissions that must be granted.
  public init(
    at step: Step = .consent, receiver: PhoneReceiver? = nil,
    needed: [PhonePermission] = PhonePermission.allCases
  ) {
    self.step = receiver == nil ? min(step, .receiver) : step
    (self.receiver, all) = (receiver, needed)
    verification = receiver == nil ? .unverified : .verified
    firstSync = step == .finished ? .complete : .notStarted
  }

  /// Whether "Continue" can be tapped.
  public var mayProceed: Bool {
    switch step {
    case .consent, .finished: false
    case .receiver: verification == .verified
    case .permissions: missing.isEmpty
    case .firstSync: firstSync == .complete
    }
  }

  /// The permissions that are not granted yet, in their order.
  public var missing: [PhonePermission] { needed.filter { permissions[$0] != .granted } }

  /// Whether only the system's Settings can help with a permission.
  public func needsSettings(_ permission: PhonePermission) -> Bool {
    permissions[permission] == .denied || permissions[permission] == .whileInUse
  }

  /// What to do about an event. An event that does not fit the step changes nothing.
  public mutating func handle(_ event: Event) -> [Action] {
    switch (step, event) {
    case (.consent, .consented): return go(to: .receiver)
    case (.receiver, _): return handleReceiver(event)
    case (.permissions, _): return handlePermissions(event)
    case (.firstSync, _): return handleFirstSync(event)
    default: return []
    }
  }

  private mutating func go(to step: Step) -> [Action] {
    self.step = step
    return [.keepStep(step)] + (step == .permissions ? [.readPermissions] : [])
  }

  private mutating func handleReceiver(_ event: Event) -> [Action] {
    switch event {
    case .entered(let entered):
      // The same address too: its secret may be another one.
      (receiver, verification) = (entered, .unverified)
      return []
    case .verify:
      guard let receiver, verification != .verifying else { return [] }
      verification = .verifying
      return [.verify(receiver)]
    // An answer about an earlier entry does not apply to the present one.
    case .verified(let asked):
      guard asked == receiver, verification == .verifying else { return [] }
      verification = .verified
      return [.keep(asked)]
    case .refused(let asked, let reason):
      guard asked == receiver, verification == .verifying else { return [] }
      verification = .refused(reason)
      return []
    case .proceed: return mayProceed ? go(to: .permissions) : []
    case .back: return go(to: .consent)
    default: return []
    }
  }

  private mutating func handlePermissions(_ event: Event) -> [Action] {
    switch event {
    case .permissionsRead(let states):
      permissions = states
      return []
    case .ask(let permission):
      guard needed.contains(permission), permissions[permission] != .granted else { return [] }
      return needsSettings(permission) ? [.openSettings] : [.ask(permission)]
    case .openSettings: return [.openSettings]
    case .returned: return [.readPermissions]
    case .proceed: return mayProceed ? [.askForNotifications] + go(to: .firstSync) : []
    case .back: return go(to: .receiver)
    default: return []
    }
  }

  private mutating func handleFirstSync(_ event: Event) -> [Action] {
    switch (firstSync, event) {
    case (.notStarted, .startFirstSync), (.paused, .startFirstSync), (.paused, .returned):
      firstSync = .running
      attempts += 1
      return [.syncPiece]
    case (.running, .progressed(let uploaded, let found)):
      (self.uploaded, self.found) = (uploaded, found)
      return []
    case (.running, .pieceEnded(true, _)):
      firstSync = .complete
      step = .finished
      return [.keepStep(.finished), .startServices]
    // What is left goes on in the next piece; what failed waits for the person.
    case (.running, .pieceEnded(false, nil)):
      attempts += 1
      return [.syncPiece]
    case (.running, .pieceEnded(false, let failure)):
      firstSync = .paused(failure)
      return []
    case (.running, .left):
      firstSync = .paused(nil)
      return []
    case (.notStarted, .back), (.paused, .back):
      firstSync = .notStarted
      return go(to: .permissions)
    default: return []
    }
  }
}
