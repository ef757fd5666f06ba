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
    _ days: [PushedDay], details: [PushedDetail] = [], at now: Int = midnight + 50_000,
    selection: PushSelection = .all, hasDateLabel: Bool = false
  ) -> PushedValues {
    var stored = NewestValues(days)
    for detail in details { stored.name(by: detail) }
    return PushedValues(
      at: now, today: today, stored, details, selection: selection, hasDateLabel: hasDateLabel)
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
      [day(0, weights.merging([.steps: 8001, .activeEnergy: 500.5]) { $1 })], details: [detail])
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

  @Test func `R57: the values are those of the newest days, in whatever order they come`() {
    let days = [
      day(0, [.steps: 5]), day(1, [.weight: 70, .heartRateMean: 60, .steps: 4]),
      day(2, [.weight: 71, .heartRateMean: 61]), day(3, [.heartRateMean: 62, .steps: 3]),
      day(4, [.weight: 72, .weightLatest: 71, .bloodGlucose: 90]),
    ]
    var random = SplitMix64(seed: 57)
    for _ in 0..<20 {
      var stored = NewestValues()
      for month in [days[0..<2], days[2...]].shuffled(using: &random) {
        stored.add(NewestValues(month.shuffled(using: &random)))
      }
      #expect(
        stored.gauges.mapValues(\.value) == [
          "weight": 70, "heart_rate_avg": 60, "blood_glucose": 90,
        ])
      #expect(stored.newest?.date == today)
      #expect(stored.daysToRead(today).map(\.date) == [0, 1, 2].map { days[$0].date })
    }
    #expect(NewestValues(days).daysToRead(days[1].date).map(\.date) == [days[2].date])
  }

  @Test(arguments: [
    (0, "5m"), (300, "5m"), (301, "1h"), (3600, "1h"), (21_600, "6h"), (86_400, "1d"),
    (86_401, "7d"), (604_801, "older"),
  ])
  func `R57: ages are few words`(seconds: Int, word: String) {
    #expect(DataAge.word(seconds) == word)
    #expect(DataAge.all.contains(word))
  }

  @Test func `R57: where samples are of other data, a total has the ledger's own sources`() {
    var own = day(0, [.steps: 100])
    var detail = PushedDetail(date: "2026-02-08")
    detail.totals["steps"] = ["iPhone": 100]
    let known = ["apple_health_export": 100.0, "health_auto_export": 80]
    for (number, bySource, rest) in [
      (100.0, known, ["iPhone\",unit=\"count\"} 100"]),
      (100.4, [:], ["iPhone\",unit=\"count\"} 100"]),
      (102, [:], []),
      (
        102, known,
        [
          "apple_health_export\",unit=\"count\"} 100", "health_auto_export\",unit=\"count\"} 80",
        ]
      ),
    ] {
      detail.numbers["steps"] = number
      own.bySource[.steps] = bySource
      let found = lines(values([own], details: [detail]), "healthkit_steps_total").dropFirst(2)
      #expect(
        Array(found) == [#"healthkit_steps_total{source="all",unit="count"} 100"#]
          + rest.map { #"healthkit_steps_total{source=""# + $0 })
    }
  }

  @Test func `R57: a day names the sources of its numbers as its words do`() throws {
    let start = Timestamp(secondsSince1970: Self.midnight)
    let reporting = try ReportingDay(date: today, timeZoneName: "Europe/Berlin")
    func word(_ source: DataSource, _ metric: DailyMetric, _ number: Double, _ hour: Int) -> Word {
      let group = WordGroup(of: metric)
      return Word(
        source, group, group.metrics.map { $0 == metric ? .value(number) : .noData },
        zone: "Europe/Berlin", capturedAt: start.adding(seconds: (24 + hour) * 3600))
    }
    func pushed(_ words: [Word]) -> PushedDay {
      var revision = DailyRevision(
        day: reporting, generatedAt: start.adding(seconds: 40 * 3600), capturedAt: nil,
        collector: nil, readings: Fold(DayWords(words)).readings)
      revision.words = DayWords(words)
      return PushedDay(revision)
    }
    let export = word(.appleHealthExport, .steps, 8000, 2)
    let one = pushed([export])
    #expect(one.shown == [.steps: "apple_health_export"])
    #expect(one.bySource == [.steps: ["apple_health_export": 8000]])
    let several = pushed([
      export, word(.healthAutoExport, .steps, 5000, 1), word(.metricsJSON, .weight, 70, 3),
    ])
    #expect(several.shown == [.steps: "apple_health_export", .weight: "metrics_json"])
    #expect(
      several.bySource[.steps] == ["apple_health_export": 8000, "health_auto_export": 5000])
    #expect(
      lines(values([several]), "healthkit_body_weight_kg").last
        == #"healthkit_body_weight_kg{source="metrics_json"} 70"#)
    // A document without words does not say whose its numbers are.
    let unknown = pushed([word(.unknown, .steps, 8000, 2)])
    #expect(unknown.shown.isEmpty && unknown.bySource[.steps]?.isEmpty != false)
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
    let known = lines(values([own], details: [detail]), "healthkit_body_weight_kg")
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
      values([day(0, [.weight: 69.6])], details: [detail]), "healthkit_body_weight_kg")
    #expect(mean.first == "# HELP healthkit_body_weight_kg Weight, the mean of a day, in kg.")
    #expect(mean.last == #"healthkit_body_weight_kg{source="all"} 69.6"#)
    // A newer day decides, also if it has a mean alone.
    let later = values([day(1, [.weightLatest: 71, .weightLatestTime: 1]), day(0, [.weight: 70])])
    #expect(lines(later, "healthkit_body_weight_kg").last?.hasSuffix(" 70") == true)
  }

  @Test func `R57: where samples are of other data, a gauge has the ledger's own source`() {
    var (own, detail) = twoWeights()
    detail.sources["weight"] = ["Scale"]
    detail.latest["weight"]?.value = 68
    func last() -> String? {
      lines(values([own], details: [detail]), "healthkit_body_weight_kg").last
    }
    #expect(last() == #"healthkit_body_weight_kg{source="all"} 69"#)
    own.shown[.weightLatest] = "health_auto_export"
    #expect(last() == #"healthkit_body_weight_kg{source="health_auto_export"} 69"#)
    own = day(0, [:])
    #expect(last() == nil)
  }

  @Test func `R57: a day's own number has the one source of its samples, if they give it`() {
    var detail = PushedDetail(date: "2026-02-08")
    (detail.numbers["heart_rate_min"], detail.sources["heart_rate_min"]) = (50, ["Apple Watch"])
    func source(_ number: Double) -> String? {
      let day = day(0, [.heartRateMinimum: number])
      return lines(values([day], details: [detail]), "healthkit_heart_rate_min_bpm").last
    }
    #expect(source(50) == #"healthkit_heart_rate_min_bpm{source="Apple Watch"} 50"#)
    #expect(source(49) == #"healthkit_heart_rate_min_bpm{source="all"} 49"#)
    detail.sources["heart_rate_min"]?.insert("Strap")
    #expect(source(50) == #"healthkit_heart_rate_min_bpm{source="all"} 50"#)
  }

  @Test func `R57: what is remembered counts where the days at hand say nothing`() {
    let (own, detail) = twoWeights()
    var before = NewestValues([own, day(1, [.bloodGlucose: 95]), day(9, [.vo2Max: 40])])
    before.name(by: detail)
    var stored = NewestValues([own, day(1, [:])])
    stored.remember(before.gauges, besides: [own, day(1, [:])])
    // The same weight is still the scale's; the glucose was taken back; the last is of a day before.
    #expect(stored.gauges["weight"]?.source == "Scale")
    #expect(Set(stored.gauges.keys) == ["weight", "vo2_max"])
    let corrected = day(0, [.weight: 70, .weightLatest: 70])
    stored = NewestValues([corrected])
    stored.remember(before.gauges, besides: [corrected])
    #expect(stored.gauges["weight"]?.value == 70 && stored.gauges["weight"]?.source == "all")
  }

  @Test func `R57: of each time of day the newest heart rate is pushed`() {
    func rates(_ back: Int, _ values: [Int: Double]) -> PushedDetail {
      var detail = PushedDetail(date: "\(day(back, [:]).date)")
      for (hour, value) in values {
        let at = day(back, [:]).start + hour * 3600
        detail.add(.init(source: "Apple Watch", value: value, at: at), hour: hour)
      }
      return detail
    }
    let pushed = values(
      [day(1, [.heartRateMean: 55]), day(0, [.heartRateMean: 66])],
      details: [rates(0, [8: 66]), rates(1, [8: 50, 20: 55])])
    #expect(
      lines(pushed, PushNames.heartRate).dropFirst(2) == [
        #"healthkit_heart_rate_bpm{source="Apple Watch",time_of_day="morning"} 66"#,
        #"healthkit_heart_rate_bpm{source="Apple Watch",time_of_day="evening",data_age="1d"} 55"#,
      ])
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
    let values = values([day(0, [.steps: 1])], details: [detail])
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
