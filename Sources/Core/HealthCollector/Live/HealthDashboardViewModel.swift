public import Foundation
public import HealthModel
public import Observation

/// What a dashboard keeps while its app does not run: the goal, and the last numbers.
public struct DashboardState: Codable, Hashable, Sendable {
  /// The steps to reach in a day.
  public var stepGoal: Int
  /// The date of the numbers, as `YYYY-MM-DD`. Those of another date are not shown.
  public var date: String
  /// Steps.
  public var dailySteps: Int
  /// Kilometres.
  public var dailyDistance: Double
  /// Kilocalories.
  public var activeEnergy: Double
  /// When the numbers last changed, in seconds since 1970.
  public var lastUpdated: Int

  /// A state.
  public init(
    stepGoal: Int, date: String, dailySteps: Int, dailyDistance: Double, activeEnergy: Double,
    lastUpdated: Int
  ) {
    (self.stepGoal, self.date, self.dailySteps) = (stepGoal, date, dailySteps)
    (self.dailyDistance, self.activeEnergy) = (dailyDistance, activeEnergy)
    self.lastUpdated = lastUpdated
  }
}

/// Where a dashboard keeps its state: the defaults of an app, a file, or memory.
@MainActor
public protocol DashboardStorage {
  /// What was kept last; nil if nothing was, or it is not readable.
  func load() -> DashboardState?
  /// Keeps a state. What can't be kept is lost, and is read again from the source.
  func save(_ state: DashboardState)
}

/// Today's numbers for a view, as they change (R58).
///
/// It is observable, so a view that reads a property is drawn again when it changes. The strings are
/// those of `format`.
///
/// ```swift
/// let model = HealthDashboardViewModel(
///   service: service, authorization: authorization, clock: clock)
/// await model.requestAuthorizationAndStart()
/// print(model.formattedDailySteps, "of", model.formattedStepGoal)
/// ```
@MainActor @Observable
public final class HealthDashboardViewModel {
  /// The goal of who has set none.
  public static let defaultStepGoal = 10_000

  /// The steps of today; 0 as long as there are no samples.
  public private(set) var dailySteps = 0
  /// The distance of today on foot, in kilometres.
  public private(set) var dailyDistance = 0.0
  /// The active energy of today, in kilocalories.
  public private(set) var activeEnergy = 0.0
  /// The steps to reach in a day; 1 or more.
  public private(set) var stepGoal = defaultStepGoal
  /// Whether the numbers follow the source: what the LIVE sign shows.
  public var isTracking: Bool { !queries.isEmpty }
  /// When a number last changed, or tracking began.
  public private(set) var lastUpdated: Date
  /// Whether the person lets the app read, as it was known last.
  public private(set) var authorizationStatus: HealthAuthorizationStatus
  /// What a person should know and can do; nil if all is well.
  public private(set) var errorMessage: String?
  /// The numbers of yesterday. A metric that is not here has no data, which is not 0.
  public private(set) var yesterday: [DailyMetric: Double] = [:]
  /// The means of those of the seven days before today that have a number.
  public private(set) var weekAverage: [DailyMetric: Double] = [:]

  /// Those of this model, of all that the service follows.
  private var queries: [UUID] = []
  @ObservationIgnored private let service: HealthKitLiveTrackingService
  @ObservationIgnored private let authorization: any HealthAuthorization
  @ObservationIgnored private let clock: LiveClock
  @ObservationIgnored private let format: DashboardFormat
  @ObservationIgnored private let storage: (any DashboardStorage)?

  /// A model that shows what was kept last, and tracks nothing yet.
  ///
  /// - Parameters:
  ///   - service: where the numbers come from.
  ///   - authorization: who is asked for the permission.
  ///   - clock: the time and the reporting zone; the same as the service's.
  ///   - format: how numbers and times are written.
  ///   - storage: keeps the goal and the last numbers; nil to keep nothing.
  public init(
    service: HealthKitLiveTrackingService, authorization: any HealthAuthorization,
    clock: LiveClock, format: DashboardFormat = .enUS, storage: (any DashboardStorage)? = nil
  ) {
    (self.service, self.authorization) = (service, authorization)
    (self.clock, self.format, self.storage) = (clock, format, storage)
    authorizationStatus = authorization.status
    lastUpdated = Self.date(clock.now())
    guard let kept = storage?.load() else { return }
    stepGoal = max(1, kept.stepGoal)
    guard kept.date == today else { return }
    (dailySteps, dailyDistance) = (kept.dailySteps, kept.dailyDistance)
    activeEnergy = kept.activeEnergy
    lastUpdated = Self.date(Timestamp(secondsSince1970: kept.lastUpdated))
  }

  // MARK: - What a view shows

  /// The part of the goal that is reached: 0.0 to 1.0, and more beyond the goal.
  public var stepProgressPercentage: Double { Double(dailySteps) / Double(stepGoal) }

  /// Whether the goal is reached.
  public var hasReachedStepGoal: Bool { dailySteps >= stepGoal }

  /// The distance, such as `5.2 km`.
  public var formattedDistance: String { format.kilometres(dailyDistance) }

