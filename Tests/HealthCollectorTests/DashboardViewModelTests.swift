import Foundation
import HealthCollector
import HealthModel
import Observation
import Synchronization
import Testing

/// `HealthDashboardViewModel` (R58).
@MainActor @Suite(.unit) struct DashboardViewModelTests {
  final class Memory: DashboardStorage {
    var state: DashboardState?
    var saves = 0
    func load() -> DashboardState? { state }
    func save(_ state: DashboardState) {
      self.state = state
      saves += 1
    }
  }

  private func model(
    _ source: PhoneSource, _ format: DashboardFormat = .enUS, _ storage: Memory? = nil
  ) -> HealthDashboardViewModel {
    HealthDashboardViewModel(
      service: HealthKitLiveTrackingService(source: source, clock: source.clock),
      authorization: source, clock: source.clock, format: format, storage: storage)
  }

  @Test func `R58: the properties and strings have their fixed forms`() async throws {
    let source = try PhoneSource("2026-07-10T15:42:10+02:00")
    let model = model(source)
    #expect(model.dailySteps == 0 && model.stepGoal == 10_000 && !model.isTracking)
    #expect(model.formattedStepGoal == "10,000" && model.formattedDailySteps == "0")
    #expect(model.authorizationStatus == .authorized && model.errorMessage == nil)
    await model.requestAuthorizationAndStart()
    try source.add(.stepCount, 8537, "count", ago: 3600, lasting: 3000)
    try source.add(.distanceWalkingRunning, 5.2, "km", ago: 3600, lasting: 3000)
    try source.add(.activeEnergyBurned, 387, "kcal", ago: 3600, lasting: 3000)
    await model.refreshMetrics()
    #expect(model.isTracking)
    #expect(model.dailySteps == 8537 && model.dailyDistance == 5.2 && model.activeEnergy == 387)
    #expect(model.formattedDailySteps == "8,537")
    #expect(model.formattedDistance == "5.2 km")
    #expect(model.formattedActiveEnergy == "387 kcal")
    #expect(model.formattedLastUpdated == "3:42 PM")
    #expect(model.lastUpdated == Date(timeIntervalSince1970: 1_783_690_930))
    #expect(model.stepProgressPercentage == 0.8537 && !model.hasReachedStepGoal)
    try source.add(.stepCount, 1463, "count", ago: 300, lasting: 60)
    await model.refreshMetrics()
    #expect(model.stepProgressPercentage == 1.0 && model.hasReachedStepGoal)
    model.updateStepGoal(8000)
    #expect(model.stepGoal == 8000 && model.stepProgressPercentage == 1.25)
    model.stopLiveTracking()
    #expect(!model.isTracking && model.dailySteps == 10_000)
  }

  @Test func `R58: numbers and times in other ways of writing`() throws {
    let german = DashboardFormat(
      groupingSeparator: ".", decimalSeparator: ",", has24Hours: true)
    #expect(german.count(1_234_567) == "1.234.567" && german.kilometres(5.25) == "5,3 km")
    #expect(DashboardFormat.enUS.count(-1000) == "-1,000")
    #expect(DashboardFormat.enUS.kilometres(0) == "0.0 km")
    #expect(DashboardFormat.enUS.kilometres(1234.06) == "1,234.1 km")
    #expect(DashboardFormat.enUS.kilocalories(386.5) == "387 kcal")
    #expect(DashboardFormat.enUS.decimal(.infinity, places: 1) == "inf")
    let times = [
      ("00:05", "12:05 AM"), ("11:59", "11:59 AM"), ("12:00", "12:00 PM"), ("15:42", "3:42 PM"),
      ("23:59", "11:59 PM"),
    ]
    for (clock, text) in times {
      let moment = try #require(Timestamp("2026-07-10T\(clock):30Z"))
      #expect(try DashboardFormat.enUS.time(moment, timeZoneName: "UTC") == text)
      #expect(try german.time(moment, timeZoneName: "UTC") == clock)
    }
  }

