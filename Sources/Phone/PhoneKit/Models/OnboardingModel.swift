public import Observation
import Secrets

/// The first steps, for a view. It carries out what `OnboardingMachine` says.
@MainActor @Observable
public final class OnboardingModel {
  /// What the screens show.
  public private(set) var machine: OnboardingMachine
  /// What could not be kept; nil if all is well.
  public private(set) var errorMessage: String?

  @ObservationIgnored private let service: PhoneService
  @ObservationIgnored private let permissions: any PermissionAsking
  @ObservationIgnored private let start: @MainActor () async -> Void
  @ObservationIgnored private var piece: Task<Void, Never>?
  /// Secrets that were entered and are kept once the receiver has taken them.
  @ObservationIgnored private var entered: [String: Secret?] = [:]
  /// Counts entries, so that an answer about an earlier entry is ignored.
  @ObservationIgnored private var entry = 0

  /// The first steps, from the one where the person stopped.
  ///
  /// - Parameters:
  ///   - service: what verifies, syncs and keeps.
  ///   - settings: those that were kept, with the step.
  ///   - permissions: what asks the system.
  ///   - start: starts every service, once the first sync is complete.
  public init(
    _ service: PhoneService, settings: PhoneSettings, permissions: any PermissionAsking,
    start: @escaping @MainActor () async -> Void
  ) {
    (self.service, self.permissions, self.start) = (service, permissions, start)
    machine = OnboardingMachine(
      at: settings.onboarding, receiver: settings.receiver, needed: settings.permissions)
  }

  /// Whether the app's other screens are shown.
  public var isFinished: Bool { machine.step == .finished }

  /// The screen appears: what the system says of the permissions is read.
  public func appeared() async {
    guard machine.step == .permissions else { return }
    await act([.readPermissions])
  }

  /// The person agrees that data leaves the phone.
  public func consent() async { await send(.consented) }

  /// The person has entered an endpoint and its token.
  public func enter(hub url: String, token: String) async {
    entered = PhoneReceiver.secrets(token: token)
    entry += 1
    await send(.entered(.hub(url: url)))
  }

  /// The person has entered a bucket and its keys.
  public func enter(_ bucket: PhoneReceiver, accessKeyID: String, secretAccessKey: String) async {
    entered = PhoneReceiver.secrets(
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
    entry += 1
    await send(.entered(bucket))
  }

  /// The person has added Pushgateways and taps "Use these only". Returns with their answer.
  public func useGatewaysOnly() async {
    entered = [:]
    entry += 1
    await send(.entered(.gateways))
    await send(.verify)
  }

  /// The person taps "Verify". Returns with the receiver's answer.
  public func verify() async { await send(.verify) }
  /// The person taps "Continue".
  public func proceed() async { await send(.proceed) }
  /// The person goes back a step.
  public func back() async { await send(.back) }
  /// The person taps "Allow", or "Open Settings" where only that helps.
  public func ask(_ permission: PhonePermission) async { await send(.ask(permission)) }
  /// The app came to the foreground.
  public func returned() async { await send(.returned) }
  /// The app goes to the background.
  public func left() async {
    await send(.left)
    piece?.cancel()
  }
  /// The person taps "Start" or "Try again". Returns when the first sync is complete or waits.
  public func startFirstSync() async { await send(.startFirstSync) }

  private func send(_ event: OnboardingMachine.Event) async { await act(machine.handle(event)) }

  private func act(_ actions: [OnboardingMachine.Action]) async {
    for action in actions {
      switch action {
      case .verify(let receiver):
        let asked = entry
        let reason = await service.verify(receiver, with: entered)
        guard asked == entry else { break }
        await send(reason.map { .refused(receiver, $0) } ?? .verified(receiver))
      case .keep(let receiver):
        let secrets = entered
        await keep { try await self.service.use(receiver, with: secrets) }
      case .keepStep(let step):
        await keep { try await self.service.change { $0.onboarding = step } }
      case .readPermissions:
        var states: [PhonePermission: PhonePermission.State] = [:]
        for permission in machine.needed {
          states[permission] = await permissions.state(of: permission)
        }
        await send(.permissionsRead(states))
      case .ask(let permission):
        _ = await permissions.ask(permission)
        await act([.readPermissions])
      case .askForNotifications: await permissions.askForNotifications()
      case .openSettings: await permissions.openSettings()
      case .syncPiece: await syncPiece()
      case .startServices: await start()
      }
    }
  }

  private func syncPiece() async {
    let task = Task {
      let (isComplete, failure) = await service.firstSyncPiece { [weak self] uploaded, found in
        await self?.send(.progressed(uploaded: uploaded, of: found))
      }
      // Who left the app has paused it already.
      await send(
        .pieceEnded(isComplete: isComplete, failure: Task.isCancelled ? nil : failure))
    }
    piece = task
    await task.value
  }

  private func keep(_ work: @escaping () async throws -> Void) async {
    do {
      try await work()
      errorMessage = nil
    } catch {
      errorMessage = "\(error)"
    }
  }
}
