public import HealthModel

/// The screen of the Pushgateways: several, each with a test, and the metrics that are pushed. Pure.
public struct GatewaysMachine: ScreenMachine {
  /// What came of the last test of a gateway.
  public enum Test: Hashable, Sendable {
    /// A number is pushed and taken away again.
    case running
    /// The gateway took it.
    case succeeded
    /// Why it did not, for the person.
    case failed(String)
  }

  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The person adds a gateway, or changes the one of this id.
    case saved(PhoneGateway)
    /// The person removes a gateway.
    case removed(id: String)
    /// The person taps "Test".
    case test(id: String)
    /// The test of a gateway has ended; nil where it took the number.
    case tested(PhoneGateway, failure: String?)
    /// The person turns a metric on or off.
    case chose(DailyMetric, isOn: Bool)
    /// The person turns the current heart rate on or off.
    case choseHeartRate(Bool)
    /// The person turns workouts on or off.
    case choseWorkouts(Bool)
    /// The person chooses all metrics, the heart rate and workouts.
    case choseAll
    /// When each gateway last took what was pushed, by its id.
    case pushesRead([String: Timestamp])
  }

  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Keep the gateways and the metrics.
    case keep
    /// Push a number and take it away; report `tested`.
    case test(PhoneGateway)
    /// Remove what was pushed, so that it is not read as today's.
    case clear(PhoneGateway)
    /// Forget the password.
    case forgetPassword(PhoneGateway)
  }

  /// The gateways, in the order in which they were added.
  public private(set) var gateways: [PhoneGateway]
  /// The metrics that are pushed; nil for all.
  public private(set) var metrics: Set<DailyMetric>?
  /// Whether the current heart rate is pushed.
  public private(set) var pushesHeartRate: Bool
  /// Whether today's workouts are pushed.
  public private(set) var pushesWorkouts: Bool
  /// By the gateway's id. What was tested before a change does not count after it.
  public private(set) var tests: [String: Test] = [:]

  /// When each gateway last took what was pushed, by its id.
  public private(set) var lastPushes: [String: Timestamp]

  /// The most gateways: each is waited for in a run of 30 s.
  public static let maximumCount = 5

  /// The screen of what was kept.
  public init(_ settings: PhoneSettings) {
    (gateways, metrics) = (settings.gateways, settings.pushedMetrics)
    (pushesHeartRate, pushesWorkouts) = (settings.pushesHeartRate, settings.pushesWorkouts)
    lastPushes = settings.lastPushes
  }

  /// The metrics that can be chosen, in the catalogue's order. A latest value goes with its metric.
  public static let allMetrics = DailyMetric.allCases.filter { $0.latestOf == nil }

  /// Whether another gateway can be added.
  public var mayAdd: Bool { gateways.count < Self.maximumCount }

  /// Whether a metric is pushed.
  public func isPushed(_ metric: DailyMetric) -> Bool { metrics?.contains(metric) ?? true }

  /// What to do about an event. An event that does not fit changes nothing.
  public mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .saved(let gateway):
      if let place = gateways.firstIndex(where: { $0.id == gateway.id }) {
        guard gateways[place] != gateway else { return [] }
        let old = gateways[place]
        gateways[place] = gateway
        tests[gateway.id] = nil
        let moved = old.url != gateway.url || old.instance != gateway.instance
        return moved ? [.clear(old), .keep] : [.keep]
      }
      guard mayAdd else { return [] }
      gateways.append(gateway)
      return [.keep]
    case .removed(let id):
      guard let place = gateways.firstIndex(where: { $0.id == id }) else { return [] }
      tests[id] = nil
      let old = gateways.remove(at: place)
      return [.clear(old), .forgetPassword(old), .keep]
    case .test(let id):
      guard let gateway = gateways.first(where: { $0.id == id }), tests[id] != .running else {
        return []
      }
      tests[id] = .running
      return [.test(gateway)]
    case .tested(let gateway, let failure):
      guard gateways.contains(gateway), tests[gateway.id] == .running else { return [] }
      tests[gateway.id] = failure.map(Test.failed) ?? .succeeded
      return []
    case .chose(let metric, let isOn):
      var chosen = metrics ?? Set(Self.allMetrics)
      if isOn { chosen.insert(metric) } else { chosen.remove(metric) }
      metrics = chosen == Set(Self.allMetrics) ? nil : chosen
      return [.keep]
    case .choseHeartRate(let isOn):
      pushesHeartRate = isOn
      return [.keep]
    case .choseWorkouts(let isOn):
      pushesWorkouts = isOn
      return [.keep]
    case .choseAll:
      (metrics, pushesHeartRate, pushesWorkouts) = (nil, true, true)
      return [.keep]
    case .pushesRead(let pushes):
      lastPushes = pushes
      return []
    }
  }
}
