import AppleExport
import HealthModel
import HealthSources
import Testing

/// What an explanation says of where a day's numbers came from.
@Suite(.unit) struct DayExplanationTests {
  private let phone = SampleExport.phone

  private func export() -> SampleExport {
    var export = SampleExport()
    export.exportDate = SampleExport.moment("2024-07-01 00:00+02:00")
    export.zones = ["Europe/Paris", "Europe/Paris", "Asia/Tokyo"]
    // The watch 100 from 08:00 to 08:10; the phone 90 from 08:05 to 08:15, half of it covered.
    for _ in 0..<2 {
      export.add(.stepCount, "2024-06-10 08:00+02:00", "2024-06-10 08:10+02:00", 100, .count)
    }
    export.add(
      .stepCount, "2024-06-10 08:05+02:00", "2024-06-10 08:15+02:00", 90, .count, from: phone)
    export.add(
      .stepCount, "2024-06-10 09:00+02:00", "2024-06-10 09:05+02:00", -7, .count, from: phone)
    export.add(.stepCount, "2024-06-12 09:00+02:00", "2024-06-12 09:05+02:00", -7, .count)
    export.add(
      .restingHeartRate, "2024-06-10 08:00+02:00", "2024-06-10 09:00+02:00", 55, .countPerMinute)
    export.add(.restingHeartRate, "2024-06-10 08:00+02:00", "2024-06-10 09:00+02:00", 5, .unknown)
    export.addSleep("2024-06-09 23:00+02:00", "2024-06-10 07:00+02:00", .asleepCore)
    export.addSleep("2024-06-09 22:00+02:00", "2024-06-10 07:00+02:00", .inBed, from: phone)
    export.addSleep("2024-06-10 23:00+02:00", "2024-06-11 07:00+02:00", .asleepCore)
    export.summaries = [
      ActivitySummary(
        date: "2024-06-10", activeEnergy: 500, activeEnergyGoal: 600, exerciseMinutes: 0,
        standHours: 0)
    ]
    return export
  }

  @Test func `sources, samples, overlaps, what was left out, the night and the zone`() throws {
    let result = try export().days(nil) { $0.explainedDate = CalendarDate("2024-06-10") }
    #expect(result.days.map { $0.explanation != nil } == [true, false])
    let day = try #require(result["2024-06-10"]?.explanation)
    #expect("\(day.zone)" == "Europe/Paris (named by 2 of 3 records that name a zone)")
    #expect("\(day.start)" == "2024-06-10T00:00:00+02:00")
    #expect("\(day.nightStart)" == "2024-06-09T18:00:00+02:00")
    #expect("\(day.nightEnd)" == "2024-06-10T18:00:00+02:00")
    #expect(day.metrics.prefix(8).map(\.metric) == DailyMetric.required)

    let steps = try #require(day.metrics.first)
    #expect(steps.reading == .value(145))
    #expect(steps.sources.map(\.place) == ["watch", "phone"])
    #expect(steps.sources.map(\.hardware) == ["Watch6,2", "iPhone14,5"])
    #expect(steps.sources.map(\.samples) == [1, 1])
    #expect(steps.sources.map(\.alone) == [100, 90])
    #expect(steps.sources.map(\.counted) == [100, 45])
    #expect(steps.sources.map(\.seconds) == [600, 600])
    #expect(steps.sources.map(\.coveredSeconds) == [0, 300])
    #expect(steps.sources.map(\.leftOut) == [[.duplicate: 1], [.value: 1]])

    let energy = day.metrics[1]
    #expect(energy.reading == .noData)
    #expect(energy.sources.isEmpty)
    #expect(energy.apple?.apple == 500)
    #expect(energy.apple?.agrees == false)

    let pulse = try #require(day.metrics.first { $0.metric == .restingHeartRate })
    #expect(pulse.sources.map(\.leftOut) == [[.unit: 1]])
    #expect(pulse.sources.map(\.alone) == [55])
    let asleep = try #require(day.metrics.first { $0.metric == .sleepAsleep })
    #expect(asleep.sources.map(\.alone) == [480])
    #expect(asleep.sources.map(\.samples) == [1])
    let inBed = try #require(day.metrics.first { $0.metric == .sleepInBed })
    #expect(inBed.sources.map(\.place) == ["phone"])
    #expect(inBed.sources.map(\.alone) == [540])
  }

