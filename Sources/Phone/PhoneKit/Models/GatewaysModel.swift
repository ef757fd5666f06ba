public import HealthModel
public import Observation
import Secrets

/// The screen of the Pushgateways, for a view. It carries out what `GatewaysMachine` says.
@MainActor @Observable
public final class GatewaysModel {
  /// What the screen shows.
  public private(set) var machine: GatewaysMachine
  /// What could not be kept or taken away; nil if all is well.
  public private(set) var errorMessage: String?

  /// The instance of a gateway for which the person enters none.
  public let defaultInstance: String

  @ObservationIgnored private let service: PhoneService

  /// The screen of what was kept.
  public init(_ service: PhoneService, settings: PhoneSettings) {
    self.service = service
    defaultInstance = service.defaultInstance
    machine = GatewaysMachine(settings)
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
    await keep { try await self.service.keep(password: Secret(password), of: gateway) }
  }

  /// The screen appears: the times of the last pushes are read.
  public func appeared() async {
    await send(.pushesRead(await service.settings.lastPushes))
  }

  /// The person removes a gateway.
  public func remove(id: String) async { await send(.removed(id: id)) }
  /// The person taps "Test". Returns with the gateway's answer.
  public func test(id: String) async { await send(.test(id: id)) }
  /// The person turns a metric on or off.
  public func choose(_ metric: DailyMetric, isOn: Bool) async {
    await send(.chose(metric, isOn: isOn))
  }
  /// The person turns the current heart rate on or off.
  public func chooseHeartRate(isOn: Bool) async { await send(.choseHeartRate(isOn)) }
  /// The person turns workouts on or off.
  public func chooseWorkouts(isOn: Bool) async { await send(.choseWorkouts(isOn)) }
  /// The person chooses all metrics.
  public func chooseAll() async { await send(.choseAll) }

  private func send(_ event: GatewaysMachine.Event) async {
    for action in machine.handle(event) {
      switch action {
      case .keep:
        let chosen = machine
        await keep {
          try await self.service.change { settings in
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
        await keep { try await self.service.keep(password: nil, of: gateway) }
      }
    }
  }

  private func keep(_ work: @escaping () async throws -> Void) async {
    do { try await work() } catch { errorMessage = "\(error)" }
  }
}
