public import HealthCollector
import HealthStreams
public import Observation

/// The whole app, for its views: every screen, over one service.
@MainActor @Observable
public final class PhoneModel {
  /// The first steps.
  public let onboarding: OnboardingModel
  /// The screen of today.
  public let today: TodayModel
  /// The screen of the sync.
  public let sync: SyncModel
  /// Where the app sends to, and another place.
  public let endpoint: EndpointModel
  /// The screen of the Pushgateways.
  public let gateways: GatewaysModel
  /// The screen of the records.
  public let records: RecordsModel
  /// The log viewer.
  public let log: LogModel
  /// The screen of the settings.
  public let settings: SettingsModel
  /// What works without a screen.
  @ObservationIgnored public let service: PhoneService
  /// Whether the numbers of today followed Health when the app went to the background.
  @ObservationIgnored private var wasLive = false

  /// The app as it was left.
  ///
  /// - Throws: where the app's folder or its secrets can't be used.
  public init(
    _ environment: PhoneEnvironment, timer: any PhoneTimer, collecting: any StreamCollecting
  ) async throws {
    let service = try PhoneService(environment)
    let kept = await service.settings
    self.service = service
    let clock = LiveClock(now: environment.now, timeZoneName: environment.timeZoneName)
    let dashboard = HealthDashboardViewModel(
      service: HealthKitLiveTrackingService(
        source: service.todaysHealth, clock: clock
      ) { line in
        Task { await service.log(type: "live", line) }
      },
      authorization: service.todaysHealth, clock: clock, storage: TodayStorage(environment))
    let today = TodayModel(service, dashboard: dashboard)
    today.use(kept)
    self.today = today
    let sync = SyncModel(service, settings: kept, timer: timer)
    self.sync = sync
    gateways = GatewaysModel(service, settings: kept)
    let records = RecordsModel(service, settings: kept, permissions: environment.permissions)
    self.records = records
    sync.synced = { await records.send(.news) }
    log = LogModel(service)
    let settings = SettingsModel(
      service, settings: kept, permissions: environment.permissions, collecting: collecting,
      sync: sync, applied: { today.use($0) })
    self.settings = settings
    let endpoint = EndpointModel(service, settings: kept) {
      await settings.reload()
      await sync.send(.settingsChanged)
    }
    self.endpoint = endpoint
    onboarding = OnboardingModel(
      service, settings: kept, permissions: environment.permissions,
      start: {
        do {
          try await service.setRunning(true)
        } catch {
          await service.log(type: "service_failed", "\(error)")
        }
        await settings.resume()
        await endpoint.resume()
      })
  }

  /// Does a piece of a background task, and sends what is new of the records in what is left of its 30 s.
  /// Ends soon after its task was cancelled.
  public func run(_ task: BackgroundTask) async {
    let clock = ContinuousClock()
    let end = clock.now + RunBudget.longestPiece - RunBudget.reserve
    _ = await service.run(task)
    await sync.send(.returned)
    guard await service.settings.mayCollect, !Task.isCancelled, clock.now < end else { return }
    let work = Task { await records.send(.news) }
    let timer = Task {
      try await clock.sleep(until: end)
      work.cancel()
    }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    timer.cancel()
  }

  /// The app was launched: what ran before runs again.
  public func launched() async { await settings.resume() }

  /// The app came to the foreground: permissions, counts and records are looked at again.
  public func returned() async {
    await onboarding.send(.returned)
    await settings.returned()
    await sync.send(.returned)
    await records.returned()
    await today.look()
    if wasLive { today.dashboard.startLiveTracking() }
    wasLive = false
  }

  /// The app goes to the background.
  public func left() async {
    await onboarding.left()
    wasLive = wasLive || today.dashboard.isTracking
    today.dashboard.stopLiveTracking()
  }
}
