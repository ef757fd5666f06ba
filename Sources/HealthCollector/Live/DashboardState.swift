/// What a dashboard keeps while its app does not run (LV-8): the goal, and the last numbers.
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
  /// What was kept last; nil if there is nothing, or nothing readable.
  func load() -> DashboardState?
  /// Keeps a state. What can't be kept is lost, and is read again from the source.
  func save(_ state: DashboardState)
}
