/// Metrics that people look at together.
public enum MetricGroup: String, CaseIterable, Hashable, Sendable {
  /// Movement and energy.
  case activity
  /// How somebody walks.
  case walking
  /// Heart and circulation.
  case heart
  /// Breath, blood and temperature.
  case vitals
  /// Sleep and rest.
  case sleep
  /// Weight and measures.
  case body
  /// Sound and sun.
  case surroundings
  /// Food and drink.
  case nutrition

  /// The group's name for people.
  public var label: String {
    switch self {
    case .activity: "activity"
    case .walking: "walking"
    case .heart: "heart"
    case .vitals: "breath, blood and temperature"
    case .sleep: "sleep and rest"
    case .body: "body"
    case .surroundings: "sound and sun"
    case .nutrition: "nutrition"
    }
  }
}

/// One row of the catalogue.
struct MetricDefinition {
  let kind: SampleKind
  let aggregation: DailyAggregation
  let unit: SampleUnit
  let label: String
  let group: MetricGroup
  let plausible: ClosedRange<Double>
  /// The metric whose latest value, or the time of it, this is.
  private(set) var latestOf: DailyMetric?

  /// A row of the catalogue.
  ///
  /// - Parameters:
  ///   - plausible: what a day of a living person can have; anything else is worth a look.
  ///   - unit: nil for that in which samples of the kind are counted.
  init(
    _ kind: SampleKind, _ aggregation: DailyAggregation, _ label: String, _ group: MetricGroup,
    _ plausible: ClosedRange<Double>, in unit: SampleUnit? = nil
  ) {
    (self.kind, self.aggregation, self.label, self.group) = (kind, aggregation, label, group)
    (self.plausible, self.unit) = (plausible, unit ?? kind.unit)
  }

  /// The row of a metric's latest value.
  init(latestOf metric: DailyMetric) {
    let row = metric.definition
    self.init(row.kind, .latest, "latest \(row.label)", row.group, row.plausible, in: row.unit)
    latestOf = metric
  }

  /// The row of the time of that value.
  ///
  /// - Parameter name: what was measured, if that is not the metric alone.
  init(timeOf metric: DailyMetric, _ name: String? = nil) {
    let row = metric.definition
    let label = "time of latest \(name ?? row.label)"
    self.init(row.kind, .latestTime, label, row.group, 0...1500, in: .minute)
    latestOf = metric
  }
}

/// How a metric is made, and what it is called.
extension DailyMetric {
  /// The samples that it is made of.
  public var kind: SampleKind { definition.kind }

  /// How it is made of a day's samples.
  public var aggregation: DailyAggregation { definition.aggregation }

  /// Whether the number can only grow when more of the day is counted.
  package var growsWithTheDay: Bool {
    switch aggregation {
    case .sum, .entries, .hours, .duration: true
    case .mean, .least, .greatest, .level, .latest, .latestTime, .night: false
    }
  }

  /// The unit of its number. Samples in any unit that converts into it are counted.
  public var unit: SampleUnit { definition.unit }

  /// Whether a change in per cent means something. It does not if the scale's zero is arbitrary.
  package var hasShares: Bool {
    switch unit {
    case .degreeCelsius, .degreeFahrenheit, .decibel, .percent: false
    default: true
    }
  }

  /// The unit as documents write it.
  public var unitLabel: String {
    unit == .countPerMinute && group == .heart ? "bpm" : unit.rawValue
  }

  /// The unit as a person writes it; empty for a bare number.
  package var plainUnit: String {
    switch unit {
    case .count, .none: ""
    case .hour: "h"
    case .degreeCelsius: "°C"
    case .decibel: "dB"
    case .microgram: "µg"
    case .kilometrePerHour: "km/h"
    case .oxygenUptake: "mL/(kg·min)"
    case .physicalEffort: "kcal/(h·kg)"
    case .internationalUnit: "units"
    case .effortScore: "of 10"
    case .microsiemens: "µS"
    default: unitLabel
    }
  }

  /// The metric's name for people.
  public var label: String { definition.label }

  /// The metrics that it is shown with.
  public var group: MetricGroup { definition.group }

