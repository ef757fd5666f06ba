/// The first steps.
@MainActor
public final class OnboardingModel: ReceiverModel<OnboardingMachine> {
  private let permissions: any PermissionAsking
  private let start: @MainActor () async -> Void
  private var piece: Task<Void, Never>?

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
    (self.permissions, self.start) = (permissions, start)
    super.init(
      service,
      OnboardingMachine(
        at: settings.onboarding, receiver: settings.receiver, needed: settings.permissions))
  }

  /// Whether the app's other screens are shown.
  public var isFinished: Bool { machine.step == .finished }

  /// The screen appears: what the system says of the permissions is read.
  public func appeared() async {
    guard machine.step == .permissions else { return }
    await act([.readPermissions])
  }

  /// The app goes to the background.
  public func left() async {
    await send(.left)
    piece?.cancel()
  }

  override func act(_ actions: [OnboardingMachine.Action]) async {
    for action in actions {
      switch action {
      case .verify(let receiver): await verify(receiver)
      case .keep(let receiver):
        let secrets = entered
        await keep { try await service.use(receiver, with: secrets) }
      case .keepStep(let step): await keep { try await service.change { $0.onboarding = step } }
      case .readPermissions:
        await send(.permissionsRead(await permissions.states(of: machine.needed)))
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

  private func keep(_ work: () async throws -> Void) async {
    if await attempt(work) { errorMessage = nil }
  }
}