  @Test func `R58: a person who was not asked is asked, and one who refuses gets instructions`()
    async throws
  {
    let source = try PhoneSource("2026-07-10T15:42:10+02:00")
    source.state.withLock { ($0.status, $0.answer) = (.notDetermined, .denied) }
    let model = model(source)
    #expect(!model.checkExistingAuthorization())
    model.startLiveTracking()
    #expect(!model.isTracking && model.errorMessage?.contains("Enable") == true)
    await model.requestAuthorizationAndStart()
    #expect(model.authorizationStatus == .denied && !model.isTracking)
    #expect(model.errorMessage?.contains("Settings > Health > Data Access & Devices") == true)
    // Given again in the settings, it counts at the next start (R58).
    source.state.withLock { $0.status = .authorized }
    model.startLiveTracking()
    #expect(model.isTracking && model.errorMessage == nil)
    #expect(source.state.withLock(\.asked) == 1)
    model.stopLiveTracking()
    // Where there is no health data, nobody is asked in vain.
    source.state.withLock { ($0.status, $0.answer) = (.unavailable, .unavailable) }
    await model.requestAuthorizationAndStart()
    #expect(model.errorMessage == "Health data is not available on this device.")
  }

  @Test func `R58: a model stops its own queries, and not those that others began`() async throws {
    let source = try PhoneSource("2026-07-10T15:42:10+02:00")
    let service = HealthKitLiveTrackingService(source: source, clock: source.clock)
    let model = HealthDashboardViewModel(
      service: service, authorization: source, clock: source.clock)
    var steps: [Int] = []
    let query = service.startStepTracking { steps.append($0) }
    await model.requestAuthorizationAndStart()
    model.stopLiveTracking()
    #expect(!model.isTracking && service.isTracking)
    // Reading once begins and ends queries, too.
    await model.refreshMetrics()
    try source.add(.stepCount, 42, "count")
    await service.refresh()
    #expect(steps == [0, 42] && model.dailySteps == 0)
    service.stopTracking(queryID: query)
    #expect(!service.isTracking)
  }

  @Test func `R58: a permission that is taken back stops nothing in silence`() async throws {
    let source = try PhoneSource("2026-07-10T15:42:10+02:00")
    let model = model(source)
    await model.requestAuthorizationAndStart()
    try source.add(.stepCount, 100, "count")
    await model.refreshMetrics()
    source.state.withLock { ($0.status, $0.fails) = (.denied, true) }
    await model.refreshMetrics()
    #expect(model.dailySteps == 100 && model.authorizationStatus == .denied)
    #expect(model.errorMessage?.hasPrefix("Health access is denied.") == true)
    model.stopLiveTracking()
  }

  @Test func `R58: a refresh without tracking reads once`() async throws {
    let source = try PhoneSource("2026-07-10T15:42:10+02:00")
    let model = model(source)
    try source.add(.stepCount, 42, "count")
    await model.refreshMetrics()
    #expect(model.dailySteps == 42 && !model.isTracking)
  }

  @Test func `R58: the goal and the numbers of today are kept, those of yesterday are not shown`()
    async throws
  {
    let source = try PhoneSource("2026-07-10T15:42:10+02:00")
    let memory = Memory()
    let first = model(source, .enUS, memory)
    first.updateStepGoal(12_000)
    try source.add(.stepCount, 4200, "count", ago: 3600)
    await first.refreshMetrics()
    let second = model(source, .enUS, memory)
    #expect(second.stepGoal == 12_000 && second.dailySteps == 4200)
    source.pass(86_400)
    let third = model(source, .enUS, memory)
    #expect(third.stepGoal == 12_000 && third.dailySteps == 0)
    first.updateStepGoal(-5)
    #expect(first.stepGoal == 1)
  }

  @Test func `R58: today stands beside yesterday and the mean of the days that have a number`()
    throws
  {
    let model = model(try PhoneSource("2026-07-10T15:42:10+02:00"))
    #expect(model.yesterday.isEmpty && model.weekAverage.isEmpty)
    func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }
    model.compare(with: [
      try date("2026-07-09"): [.steps: 4000], try date("2026-07-07"): [.steps: 2000, .weight: 70],
      try date("2026-07-02"): [.steps: 90_000], try date("2026-07-10"): [.steps: 1],
    ])
    #expect(model.yesterday == [.steps: 4000])
    #expect(model.weekAverage == [.steps: 3000, .weight: 70])
    model.compare(with: [:])
    #expect(model.yesterday.isEmpty && model.weekAverage.isEmpty)
  }

  @Test func `R58: a view that reads a number is notified when it changes`() async throws {
    let source = try PhoneSource("2026-07-10T15:42:10+02:00")
    let model = model(source)
    let told = Mutex(0)
    withObservationTracking {
      _ = model.formattedDailySteps
    } onChange: {
      told.withLock { $0 += 1 }
    }
    try source.add(.stepCount, 42, "count")
    await model.refreshMetrics()
    #expect(told.withLock { $0 } == 1)
  }
}
