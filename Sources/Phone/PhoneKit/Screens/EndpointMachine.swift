/// The screen that changes where the app sends to, while it runs: another token, another endpoint, or a
/// bucket. What was there stays until the new one was verified. Pure.
public struct EndpointMachine: ScreenMachine {
  /// Whether a receiver answers and takes the secret.
  public typealias Verification = OnboardingMachine.Verification

  /// What happened.
  public enum Event: ReceiverEvent, Hashable {
    /// The person has entered a receiver, or another secret of the same one.
    case entered(PhoneReceiver)
    /// The person taps "Verify and use".
    case verify
    /// The receiver that was asked can be used.
    case verified(PhoneReceiver)
    /// It can't be used, with the reason.
    case refused(PhoneReceiver, String)
  }

  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Ask the receiver whether it can be used; report `verified` or `refused`.
    case verify(PhoneReceiver)
    /// Keep the receiver with its secrets, and sync: what waits goes there.
    case use(PhoneReceiver)
  }

  /// Where the app sends to.
  public private(set) var current: PhoneReceiver?
  /// What was entered; nil before.
  public private(set) var entered: PhoneReceiver?
  /// Whether it can be used.
  public private(set) var verification: Verification = .unverified

  /// The screen of what was kept.
  public init(_ settings: PhoneSettings) { current = settings.receiver }

  /// Whether "Verify and use" can be tapped.
  public var mayVerify: Bool { entered != nil && verification != .verifying }

  /// What to do about an event. An event that does not fit changes nothing.
  public mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .entered(let receiver):
      (entered, verification) = (receiver, .unverified)
      return []
    case .verify:
      guard mayVerify, let entered else { return [] }
      verification = .verifying
      return [.verify(entered)]
    case .verified(let asked):
      guard asked == entered, verification == .verifying else { return [] }
      (current, entered, verification) = (asked, nil, .verified)
      return [.use(asked)]
    case .refused(let asked, let reason):
      guard asked == entered, verification == .verifying else { return [] }
      verification = .refused(reason)
      return []
    }
  }
}
