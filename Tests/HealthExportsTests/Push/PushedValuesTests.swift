import HealthModel
import StoreTesting
import Testing

@testable import HealthExports

/// What a push says (R57).
@Suite(.unit) struct PushedValuesTests {
  static let midnight = 1_770_505_200  // 2026-02-08T00:00:00+01:00
  private let today: CalendarDate

  init() throws { today = try #require(CalendarDate("2026-02-08")) }

  private func day(
    _ back: Int, _ numbers: [DailyMetric: Double], generated: Int? = nil
  ) -> PushedDay {
    let start = Self.midnight - back * 86_400
    return PushedDay(
      date: today.adding(days: -back) ?? today, start: start, end: start + 86_400,
      generatedAt: generated ?? start + 40_000, numbers: numbers)
  }

  private func values(
    _ days: [PushedDay], detail: PushedDetail? = nil, cache: ValueCache = ValueCache(),
    at now: Int = midnight + 50_000, on date: CalendarDate? = nil,
    selection: PushSelection = .all, hasDateLabel: Bool = false
  ) -> PushedValues {
    var cache = cache
    cache.take(days, detail)
    return PushedValues(
      at: now, today: date ?? today, days: days, detail: detail, cache: cache,
      selection: selection, hasDateLabel: hasDateLabel)
  }

  private func lines(_ values: PushedValues, _ name: String) -> [String] {
    String(decoding: values.body, as: UTF8.self).split(separator: "\n").map(String.init).filter {
      $0.hasPrefix(name + "{") || $0.hasPrefix(name + " ") || $0.contains(" \(name) ")
    }
  }

  @Test func `R57: names, help texts and types are the ones that are given`() {
    var detail = PushedDetail(date: "2026-02-08")
    detail.numbers = ["steps": 8001]
    // By itself the phone has more than the watch left to it.
    detail.totals["steps"] = ["iPhone": 6400, "Apple Watch": 5000, "all": 1]
    detail.latest["weight"] = .init(source: "Scale", value: 70.2, at: Self.midnight + 39_000)
    detail.add(.init(source: "Apple Watch", value: 72, at: Self.midnight + 30_000), hour: 8)
    detail.add(.init(source: "Apple Watch", value: 70, at: Self.midnight + 29_000), hour: 8)
    let weights: [DailyMetric: Double] = [.weight: 70.6, .weightLatest: 70.2]
    let values = values(
      [day(0, weights.merging([.steps: 8001, .activeEnergy: 500.5]) { $1 })], detail: detail)
    #expect(
      lines(values, "healthkit_steps_total") == [
        "# HELP healthkit_steps_total Total number of steps taken.",
        "# TYPE healthkit_steps_total counter",
        #"healthkit_steps_total{source="all",unit="count"} 8001"#,
        #"healthkit_steps_total{source="Apple Watch",unit="count"} 5000"#,
        #"healthkit_steps_total{source="iPhone",unit="count"} 6400"#,
      ])
    #expect(
      lines(values, "healthkit_heart_rate_bpm") == [
        "# HELP healthkit_heart_rate_bpm Current heart rate in beats per minute.",
        "# TYPE healthkit_heart_rate_bpm gauge",
        #"healthkit_heart_rate_bpm{source="Apple Watch",time_of_day="morning"} 72"#,
      ])
    #expect(
      lines(values, "healthkit_active_energy_burned_calories") == [
        "# HELP healthkit_active_energy_burned_calories Total active energy burned in calories.",
        "# TYPE healthkit_active_energy_burned_calories counter",
        #"healthkit_active_energy_burned_calories{source="all"} 500.5"#,
      ])
    #expect(
      lines(values, "healthkit_body_weight_kg") == [
        "# HELP healthkit_body_weight_kg Latest recorded body weight in kilograms.",
        "# TYPE healthkit_body_weight_kg gauge",
        #"healthkit_body_weight_kg{source="Scale"} 70.2"#,
      ])
    #expect(values.body.last == UInt8(ascii: "\n"))
  }

  @Test func `R57: a total is today's alone, and starts again at midnight`() {
    let yesterday = day(1, [.steps: 9000, .weight: 70], generated: Self.midnight + 600)
    let now = values([yesterday], at: Self.midnight + 900)
    #expect(lines(now, "healthkit_steps_total").isEmpty)
    #expect(
      lines(now, "healthkit_body_weight_kg").last
        == #"healthkit_body_weight_kg{source="all",data_age="1h"} 70"#)
    #expect(now.cached == 1)
    let later = values([yesterday, day(0, [.steps: 12])])
    #expect(lines(later, "healthkit_steps_total").last?.hasSuffix(" 12") == true)
  }

  @Test func `R57: what has no number is left out, and a kept value says how old it is`() {
    let values = values([day(30, [.weight: 71.5]), day(0, [.steps: 0])])
    #expect(lines(values, "healthkit_steps_total").last?.hasSuffix(" 0") == true)
    #expect(
      lines(values, "healthkit_body_weight_kg").last
        == #"healthkit_body_weight_kg{source="all",data_age="older"} 71.5"#)
    #expect(lines(values, "healthkit_resting_heart_rate_bpm").isEmpty)
    #expect(
      lines(values, "healthkit_data_age_seconds").filter { $0.contains("weight") }
        == [#"healthkit_data_age_seconds{metric="weight"} \#(50_000 + 30 * 86_400 - 40_000)"#])
    #expect(!String(decoding: values.body, as: UTF8.self).contains("NaN"))
  }

  @Test func `a corrected day takes the place of what was kept of it`() {
    var cache = ValueCache()
    cache.take([day(2, [.weight: 171.5])], nil)
    cache.take([day(2, [.weight: 71.5]), day(1, [:])], nil)
    #expect(cache.gauges["weight"]?.value == 71.5)
    cache.take([day(2, [:]), day(90, [.weight: 75])], nil)
    #expect(cache.gauges["weight"]?.value == 75)
    cache.take([], nil)
    #expect(cache.gauges["weight"] == nil)
  }

  @Test(arguments: [
    (0, "5m"), (300, "5m"), (301, "1h"), (3600, "1h"), (21_600, "6h"), (86_400, "1d"),
    (86_401, "7d"), (604_801, "older"),
  ])
  func `R57: ages are few words`(seconds: Int, word: String) {
    #expect(DataAge.word(seconds) == word)
    #expect(DataAge.all.contains(word))
  }

  @Test func `R57: samples of other data than the ledger's name no sources of a total`() {
    var detail = PushedDetail(date: "2026-02-08")
    detail.totals["steps"] = ["iPhone": 100]
    for (number, count) in [(100.0, 2), (100.4, 2), (102, 1)] {
      detail.numbers["steps"] = number
      let found = lines(values([day(0, [.steps: 100])], detail: detail), "healthkit_steps_total")
      #expect(found.count == 2 + count, "\(found)")
      #expect(found[2] == #"healthkit_steps_total{source="all",unit="count"} 100"#)
    }
  }

  /// 70.2 kg in the morning and 69 in the evening: the day's number is their mean.
  private func twoWeights() -> (PushedDay, PushedDetail) {
    var detail = PushedDetail(date: "2026-02-08")
    detail.latest["weight"] = .init(source: "Scale", value: 69, at: Self.midnight + 39_000)
    let numbers = [DailyMetric.weight: 69.6, .weightLatest: 69, .weightLatestTime: 650]
    return (day(0, numbers, generated: Self.midnight + 40_000), detail)
  }

  @Test func `R57: a gauge is the day's latest value, with samples and without`() {
    let (own, detail) = twoWeights()
    let head = [
      "# HELP healthkit_body_weight_kg Latest recorded body weight in kilograms.",
      "# TYPE healthkit_body_weight_kg gauge",
    ]
    let known = lines(values([own], detail: detail), "healthkit_body_weight_kg")
    #expect(known == head + [#"healthkit_body_weight_kg{source="Scale"} 69"#])
    let alone = values([own])
    #expect(
      lines(alone, "healthkit_body_weight_kg")
        == head + [#"healthkit_body_weight_kg{source="all"} 69"#])
    // Its age counts from when it was measured.
    #expect(
      lines(alone, "healthkit_data_age_seconds").filter { $0.contains("weight") }
        == [#"healthkit_data_age_seconds{metric="weight"} \#(50_000 - 39_000)"#])
  }

  @Test func `R57: without a latest value a gauge is the mean of a day, and says so`() {
    let (_, detail) = twoWeights()
    let mean = lines(
      values([day(0, [.weight: 69.6])], detail: detail), "healthkit_body_weight_kg")
    #expect(mean.first == "# HELP healthkit_body_weight_kg Weight, the mean of a day, in kg.")
    #expect(mean.last == #"healthkit_body_weight_kg{source="all"} 69.6"#)
    // A newer day decides, also if it has a mean alone.
    let later = values([day(1, [.weightLatest: 71, .weightLatestTime: 1]), day(0, [.weight: 70])])
    #expect(lines(later, "healthkit_body_weight_kg").last?.hasSuffix(" 70") == true)
  }

  @Test func `R57: samples of other data than the ledger's name no source of a latest value`() {
    var (own, detail) = twoWeights()
    detail.latest["weight"]?.value = 68
    func last() -> String? {
      lines(values([own], detail: detail), "healthkit_body_weight_kg").last
    }
    #expect(last() == #"healthkit_body_weight_kg{source="all"} 69"#)
    detail.sources["weight"] = ["Scale"]
    #expect(last() == #"healthkit_body_weight_kg{source="Scale"} 69"#)
    own = day(0, [:])
    #expect(last() == nil)
  }

  @Test func `R57: the samples of an earlier day are read once, and again when it changes`() {
    let (own, detail) = twoWeights()
    let tomorrow = today.adding(days: 1) ?? today
    let yesterday = day(1, [.bloodGlucose: 95, .heartRateMinimum: 50])
    var cache = ValueCache()
    cache.take([yesterday, own], nil)
    func toRead(_ today: CalendarDate) -> [String] {
      cache.datesToRead(before: today).map(\.description)
    }
    #expect(toRead(today) == ["2026-02-07"])
    #expect(toRead(tomorrow) == ["2026-02-08", "2026-02-07"])
    cache.take([yesterday, own], detail)
    cache.take([yesterday, own], PushedDetail(date: "2026-02-07"))
    #expect(cache.gauges["weight"]?.source == "Scale")
    #expect(toRead(tomorrow).isEmpty)
    // Read again as it was.
    cache.take([yesterday, own], nil)
    #expect(cache.gauges["weight"]?.source == "Scale")
    #expect(toRead(tomorrow).isEmpty)
    // Corrected.
    cache.take([day(1, [.bloodGlucose: 96], generated: Self.midnight), own], nil)
    #expect(toRead(tomorrow) == ["2026-02-07"])
  }

  @Test func `R57: a gauge keeps its one source after its day, until the day changes`() {
    let own = day(0, [.heartRateMinimum: 50])
    var detail = PushedDetail(date: "2026-02-08")
    detail.sources[DailyMetric.heartRateMinimum.rawValue] = ["Apple Watch"]
    var cache = ValueCache()
    cache.take([own], detail)
    cache.take([own], nil)
    #expect(cache.gauges[DailyMetric.heartRateMinimum.rawValue]?.source == "Apple Watch")
    cache.take([day(0, [.heartRateMinimum: 50], generated: Self.midnight + 50_000)], nil)
    #expect(cache.gauges[DailyMetric.heartRateMinimum.rawValue]?.source == "all")
  }

  @Test func `R57: heart rates are those of the two newest days with one, and come late too`() {
    func rates(_ back: Int, _ value: Double, hour: Int) -> PushedDetail {
      var detail = PushedDetail(date: "\(day(back, [:]).date)")
      detail.add(
        .init(source: "Apple Watch", value: value, at: day(back, [:]).start + hour * 3600),
        hour: hour)
      return detail
    }
    let days = [
      day(2, [.heartRateMean: 55]), day(1, [.steps: 1]), day(0, [.heartRateMean: 66]),
    ]
    var cache = ValueCache()
    cache.take(days, rates(0, 66, hour: 8))
    #expect(cache.datesToRead(before: today).map(\.description) == ["2026-02-06"])
    cache.take(days, rates(2, 55, hour: 20))
    #expect(cache.heartRates.mapValues(\.value) == ["morning": 66, "evening": 55])
    #expect(cache.datesToRead(before: today).isEmpty)
    // Yesterday evening's comes after today's first.
    let late = [days[0], day(1, [.heartRateMean: 61]), days[2]]
    cache.take(late, rates(0, 66, hour: 8))
    #expect(cache.datesToRead(before: today).map(\.description) == ["2026-02-07"])
    cache.take(late, rates(1, 61, hour: 19))
    #expect(cache.heartRates.mapValues(\.value) == ["morning": 66, "evening": 61])
  }

  @Test func `R57: of a month pushes keep what is the newest of it`() throws {
    let days = [
      day(0, [.steps: 5]), day(1, [.weight: 70, .heartRateMean: 60, .steps: 4]),
      day(2, [.weight: 71, .heartRateMean: 61]), day(3, [.heartRateMean: 62, .steps: 3]),
      day(4, [.weight: 72, .weightLatest: 71, .bloodGlucose: 90]),
    ]
    let month = PushedMonth("", of: days.reversed()).days
    #expect(
      month.map(\.numbers) == [
        [.steps: 5], [.weight: 70, .heartRateMean: 60], [.heartRateMean: 61],
        [.weightLatest: 71, .bloodGlucose: 90],
      ])
    // Of which the newest day decides.
    var cache = ValueCache()
    cache.take(month, nil)
    #expect(cache.gauges["weight"]?.value == 70)
  }

  @Test func `R57: only what is the latest value of a day says so`() {
    for metric in DailyMetric.allCases where metric.latestOf == nil {
      #expect(!metric.prometheusHelp().lowercased().contains("latest"), "\(metric)")
      guard metric.latest != nil else { continue }
      #expect(metric.prometheusHelp(isLatest: true).hasPrefix("Latest "), "\(metric)")
      #expect(metric.prometheusHelp(isLatest: nil).contains(", a day's latest or mean"))
      #expect(metric.prometheusType == .gauge)
    }
  }

  @Test func `R57: a latest value is pushed in the gauge of its metric alone`() throws {
    let (own, _) = twoWeights()
    let chosen = try PushSelection(parsing: "weight_latest")
    #expect(chosen.metrics == [.weight])
    #expect(!PushSelection.all.metrics.contains { $0.latestOf != nil })
    let names = values([own]).names.filter { $0.contains("weight") }
    #expect(names == ["healthkit_body_weight_kg"])
  }

  @Test func `R57: metrics are chosen and left out by their keys`() throws {
    let days = [day(0, [.steps: 1, .weight: 2, .activeEnergy: 3])]
    let chosen = try PushSelection(parsing: "steps,weight").without(.init(parsing: "weight"))
    let names = values(days, selection: chosen).names
    #expect(
      names == [
        "healthkit_steps_total", PushNames.dataAge, PushNames.dayStart,
        PushNames.revisionGenerated,
      ])
    #expect(throws: MetricSelection.Failure.unknown("stepps")) {
      try PushSelection(parsing: "stepps")
    }
    #expect(try PushSelection(parsing: "all") == .all)
    #expect(try PushSelection(parsing: "v0, heart_rate").hasHeartRate)
    #expect(
      values(days, selection: .none).names == [PushNames.dayStart, PushNames.revisionGenerated])
  }

  @Test func `R57: a date is a label only if it was asked for`() {
    let days = [day(0, [.steps: 1]), day(1, [.weight: 70])]
    #expect(!String(decoding: values(days).body, as: UTF8.self).contains("date="))
    let dated = values(days, hasDateLabel: true)
    #expect(
      lines(dated, "healthkit_steps_total").last
        == #"healthkit_steps_total{source="all",unit="count",date="2026-02-08"} 1"#)
    #expect(lines(dated, "healthkit_body_weight_kg").last?.contains(#"date="2026-02-07""#) == true)
  }

  @Test(arguments: [
    ("Ann's Apple Watch", "Watch6,2", "Apple Watch"), ("Ann’s iPhone", "iPhone15,2", "iPhone"),
    ("Ann's iPhone", "", "iPhone"), ("MyFitnessApp", "", "MyFitnessApp"),
    ("MyFitnessApp", "iPhone15,2", "iPhone"), ("iPhone|Watch", "", "all"), ("", "", "unknown"),
  ])
  func `R57: a source is its kind of device, or the name of an app`(
    name: String, hardware: String, label: String
  ) {
    #expect(SourceLabel.text(name: name, hardware: hardware) == label)
  }

  @Test func `R57: workouts are totals by activity`() {
    var detail = PushedDetail(date: "2026-02-08")
    for energy in [100.0, 50] {
      detail.add(
        Workout(
          id: "\(energy)", activity: "Running", start: 0, end: 1800, duration: nil,
          source: "Ann's Apple Watch", figures: [.activeEnergy: energy]))
    }
    let values = values([day(0, [.steps: 1])], detail: detail)
    #expect(
      lines(values, PushNames.workoutMinutes).last
        == #"healthkit_workout_minutes_total{source="Apple Watch",activity="Running"} 60"#)
    #expect(lines(values, PushNames.workoutCalories).last?.hasSuffix(" 150") == true)
  }

  @Test func `R57: without a number there is nothing to push`() {
    #expect(values([]).families.isEmpty && values([]).body.isEmpty)
    // How fresh a day without numbers is, is known all the same.
    #expect(values([day(9, [:])]).names == [PushNames.dayStart, PushNames.revisionGenerated])
  }

  @Test(arguments: 0..<24)
  func `R57: the hour of the clock decides the time of day`(hour: Int) {
    let expected: TimeOfDay =
      hour < 6 ? .night : hour < 12 ? .morning : hour < 18 ? .afternoon : .evening
    #expect(TimeOfDay(hour: hour) == expected)
  }
}
