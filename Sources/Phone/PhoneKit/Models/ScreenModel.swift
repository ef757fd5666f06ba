public import Observation
import Secrets

/// A screen as a pure state machine.
public protocol ScreenMachine: Hashable, Sendable {
  /// What happened.
  associatedtype Event: Sendable
  /// What to do.
  associatedtype Action: Sendable

  /// What to do about an event. An event that does not fit changes nothing.
  mutating func handle(_ event: Event) -> [Action]
}

/// A screen, for a view. It carries out what its machine says.
@MainActor @Observable
public class ScreenModel<Machine: ScreenMachine> {
  /// What the screen shows.
  public internal(set) var machine: Machine
  /// What could not be kept, read or taken away; nil if all is well.
  public internal(set) var errorMessage: String?

  @ObservationIgnored let service: PhoneService

  init(_ service: PhoneService, _ machine: Machine) {
    (self.service, self.machine) = (service, machine)
  }

  /// The person, the system or another screen has done something. Returns once all that follows is done.
  public func send(_ event: Machine.Event) async { await act(machine.handle(event)) }

  /// Each screen carries out its own actions.
  func act(_ actions: [Machine.Action]) async {}

  /// Does what may fail, and shows why it did. Returns whether it did not.
  @discardableResult
  func attempt(_ work: () async throws -> Void) async -> Bool {
    do {
      try await work()
      return true
    } catch {
      errorMessage = "\(error)"
      return false
    }
  }
}

/// What happens on a screen where a receiver is entered.
public protocol ReceiverEvent: Sendable {
  /// The person has entered a receiver, or another secret of the same one.
  static func entered(_ receiver: PhoneReceiver) -> Self
  /// The person taps "Verify".
  static var verify: Self { get }
  /// The receiver that was asked can be used.
  static func verified(_ receiver: PhoneReceiver) -> Self
  /// It can't be used, with the reason.
  static func refused(_ receiver: PhoneReceiver, _ reason: String) -> Self
}

/// A screen where a receiver is entered. Its secrets are kept once the receiver has taken them.
@MainActor
public class ReceiverModel<Machine: ScreenMachine>: ScreenModel<Machine>
where Machine.Event: ReceiverEvent {
  var entered: [String: Secret?] = [:]
  /// Counts entries, so that an answer about an earlier entry is ignored.
  private var entry = 0

  /// The person has entered an endpoint and its token.
  public func enter(hub url: String, token: String) async {
    await enter(.hub(url: url), PhoneReceiver.secrets(token: token))
  }

  /// The person has entered a bucket and its keys.
  public func enter(_ bucket: PhoneReceiver, accessKeyID: String, secretAccessKey: String) async {
    await enter(
      bucket,
      PhoneReceiver.secrets(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey))
  }

  /// The person taps "Pushgateways only": no raw data is sent. Returns with the answer of the gateways.
  public func useGatewaysOnly() async {
    await enter(.gateways, [:])
    await send(.verify)
  }

  private func enter(_ receiver: PhoneReceiver, _ secrets: [String: Secret?]) async {
    entered = secrets
    entry += 1
    await send(.entered(receiver))
  }

  /// Asks the receiver that was entered.
  func verify(_ receiver: PhoneReceiver) async {
    let asked = entry
    let reason = await service.verify(receiver, with: entered)
    guard asked == entry else { return }
    await send(reason.map { .refused(receiver, $0) } ?? .verified(receiver))
  }
}
