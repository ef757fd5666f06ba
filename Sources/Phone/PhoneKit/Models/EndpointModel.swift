/// The screen that changes where the app sends to.
@MainActor
public final class EndpointModel: ReceiverModel<EndpointMachine> {
  private let changed: @MainActor () async -> Void

  /// The screen of what was kept.
  ///
  /// - Parameters:
  ///   - service: what verifies and keeps.
  ///   - settings: those that were kept.
  ///   - changed: called once another receiver or secret is used.
  public init(
    _ service: PhoneService, settings: PhoneSettings,
    changed: @escaping @MainActor () async -> Void
  ) {
    self.changed = changed
    super.init(service, EndpointMachine(settings))
  }

  /// Shows settings that another screen has kept, such as the receiver of the first steps.
  func resume() async {
    guard machine.verification != .verifying else { return }
    machine = EndpointMachine(await service.settings)
  }

  override func act(_ actions: [EndpointMachine.Action]) async {
    for action in actions {
      switch action {
      case .verify(let receiver): await verify(receiver)
      case .use(let receiver):
        let secrets = entered
        if await attempt({ try await service.use(receiver, with: secrets) }) { errorMessage = nil }
        entered = [:]
        await changed()
      }
    }
  }
}
