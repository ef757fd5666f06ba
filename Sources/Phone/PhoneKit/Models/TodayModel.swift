import Foundation
public import HealthCollector
public import HealthModel
import ObjectStore
public import Observation

/// The screen of today, for a view: the live numbers, and what they are compared with.
@MainActor @Observable
public final class TodayModel {
  /// Steps, distance and energy as they change.
  public let dashboard: HealthDashboardViewModel
  /// The numbers of the days before today.
  public private(set) var days: [CalendarDate: [DailyMetric: Double]] = [:]
  /// Those of a part of their day.
  private(set) var partial: [CalendarDate: PartialNumbers] = [:]
  /// The date of the summary; nil before the first refresh.
  public private(set) var date: CalendarDate?
  /// What could not be read; nil if all is well.
  public private(set) var errorMessage: String?
  /// Whether the stream of Health is off, so that nothing of it is read.
  public private(set) var isOff = false
  /// Whether Health has never had a step, a distance or an energy for this app. HealthKit does not say that
  /// reading was refused; that is how it looks.
  public private(set) var seesNothing = false

  @ObservationIgnored private let service: PhoneService

  /// A screen that follows nothing yet.
  public init(_ service: PhoneService, dashboard: HealthDashboardViewModel) {
    (self.service, self.dashboard) = (service, dashboard)
  }

  /// Today beside yesterday and the week; nil before the first refresh.
  public var summary: TodaySummary? {
    date.map {
      TodaySummary(
        $0, steps: dashboard.dailySteps, goal: dashboard.stepGoal, days: days, partial: partial)
    }
  }

  /// Takes up what was set: the goal, and whether Health is read.
  func use(_ settings: PhoneSettings) {
    dashboard.updateStepGoal(settings.stepGoal)
    isOff = !settings.streams.contains(.healthKit)
    if isOff { dashboard.stopLiveTracking() }
  }

  /// The screen appears: the numbers follow Health, and the days before are read.
  public func appeared() async {
    await look()
    await dashboard.requestAuthorizationAndStart()
    await refresh()
  }

  /// Looks whether the person lets the app read, as far as that can be seen.
  func look() async {
    await service.todaysHealth.look(for: [.stepCount, .distanceWalkingRunning, .activeEnergyBurned])
    seesNothing = service.todaysHealth.seesNothing
  }

  /// Reads the numbers of now, and the days before.
  public func refresh() async {
    await look()
    await dashboard.refreshMetrics()
    do {
      date = try await service.today()
      let revisions = try await service.revisionsBeforeToday()
      days = revisions.mapValues(\.readings.numbers)
      partial = revisions.mapValues(PartialNumbers.init)
      dashboard.compare(with: days, partial: partial)
      errorMessage = nil
    } catch {
      errorMessage = "\(error)"
    }
  }
}

/// Keeps the numbers of today between runs of the app, in a file of its folder.
@MainActor
public final class TodayStorage: DashboardStorage {
  private let path: String

  /// The storage in the app's folder.
  public init(_ environment: PhoneEnvironment) {
    path = environment.folder.appending(path: "today.json").path
  }

  /// What was kept last; nil if nothing was, or it is not readable.
  public func load() -> DashboardState? {
    guard let bytes = try? SmallFile.read(path, maximumBytes: 4096) else { return nil }
    return try? JSONDecoder().decode(DashboardState.self, from: Data(bytes))
  }

  /// Keeps a state. What can't be kept is read again from Health.
  public func save(_ state: DashboardState) {
    guard let bytes = try? JSONEncoder().encode(state) else { return }
    try? SmallFile.replace(path, with: [UInt8](bytes))
  }
}