  @Test func `a stage of sleep alone is the number that its source would give`() throws {
    var export = SampleExport()
    export.addSleep("2024-06-10 00:00+02:00", "2024-06-10 02:00+02:00", .asleepCore)
    export.addSleep("2024-06-10 01:00+02:00", "2024-06-10 01:30+02:00", .asleepDeep)
    export.addSleep("2024-06-10 00:30+02:00", "2024-06-10 00:40+02:00", .awake)
    let result = try export.days {
      ($0.explainedDate, $0.metrics) = (CalendarDate("2024-06-10"), Set(DailyMetric.allCases))
    }
    let day = try #require(result["2024-06-10"]?.explanation)
    let stages = day.metrics.filter { $0.metric.isOfNight && $0.reading.number != nil }
    #expect(stages.map(\.metric) == [.sleepAsleep, .sleepCore, .sleepDeep])
    for stage in stages {
      #expect(stage.sources.map(\.alone) == [stage.reading.number], "\(stage.metric)")
    }
  }

  @Test func `a day alone is explained as within the whole`() throws {
    let whole = try export().days(nil) { $0.explainedDate = CalendarDate("2024-06-10") }
    let alone = try export().days(nil) {
      $0.explainedDate = CalendarDate("2024-06-10")
      ($0.firstDate, $0.lastDate) = ($0.explainedDate, $0.explainedDate)
    }
    #expect(alone.days == [whole.days[0]])
  }

  @Test func `a day without a sample is explained too, wherever it lies`() throws {
    for date in ["2024-05-01", "2024-06-20", "2030-01-01"] {
      let result = try export().days(nil) { $0.explainedDate = CalendarDate(date) }
      let day = try #require(result[date]?.explanation)
      #expect(day.metrics.allSatisfy { $0.reading == .noData && $0.sources.isEmpty })
      #expect(result.days.count == 3)
    }
    // Nothing but a refused sample.
    let result = try export().days(nil) { $0.explainedDate = CalendarDate("2024-06-12") }
    let steps = result["2024-06-12"]?.explanation?.metrics.first
    #expect(steps?.sources.map(\.leftOut) == [[.value: 1]])
  }

  @Test func `as JSON it is canonical and complete`() throws {
    let result = try export().days(nil) { $0.explainedDate = CalendarDate("2024-06-10") }
    let json = try #require(result["2024-06-10"]?.explanation?.json)
    let read = try JSONValue(parsing: json.canonicalBytes)
    #expect(read == json)
    #expect(json["metrics"]?.arrayValue?.count == 8)
    let steps = json["metrics"]?.arrayValue?.first
    #expect(steps?["sources"]?.arrayValue?.last?["covered_seconds"] == .number(300))
    #expect(json["metrics"]?.arrayValue?[1]["apple"] == .number(500))
    #expect(json["metrics"]?.arrayValue?[1]["value"] == .null)
  }

  @Test func `every metric of the day is explained, also one whose samples were all left out`()
    throws
  {
    var export = SampleExport()
    let (start, end) = ("2024-06-10 08:00+02:00", "2024-06-10 08:00+02:00")
    export.add(.dietaryWater, start, end, 250, .millilitre, mark: 1)
    export.add(.dietaryWater, start, end, 250, .millilitre, mark: 2)
    export.add(.dietaryWater, start, end, 250, .millilitre, mark: 2)
    export.add(.dietaryCaffeine, start, end, 1, .kilometre)
    let result = try export.days {
      $0.metrics.formUnion([.water, .caffeine, .weight])
      $0.explainedDate = CalendarDate("2024-06-10")
    }
    let day = try #require(result["2024-06-10"]?.explanation)
    #expect(day.metrics.map(\.metric) == DailyMetric.required + [.water, .caffeine])
    let water = try #require(day.metrics.first { $0.metric == .water })
    #expect(water.reading == .value(500))
    #expect(water.sources.map(\.samples) == [2])
    #expect(water.sources.map(\.leftOut) == [[.duplicate: 1]])
    let caffeine = try #require(day.metrics.last)
    #expect(caffeine.reading == .unsupported && caffeine.sources.map(\.leftOut) == [[.unit: 1]])
  }
}
