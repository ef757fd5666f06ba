import Secrets

/// The screen of the Pushgateways.
@MainActor
public final class GatewaysModel: ScreenModel<GatewaysMachine> {
  /// The instance of a gateway for which the person enters none.
  public let defaultInstance: String

  /// The screen of what was kept.
  public init(_ service: PhoneService, settings: PhoneSettings) {
    defaultInstance = service.defaultInstance
    super.init(service, GatewaysMachine(settings))
  }

  /// The person adds a gateway or changes one.
  ///
  /// - Parameters:
  ///   - gateway: as it is to be kept. Without an instance it gets the default one.
  ///   - password: for basic authentication; nil to leave what is kept.
  public func save(_ gateway: PhoneGateway, password: String? = nil) async {
    errorMessage = nil
    var gateway = gateway
    if gateway.instance.allSatisfy(\.isWhitespace) { gateway.instance = defaultInstance }
    // Removing what was pushed to the old address uses the old password. The new one must not go
    // there.
    await send(.saved(gateway))
    guard let password, machine.gateways.contains(gateway) else { return }
    let kept = gateway
    await attempt { try await service.keep(password: Secret(password), of: kept) }
  }

  /// The screen appears: the times of the last pushes are read.
  public func appeared() async {
    await send(.pushesRead(await service.settings.lastPushes))
  }

  override func act(_ actions: [GatewaysMachine.Action]) async {
    for action in actions {
      switch action {
      case .keep:
        let chosen = machine
        await attempt {
          try await service.change { settings in
            (settings.gateways, settings.pushedMetrics) = (chosen.gateways, chosen.metrics)
            settings.pushesHeartRate = chosen.pushesHeartRate
            settings.pushesWorkouts = chosen.pushesWorkouts
            let ids = Set(chosen.gateways.map(\.id))
            settings.lastPushes = settings.lastPushes.filter { ids.contains($0.key) }
          }
        }
      case .test(let gateway):
        await send(.tested(gateway, failure: await service.test(gateway)))
      case .clear(let gateway):
        if let reason = await service.clear(gateway) {
          errorMessage = "What was pushed is still in \(gateway.url): \(reason)"
        }
      case .forgetPassword(let gateway):
        await attempt { try await service.keep(password: nil, of: gateway) }
      }
    }
  }
}
