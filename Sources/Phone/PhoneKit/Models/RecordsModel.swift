/// The screen of the records.
@MainActor
public final class RecordsModel: ScreenModel<RecordsMachine> {
  private let permissions: any PermissionAsking
  private var work: Task<Void, Never>?

  /// The screen of what was kept.
  public init(
    _ service: PhoneService, settings: PhoneSettings, permissions: any PermissionAsking
  ) {
    self.permissions = permissions
    super.init(
      service,
      RecordsMachine(
        isConnected: settings.sendsRecords, isFilled: settings.isFilled,
        lastSync: settings.recordsSyncedAt))
  }

  /// The app came to the foreground.
  public func returned() async { await send(.returned(await permissions.state(of: .health))) }

  override func act(_ actions: [RecordsMachine.Action]) async {
    for action in actions {
      switch action {
      case .ask: await send(.answered(await permissions.ask(.health)))
      case .openSettings: await permissions.openSettings()
      case .backfill: await run { try await $0.backfillRecords(progress: $1) }
      case .sync: await run { try await $0.syncRecords(progress: $1) }
      case .keep(let isConnected):
        await attempt { try await service.connectRecords(isConnected) }
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
        await attempt {
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
}
