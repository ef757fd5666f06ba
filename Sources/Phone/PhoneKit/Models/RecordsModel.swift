public import Observation

/// The screen of the records, for a view. It carries out what `RecordsMachine` says.
@MainActor @Observable
public final class RecordsModel {
  /// What the screen shows.
  public private(set) var machine: RecordsMachine
  /// What could not be kept; nil if all is well.
  public private(set) var errorMessage: String?

  @ObservationIgnored private let service: PhoneService
  @ObservationIgnored private let permissions: any PermissionAsking
  @ObservationIgnored private var work: Task<Void, Never>?

  /// The screen of what was kept.
  public init(
    _ service: PhoneService, settings: PhoneSettings, permissions: any PermissionAsking
  ) {
    (self.service, self.permissions) = (service, permissions)
    machine = RecordsMachine(
      isConnected: settings.sendsRecords, isFilled: settings.isFilled,
      lastSync: settings.recordsSyncedAt)
  }

  /// The person taps "Connect": all of Health is asked for at once, and the past is sent.
  public func connect() async { await send(.connect) }
  /// The person taps "Open Settings".
  public func openSettings() async { await send(.openSettings) }
  /// The app came to the foreground.
  public func returned() async { await send(.returned(await permissions.state(of: .health))) }
  /// The person taps "Sync now" or "Try again".
  public func syncNow() async { await send(.syncNow) }
  /// New data came, or it is time.
  public func news() async { await send(.news) }
  /// The person taps "Disconnect".
  public func disconnect() async { await send(.disconnect) }

  private func send(_ event: RecordsMachine.Event) async {
    for action in machine.handle(event) {
      switch action {
      case .ask: await send(.answered(await permissions.ask(.health)))
      case .openSettings: await permissions.openSettings()
      case .backfill: await run { try await $0.backfillRecords(progress: $1) }
      case .sync: await run { try await $0.syncRecords(progress: $1) }
      case .keep(let isConnected):
        await keep { try await self.service.connectRecords(isConnected) }
      case .cancel: work?.cancel()
      }
    }
  }

  private func run(
    _ body:
      @escaping @Sendable (PhoneService, @escaping PhoneService.RecordProgressReport)
      async throws -> Void
  ) async {
    let service = service
    let task = Task {
      do {
        try await body(service) { [weak self] progress in
          await self?.send(.progressed(progress))
        }
        // If the person has disconnected since, a late end must not connect again.
        try Task.checkCancellation()
        let now = service.environment.now()
        await keep {
          try await service.change {
            $0.isFilled = $0.sendsRecords
            $0.recordsSyncedAt = $0.sendsRecords ? now : nil
          }
        }
        await send(.ended(at: now))
      } catch {
        // Even if it was ended early, what was sent is noted, and the rest follows later.
        await send(.failed(Task.isCancelled ? "it was interrupted" : "\(error)"))
      }
    }
    work = task
    let sleepAgain = await service.environment.stayAwake { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    await sleepAgain()
  }

  private func keep(_ work: @escaping () async throws -> Void) async {
    do { try await work() } catch { errorMessage = "\(error)" }
  }
}