  /// What a day of a living person can have, in `unit`: a number outside is worth a look.
  public var plausible: ClosedRange<Double> { definition.plausible }
}

/// How the samples of a day become one number.
public enum DailyAggregation: Hashable, Sendable {
  /// Their sum; what several devices saw at once counts once.
  case sum
  /// Their plain sum: people enter one meal after another.
  case entries
  /// Their mean.
  case mean
  /// The least of them.
  case least
  /// The greatest of them.
  case greatest
  /// The latest of them.
  case latest
  /// When the latest of them ended, in minutes from the start of the day.
  case latestTime
  /// Their mean as levels of sound: of the energy, weighted by time.
  case level
  /// The distinct hours of the clock.
  case hours
  /// The length of the union of their times.
  case duration
  /// The same of a part of the night that ends on the day.
  case night(NightPart)
}

/// What of a night counts.
public enum NightPart: Hashable, Sendable {
  /// Asleep, in whatever stage.
  case asleep
  /// What samples of one value say.
  case value(SleepValue)
}

/// Which metrics are required, the order of all, and how one is found by its key.
extension DailyMetric {
  /// Whether every document has it, with the reason where it has no number (R9). A document has an
  /// optional metric only with a number (R42).
  public var isRequired: Bool {
    switch self {
    case .steps, .activeEnergy, .exerciseMinutes, .standHours, .restingHeartRate,
      .heartRateVariability, .sleepAsleep, .sleepInBed:
      true
    default: false
    }
  }

  /// The required metrics, in their order.
  public static let required = allCases.filter(\.isRequired)

  /// The optional metrics, in the catalogue's order.
  public static let optional = allCases.filter { !$0.isRequired }

  /// The required metrics, then the optional ones.
  public static let inOrder = required + optional

  /// The optional metrics that any of some days has, in the catalogue's order.
  package static func optional<Value>(
    in days: some Sequence<[DailyMetric: Value]>
  ) -> [DailyMetric] {
    var held: Set<DailyMetric> = []
    for day in days { held.formUnion(day.keys) }
    return optional.filter { held.contains($0) }
  }

  /// Hashes the case, not its key: every revision looks up all of them.
  public func hash(into hasher: inout Hasher) {
    unsafe withUnsafeBytes(of: self) { unsafe hasher.combine(bytes: $0) }
  }

  /// The metric with a key of daily documents. `init(rawValue:)` compares the text with each key.
  package static func named(_ key: String) -> DailyMetric? { byKey[key] }

  private static let byKey = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

/// Which metrics somebody wants: all, the required ones, or a list of keys.
public struct MetricSelection: Hashable, Sendable {
  /// In the order given; of all, in the order of `DailyMetric.inOrder`.
  public let metrics: [DailyMetric]
  /// True for a list that somebody spelled out.
  public let isList: Bool

  /// Every metric of the catalogue.
  public static let all = MetricSelection(metrics: DailyMetric.inOrder, isList: false)
  /// The required metrics.
  public static let v0 = MetricSelection(metrics: DailyMetric.required, isList: false)

  private init(metrics: [DailyMetric], isList: Bool) {
    (self.metrics, self.isList) = (metrics, isList)
  }

  /// Why a text chooses no metrics.
  public enum Failure: Error, Hashable, Sendable {
    /// No metric has this key.
    case unknown(String)
    /// The list is empty, or has an empty place.
    case empty
  }

  /// Reads `all`, `v0`, or keys with commas between them; a key that is given twice counts once.
  public init(parsing text: String) throws(Failure) {
    switch text {
    case "all": self = .all
    case "v0": self = .v0
    default:
      var metrics: [DailyMetric] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let key = part.trimmingSpaces
        guard !key.isEmpty else { throw .empty }
        if key == "v0" {
          metrics += DailyMetric.required
        } else if let metric = DailyMetric(rawValue: key) {
          metrics.append(metric)
        } else {
          throw .unknown(key)
        }
      }
      var seen: Set<DailyMetric> = []
      self.init(metrics: metrics.filter { seen.insert($0).inserted }, isList: true)
    }
  }

  /// Those, and the required ones, which every day has.
  public var withRequired: Set<DailyMetric> { Set(metrics).union(DailyMetric.required) }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