  /// The energy, such as `387 kcal`.
  public var formattedActiveEnergy: String { format.kilocalories(activeEnergy) }

  /// The time of the last change in the reporting zone, such as `3:42 PM`.
  public var formattedLastUpdated: String {
    let moment = Timestamp(secondsSince1970: Int(lastUpdated.timeIntervalSince1970.rounded(.down)))
    let inUTC = { [format] in try? format.time(moment, timeZoneName: "UTC") }
    return (try? format.time(moment, timeZoneName: clock.timeZoneName())) ?? inUTC() ?? ""
  }

  /// The steps, such as `8,537`.
  public var formattedDailySteps: String { format.count(dailySteps) }

  /// The goal, such as `10,000`.
  public var formattedStepGoal: String { format.count(stepGoal) }

  // MARK: - What a person does

  /// Asks for the permission, if the person was not asked yet, and starts tracking with it.
  public func requestAuthorizationAndStart() async {
    errorMessage = nil
    if !checkExistingAuthorization() {
      do {
        authorizationStatus = try await authorization.request()
      } catch {
        errorMessage = "Health access could not be requested: \(error)"
        return
      }
    }
    startLiveTracking()
  }

  /// Whether the app may read, without asking the person.
  public func checkExistingAuthorization() -> Bool {
    authorizationStatus = authorization.status
    return authorizationStatus == .authorized
  }

  /// Starts to follow the source. A permission that was given again counts from now on.
  public func startLiveTracking() {
    guard !isTracking else { return }
    guard checkExistingAuthorization() else {
      errorMessage = Self.instructions(authorizationStatus)
      return
    }
    errorMessage = nil
    lastUpdated = Self.date(clock.now())
    follow(.steps) { $0.dailySteps = Int($1.rounded()) }
    follow(.distance) { $0.dailyDistance = $1 / 1000 }
    follow(.activeEnergy) { $0.activeEnergy = $1 }
  }

  private func follow(
    _ metric: DailyMetric, _ update: @escaping (HealthDashboardViewModel, Double) -> Void
  ) {
    queries.append(
      service.start(
        metric, { [weak self] number in self?.took { update($0, number) } },
        failed: { [weak self] in self?.took($0) }))
  }

  /// Stops to follow the source. The numbers stay as they are.
  public func stopLiveTracking() {
    for query in queries { service.stopTracking(queryID: query) }
    queries = []
  }

  /// Changes the goal, and keeps it. A goal below 1 is 1.
  public func updateStepGoal(_ goal: Int) {
    stepGoal = max(1, goal)
    save()
  }

  /// Shows today beside yesterday and the week.
  ///
  /// - Parameter days: the numbers of the days before today, as far as they are known: of a ledger, or of
  ///   the source.
  public func compare(with days: [CalendarDate: [DailyMetric: Double]]) {
    compare(with: days, partial: [:])
  }

  /// The same where some numbers are of a part of their day, which counts in no mean.
  package func compare(
    with days: [CalendarDate: [DailyMetric: Double]], partial: [CalendarDate: PartialNumbers]
  ) {
    guard let date = CalendarDate(today) else { return }
    let comparison = DayComparison(date, days: days, partial: partial)
    (yesterday, weekAverage) = (comparison.yesterday, comparison.weekAverage)
  }

  /// Asks the source now, and returns when the numbers are those of this moment.
  ///
  /// Without tracking the source is read once, if the app may read.
  public func refreshMetrics() async {
    guard !isTracking else { return await service.refresh() }
    startLiveTracking()
    guard isTracking else { return }
    await service.refresh()
    stopLiveTracking()
  }

  // MARK: - Changes

  private func took(_ change: (HealthDashboardViewModel) -> Void) {
    change(self)
    errorMessage = nil
    lastUpdated = Self.date(clock.now())
    save()
  }

  private func took(_ error: any Error) {
    _ = checkExistingAuthorization()
    errorMessage =
      authorizationStatus == .authorized
      ? "Health data could not be read: \(error)" : Self.instructions(authorizationStatus)
  }

  private func save() {
    storage?.save(
      DashboardState(
        stepGoal: stepGoal, date: today, dailySteps: dailySteps, dailyDistance: dailyDistance,
        activeEnergy: activeEnergy,
        lastUpdated: Int(lastUpdated.timeIntervalSince1970.rounded(.down))))
  }

  private var today: String {
    (try? ReportingDay.date(at: clock.now(), timeZoneName: clock.timeZoneName()))?.description ?? ""
  }

  private static func date(_ moment: Timestamp) -> Date {
    Date(timeIntervalSince1970: Double(moment.secondsSince1970))
  }

  private static func instructions(_ status: HealthAuthorizationStatus) -> String? {
    switch status {
    case .authorized: nil
    case .notDetermined: "Choose Enable to let this app read steps, distance and active energy."
    case .denied:
      "Health access is denied. Open Settings > Health > Data Access & Devices, choose this app, "
        + "and turn on Steps, Distance and Active Energy."
    case .unavailable: "Health data is not available on this device."
    }
  }
}
