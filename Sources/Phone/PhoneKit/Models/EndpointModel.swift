public import Observation
import Secrets

/// The screen that changes where the app sends to, for a view. It carries out what `EndpointMachine`
/// says.
@MainActor @Observable
public final class EndpointModel {
  /// What the screen shows.
  public private(set) var machine: EndpointMachine
  /// What could not be kept; nil if all is well.
  public private(set) var errorMessage: String?

  @ObservationIgnored private let service: PhoneService
  @ObservationIgnored private let changed: @MainActor () async -> Void
  @ObservationIgnored private var entered: [String: Secret?] = [:]
  /// Counts entries, so that an answer about an earlier entry is ignored.
  @ObservationIgnored private var entry = 0

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
    (self.service, self.changed) = (service, changed)
    machine = EndpointMachine(settings)
  }

  /// The person enters an endpoint and its token, and taps "Verify and use". Returns with the answer.
  public func use(hub url: String, token: String) async {
    await use(.hub(url: url), PhoneReceiver.secrets(token: token))
  }

  /// The person enters a bucket and its keys, and taps "Verify and use". Returns with the answer.
  public func use(
    _ bucket: PhoneReceiver, accessKeyID: String, secretAccessKey: String
  ) async {
    await use(
      bucket,
      PhoneReceiver.secrets(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey))
  }

  /// The person taps "Pushgateways only": no raw data is sent from now on. Returns with the answer of the
  /// gateways.
  public func useGatewaysOnly() async { await use(.gateways, [:]) }

  /// Shows settings that another screen has kept, such as the receiver of the first steps.
  func resume() async {
    guard machine.verification != .verifying else { return }
    machine = EndpointMachine(await service.settings)
  }

  private func use(_ receiver: PhoneReceiver, _ secrets: [String: Secret?]) async {
    entered = secrets
    entry += 1
    await send(.entered(receiver))
    await send(.verify)
  }

  private func send(_ event: EndpointMachine.Event) async {
    for action in machine.handle(event) {
      switch action {
      case .verify(let receiver):
        let asked = entry
        let reason = await service.verify(receiver, with: entered)
        guard asked == entry else { break }
        await send(reason.map { .refused(receiver, $0) } ?? .verified(receiver))
      case .use(let receiver):
        do {
          try await service.use(receiver, with: entered)
          errorMessage = nil
        } catch {
          errorMessage = "\(error)"
        }
        entered = [:]
        await changed()
      }
    }
  }
}
