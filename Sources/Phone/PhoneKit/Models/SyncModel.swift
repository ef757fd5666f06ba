import HealthStreams
public import Observation

/// The screen of the sync, for a view, and the timer behind it. It carries out what `SyncMachine` says.
@MainActor @Observable
public final class SyncModel {
  /// What the screen shows.
  public private(set) var machine: SyncMachine
  /// What could not be read; nil if all is well.
  public private(set) var errorMessage: String?

  @ObservationIgnored private let service: PhoneService
  @ObservationIgnored private let timer: any PhoneTimer
  @ObservationIgnored private var work: Task<Void, Never>?
  /// What follows each sync.
  @ObservationIgnored var synced: @MainActor () async -> Void = {}

  /// A screen of services that are stopped.
  public init(_ service: PhoneService, settings: PhoneSettings, timer: any PhoneTimer) {
    (self.service, self.timer) = (service, timer)
    machine = SyncMachine(interval: settings.intervalMinutes * 60)
  }

  /// The screen appears, or the app came to the foreground.
  public func returned() async { await send(.returned) }
  /// The services run from now on: collect, upload, and again after the interval.
  public func start() async { await send(.started) }
  /// The services end after what is under way.
  public func stop() async { await send(.stopped) }
  /// The person taps "Sync now". Returns when the sync has ended.
  public func syncNow() async { await send(.syncNow) }
  /// The person taps "Retry failed".
  public func retryFailed() async { await send(.retryFailed) }
  /// The person has changed the time between two syncs.
  public func use(intervalMinutes: Int) async {
    await send(.intervalChanged(intervalMinutes * 60))
  }
  /// The person has changed the receiver or its secret.
  public func settingsChanged() async { await send(.settingsChanged) }

  private func send(_ event: SyncMachine.Event) async { await act(machine.handle(event)) }

  private func act(_ actions: [SyncMachine.Action]) async {
    for action in actions {
      switch action {
      case .sync:
        let report = machine.isRunning ? await service.run(.processing) : await service.syncNow()
        await send(.syncEnded(report.failures))
        await synced()
      case .retry:
        do { try await service.retry() } catch { errorMessage = "\(error)" }
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
    do {
      errorMessage = nil
      if let status = try await service.status() { await send(.statusRead(status)) }
    } catch {
      errorMessage = "\(error)"
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
