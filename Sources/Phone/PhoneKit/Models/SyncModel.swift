/// The screen of the sync, and the timer behind it.
@MainActor
public final class SyncModel: ScreenModel<SyncMachine> {
  private let timer: any PhoneTimer
  private var work: Task<Void, Never>?
  /// What follows each sync.
  var synced: @MainActor () async -> Void = {}

  /// A screen of services that are stopped.
  public init(_ service: PhoneService, settings: PhoneSettings, timer: any PhoneTimer) {
    self.timer = timer
    super.init(service, SyncMachine(interval: settings.intervalMinutes * 60))
  }

  override func act(_ actions: [SyncMachine.Action]) async {
    for action in actions {
      switch action {
      case .sync:
        let report = machine.isRunning ? await service.run(.processing) : await service.syncNow()
        await send(.syncEnded(report.failures))
        await synced()
      case .retry:
        await attempt { try await service.retry() }
      case .readStatus: await readStatus()
      case .wait(let seconds):
        timer.start(seconds: seconds) { [weak self] in
          self?.work = Task { [weak self] in await self?.send(.timerFired) }
        }
      case .cancelWait: timer.cancel()
      }
    }
  }

  private func readStatus() async {
    errorMessage = nil
    await attempt {
      if let status = try await service.status() { await send(.statusRead(status)) }
    }
  }
}

/// What wakes the app while it runs: a `DispatchSourceTimer` on a phone, which outlasts the way to the
/// background.
@MainActor
public protocol PhoneTimer: AnyObject {
  /// Calls once after this many seconds. It replaces an earlier wait.
  func start(seconds: Int, _ fire: @escaping @MainActor () -> Void)
  /// Calls no more.
  func cancel()
}
