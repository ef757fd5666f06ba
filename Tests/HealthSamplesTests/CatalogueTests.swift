import HealthSamples
import Testing

/// The catalogue, held against what it was written from.
@Suite struct CatalogueTests {
  /// Metrics that other programs know too: HealthKit's identifier without what all begin with, and
  /// how they make a day of its samples.
  private static let known: [(DailyMetric, String, DailyAggregation)] = [
    (.exerciseMinutes, "AppleExerciseTime", .sum), (.moveTime, "AppleMoveTime", .sum),
    (.bodyFat, "BodyFatPercentage", .mean), (.bodyMassIndex, "BodyMassIndex", .mean),
    (.carbohydrates, "DietaryCarbohydrates", .entries),
    (.dietaryEnergy, "DietaryEnergyConsumed", .entries), (.fiber, "DietaryFiber", .entries),
    (.protein, "DietaryProtein", .entries), (.fat, "DietaryFatTotal", .entries),
    (.heartRateMinimum, "HeartRate", .least), (.heartRateMaximum, "HeartRate", .greatest),
    (.heartRateMean, "HeartRate", .mean),
    (.heartRateVariability, "HeartRateVariabilitySDNN", .mean),
    (.leanMass, "LeanBodyMass", .mean), (.mindfulMinutes, "MindfulSession", .duration),
    (.restingHeartRate, "RestingHeartRate", .mean), (.runningSpeed, "RunningSpeed", .mean),
    (.sleepAsleep, "SleepAnalysis", .night(.asleep)),
    (.sleepInBed, "SleepAnalysis", .night(.value(.inBed))),
    (.sleepCore, "SleepAnalysis", .night(.value(.asleepCore))),
    (.sleepDeep, "SleepAnalysis", .night(.value(.asleepDeep))),
    (.sleepREM, "SleepAnalysis", .night(.value(.asleepREM))),
    (.sleepAwake, "SleepAnalysis", .night(.value(.awake))), (.vo2Max, "VO2Max", .mean),
    (.waist, "WaistCircumference", .mean), (.distance, "DistanceWalkingRunning", .sum),
    (.walkingHeartRate, "WalkingHeartRateAverage", .mean), (.weight, "BodyMass", .mean),
    (.steps, "StepCount", .sum), (.activeEnergy, "ActiveEnergyBurned", .sum),
    (.standHours, "AppleStandHour", .hours),
  ]

  @Test func `every metric is made of the records and in the way that others make it`() {
    #expect(Set(Self.known.map(\.0)) == Set(DailyMetric.allCases))
    for (metric, name, aggregation) in Self.known {
      #expect(metric.kind.identifier.dropFirst(24) == name, "\(metric)")
      #expect(metric.aggregation == aggregation, "\(metric)")
    }
  }

  @Test func `no two metrics are the same number`() {
    for metric in DailyMetric.allCases {
      let same = DailyMetric.allCases.filter {
        ($0.kind, $0.aggregation) == (metric.kind, metric.aggregation)
      }
      #expect(same == [metric])
    }
  }

  @Test(arguments: SampleKind.allCases)
  func `every kind has a name of its own and makes a metric`(kind: SampleKind) {
    #expect(SampleKind.allCases.filter { $0.identifier == kind.identifier } == [kind])
    #expect(DailyMetric.allCases.contains { $0.kind == kind })
    let name = kind.payloadName
    #expect(name == nil || SampleKind.allCases.filter { $0.payloadName == name } == [kind])
    #expect(
      kind.identifier.hasPrefix(
        kind.isCategory ? "HKCategoryTypeIdentifier" : "HKQuantityTypeIdentifier"))
  }

  @Test(arguments: DailyMetric.allCases)
  func `samples in the kind's own unit count as they are, in no unit only those of a category`(
    metric: DailyMetric
  ) {
    #expect(metric.kind.factor(from: metric.kind.unit) == 1)
    #expect(metric.kind.factor(from: .none) == (metric.kind.isCategory ? 1 : nil))
    #expect(metric.kind.factor(from: .unknown) == nil)
    #expect(metric.unit != .none && metric.unit != .unknown)
    if !metric.kind.isCategory { #expect(metric.unit == metric.kind.unit) }
  }
}

/// Conversions of units, worked out by hand.
@Suite struct SampleUnitTests {
  @Test(arguments: [
    (1.0, SampleUnit.kilojoule, SampleUnit.kilocalorie, 1 / 4.184),
    (250, .smallCalorie, .kilocalorie, 0.25), (3, .largeCalorie, .kilocalorie, 3),
    (90, .second, .minute, 1.5), (2, .hour, .minute, 120), (30_000, .millisecond, .minute, 0.5),
    (0.04, .second, .millisecond, 40), (1.5, .countPerSecond, .countPerMinute, 90),
    (10, .stone, .kilogram, 63.5029318), (1, .pound, .gram, 453.59237),
    (16, .ounce, .pound, 1), (2500, .milligram, .gram, 2.5), (1, .inch, .centimetre, 2.54),
    (6, .foot, .metre, 1.8288), (1760, .yard, .mile, 1), (1.2, .kilometre, .metre, 1200),
    (3.6, .kilometrePerHour, .metrePerSecond, 1), (1, .milePerHour, .kilometrePerHour, 1.609344),
  ])
  func `a number in one unit is one in the other, there and back`(
    number: Double, from: SampleUnit, to: SampleUnit, expected: Double
  ) throws {
    let converted = try #require(from.convert(number, to: to))
    #expect(abs(converted - expected) <= 4 * expected.ulp)
    let back = try #require(to.convert(expected, to: from))
    #expect(abs(back - number) <= 4 * number.ulp)
    let factor = try #require(from.factor(to: to))
    #expect(abs(number * factor - converted) <= 4 * converted.ulp)
  }

  @Test(arguments: SampleUnit.allCases)
  func `a unit is itself, and converts into what measures the same and nothing else`(
    unit: SampleUnit
  ) {
    let means = unit != .none && unit != .unknown
    #expect(unit.factor(to: unit) == (means ? 1 : nil))
    for other in SampleUnit.allCases {
      #expect((unit.factor(to: other) == nil) == (other.factor(to: unit) == nil))
    }
    #expect(SampleUnit.gram.factor(to: .metre) == nil)
    #expect(SampleUnit.count.factor(to: .percent) == nil)
    #expect(SampleUnit.second.factor(to: .countPerSecond) == nil)
  }
}
