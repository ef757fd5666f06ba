import HealthModel
import HealthSources
import Testing

/// The optional metrics, shape by shape.
@Suite(.unit) struct PayloadOptionalMetricTests {
  private func optional(_ series: [(name: String, units: String, rows: [String])]) throws
    -> [String: Double]
  {
    let table = try Payloads.days(Payloads.export(series)).optionalTable
    #expect(table.count <= 1)
    return table["2024-06-10"] ?? [:]
  }

  private func notes(_ series: [(name: String, units: String, rows: [String])]) throws -> [String] {
    try Payloads.days(Payloads.export(series)).notes
  }

  @Test func `R19: a payload speaks of the metrics that have a number on each of its days`()
    throws
  {
    let weight = (
      name: "weight_body_mass", units: "kg", rows: [Payloads.row("2024-06-09 08:00:00 +0200", "80")]
    )
    let steps = (
      name: "step_count", units: "count", rows: [Payloads.row("2024-06-10 08:00:00 +0200", "80")]
    )
    let both = try Payloads.days(Payloads.export([weight, steps]))
    #expect(both.days.map { "\($0.date)" } == ["2024-06-09", "2024-06-10"] && both.notes.isEmpty)
    #expect(
      both.days.map(\.speaksOf) == [[.weight, .weightLatest, .weightLatestTime], [.steps]])
  }

  @Test(arguments: SampleKind.allCases.flatMap { kind in kind.payloadNames.map { (kind, $0) } })
  func `R42: each name of the catalogue is read, in the unit in which its kind is counted`(
    kind: SampleKind, name: String
  ) throws {
    guard kind != .sleepAnalysis else { return }
    let unit = kind.unit == .none ? "count" : kind.unit.rawValue
    let row = Payloads.row("2024-06-10 08:30:00 +0200", "1")
    let result = try Payloads.days(Payloads.export([(name, unit, [row])]))
    #expect(result.notes == [])
    let metrics = DailyMetric.allCases.filter { $0.kind == kind }
    #expect(!metrics.isEmpty)
    for metric in metrics {
      let day = try #require(result.days.first)
      #expect(day.readings[metric] == .value(metric.aggregation == .latestTime ? 510 : 1))
    }
  }

  @Test(arguments: [
    ("environmental_audio_exposure", "dBASPL", "\"Avg\":72", "environmental_sound", 72),
    (
      "environmental_audio_exposure", "dBASPL", "\"Min\":50,\"Avg\":72,\"Max\":90",
      "environmental_sound", 72
    ),
    ("weight_body_mass", "kg", "\"Min\":80,\"Avg\":80.5,\"Max\":81", "weight", 80.5),
    ("underwater_depth", "m", "\"Avg\":3,\"Max\":6.5", "underwater_depth_max", 6.5),
    ("blood_oxygen_saturation", "%", "\"avg\":0,\"Avg\":97", "oxygen_saturation", 97),
    ("heart_rate", "count/min", "\"Avg\":68", "heart_rate_avg", 68),
  ])
  func `R42: rows of averages, least and greatest numbers are read for any metric that has them`(
    name: String, unit: String, members: String, metric: String, number: Double
  ) throws {
    for time in ["08:30:00", "00:00:00"] {
      let row = "{\"date\":\"2024-06-10 \(time) +0200\",\(members)}"
      let result = try Payloads.days(Payloads.export([(name, unit, [row])]))
      #expect(
        result.days.map { day in DailyMetric(rawValue: metric).flatMap { day.readings[$0]?.number }
        } == [number])
    }
    // An average says nothing of a sum.
    let steps = "{\"date\":\"2024-06-10 08:30:00 +0200\",\"Avg\":5}"
    #expect(throws: SourceError.self) {
      try Payloads.days(Payloads.export([("step_count", "count", [steps])]))
    }
  }

  @Test(arguments: [
    ("weight_body_mass", "lb", "180", "weight", 81.646627),
    ("weight_body_mass", "st", "12", "weight", 76.203518),
    ("waist_circumference", "in", "32", "waist", 81.28),
    ("walking_step_length", "in", "27.5", "walking_step_length", 69.85),
    ("walking_running_distance", "km", "5.2", "distance_walking_running", 5200),
    ("walking_running_distance", "mi", "3", "distance_walking_running", 4828.032),
    ("swimming_distance", "yd", "100", "distance_swimming", 91.44),
    ("walking_speed", "mi/hr", "3", "walking_speed", 4.828032),
    ("running_speed", "mph", "6", "running_speed", 9.656064),
    ("stair_speed_up", "ft/s", "1", "stair_speed_up", 0.3048),
    ("basal_energy_burned", "kJ", "7531.2", "basal_energy", 1800),
    ("dietary_energy", "cal", "500000", "dietary_energy", 500),
    ("dietary_water", "fl_oz", "8", "water", 236.588237),
    ("Dietary Water", "fl_oz_us", "8", "water", 236.588237),
    ("dietary_water", "L", "1.5", "water", 1500),
    ("apple_sleeping_wrist_temperature", "degF", "95", "wrist_temperature", 35),
    ("body_temperature", "°C", "36.6", "body_temperature", 36.6),
    ("blood_glucose", "mmol/L", "5", "blood_glucose", 90.07794),
    ("blood_glucose", "mg/dL", "90", "blood_glucose", 90),
    ("vo2_max", "ml/(kg·min)", "41", "vo2_max", 41),
    ("vo2max", "mL/min·kg", "41", "vo2_max", 41),
    ("respiratory_rate", "bpm", "14", "respiratory_rate", 14),
    ("walking_heart_rate", "count/min", "99", "walking_hr_avg", 99),
    ("blood_oxygen_saturation", "%", "96.5", "oxygen_saturation", 96.5),
    ("body_fat_percentage", "%", "0.9", "body_fat", 0.9),
    ("physical_effort", "MET", "3.3", "physical_effort", 3.3),
    ("apple_stand_time", "hr", "2", "stand_minutes", 120),
    ("height", "ft", "6", "height", 182.88),
    ("Dietary Biotin", "mcg", "30", "biotin", 30),
    ("vitamin_d", "µg", "12", "vitamin_d", 12),
    ("number_of_times_fallen", "falls", "1", "falls", 1),
  ])
  func `metric and imperial units are converted, and percent stay percent`(
    name: String, unit: String, quantity: String, key: String, value: Double
  ) throws {
    for time in ["00:00:00", "08:30:00"] {
      let row = Payloads.row("2024-06-10 \(time) +0200", quantity)
      #expect(try optional([(name, unit, [row])]) == [key: value])
    }
  }

  @Test func `heart rate: the least of Min, the greatest of Max, the mean of Avg`() throws {
    let hours = [
      "{\"date\":\"2024-06-10 08:00:00 +0200\",\"Min\":51,\"Avg\":60,\"Max\":70}",
      "{\"date\":\"2024-06-10 09:00:00 +0200\",\"Min\":55,\"Avg\":80,\"Max\":140}",
      "{\"date\":\"2024-06-10 10:00:00 +0200\",\"qty\":100}",
    ]
    #expect(
      try optional([("heart_rate", "bpm", hours)]) == [
        "heart_rate_min": 51, "heart_rate_avg": 80, "heart_rate_max": 140,
      ])
    // A whole day beats samples of it; its one number is a mean, and no extreme.
    let day = ["{\"date\":\"2024-06-10 00:00:00 +0200\",\"qty\":71}"]
    #expect(try optional([("heart_rate", "bpm", day)]) == ["heart_rate_avg": 71])
    #expect(
      try optional([("heart_rate", "bpm", hours), ("heart_rate", "bpm", day)]) == [
        "heart_rate_min": 51, "heart_rate_avg": 71, "heart_rate_max": 140,
      ])
  }

  @Test func `blood pressure counts in pairs; one number without the other is reported`() throws {
    func row(_ time: String, _ members: String) -> String {
      "{\"date\":\"2024-06-10 \(time):00 +0200\",\"source\":\"Cuff\",\(members)}"
    }
    let pair = row("08:05", "\"systolic\":118,\"diastolic\":76")
    let other = row("08:05", "\"systolic\":118,\"diastolic\":80")
    let alone = row("09:00", "\"systolic\":180")
    let lower = row("10:00", "\"systolic\":null,\"diastolic\":60")
    // The two readings of 08:05 are two; the first one given twice is one.
    #expect(
      try optional([("blood_pressure", "mmHg", [pair, other, pair, alone, lower])]) == [
        "blood_pressure_systolic": 118, "blood_pressure_diastolic": 78,
      ])
    #expect(
      try notes([("blood_pressure", "mmHg", [pair, alone, lower])]) == [
        "blood_pressure: 2 rows were left out; the first: "
          + "/data/metrics/0/data/1: systolic without diastolic"
      ])
    #expect(
      try optional([("blood_pressure", "kPa", [row("08:05", "\"systolic\":16,\"diastolic\":10")])])
        == ["blood_pressure_systolic": 120.009852, "blood_pressure_diastolic": 75.006158])
  }

  @Test func `R18: a latest value is of rows that are samples, and of no mean`() throws {
    let rows = [
      Payloads.row("2024-06-10 19:05:00 +0200", "69"),
      Payloads.row("2024-06-10 07:00:00 +0200", "70.2"),
    ]
    func latest(_ rows: [String]...) throws -> [String: Double]? {
      let series = rows.map { (name: "weight_body_mass", units: "kg", rows: $0) }
      return try Payloads.days(Payloads.export(series)).latestTable["2024-06-10"]
    }
    #expect(try latest(rows) == ["weight_latest": 69, "weight_latest_time": 1145])
    let whole = [Payloads.row("2024-06-10 00:00:00 +0200", "69.6")]
    #expect(try latest(whole) == nil)
    #expect(try latest(["{\"date\":\"2024-06-10 19:05:00 +0200\",\"Avg\":69.6}"]) == nil)
    let pressure = """
      {"data":{"metrics":[{"name":"blood_pressure","units":"mmHg","data":[
      {"date":"2024-06-10 08:00:00 +0200","systolic":120,"diastolic":85},
      {"date":"2024-06-10 07:30:00 +0200","systolic":130,"diastolic":80}]}]}}
      """
    #expect(
      try Payloads.days(pressure).latestTable["2024-06-10"] == [
        "blood_pressure_systolic_latest": 120, "blood_pressure_diastolic_latest": 85,
        "blood_pressure_latest_time": 480,
      ])
  }

  @Test func `meals add up, also equal ones, and so do doses of whatever reason`() throws {
    func row(_ time: String, _ quantity: String, _ more: String) -> String {
      "{\"date\":\"2024-06-10 \(time):00 +0200\",\"qty\":\(quantity),\(more)}"
    }
    let meals = [
      row("08:00", "30", "\"source\":\"A\""), row("08:00", "30", "\"source\":\"B\""),
      row("08:00", "30", "\"source\":\"A\""), row("12:00", "50.5", "\"source\":\"A\""),
    ]
    #expect(try optional([("carbohydrates", "g", meals)]) == ["carbohydrates": 140.5])
    let doses = [
      row("08:00", "4", "\"reason\":\"Bolus\""), row("22:00", "12", "\"reason\":\"Basal\""),
    ]
    #expect(try optional([("insulin_delivery", "IU", doses)]) == ["insulin": 16])
    let glucose = [
      row("08:00", "90", "\"mealTime\":\"Before Meal\""),
      row("10:00", "130", "\"mealTime\":\"After Meal\""),
    ]
    #expect(try optional([("blood_glucose", "mg/dL", glucose)]) == ["blood_glucose": 110])
  }

  @Test func `mindful minutes are a union, by qty or from start to end`() throws {
    let rows = [
      Payloads.row("2024-06-10 06:00:00 +0200", "10"),
      Payloads.row("2024-06-10 06:05:00 +0200", "10", "Other"),
      "{\"start\":\"2024-06-10 20:00:00 +0200\",\"end\":\"2024-06-10 20:12:30 +0200\"}",
    ]
    #expect(try optional([("mindful_minutes", "min", rows)]) == ["mindful_minutes": 27.5])
    let day = Payloads.row("2024-06-10 00:00:00 +0200", "27.5")
    #expect(try optional([("mindful_minutes", "min", [day])]) == ["mindful_minutes": 27.5])
  }

  @Test func `sound is averaged by energy`() throws {
    let rows = [
      Payloads.span("2024-06-10 06:00:00 +0200", "2024-06-10 07:00:00 +0200", "90"),
      Payloads.span("2024-06-10 08:00:00 +0200", "2024-06-10 09:00:00 +0200", "40"),
    ]
    // 10 log10((10^9 + 10^4) / 2) = 86.989743.
    #expect(
      try optional([("environmental_audio_exposure", "dBASPL", rows)]) == [
        "environmental_sound": 86.989743
      ])
  }

  @Test func `the stages of raw samples and of summaries of one night are the same`() throws {
    let raw = [
      Payloads.sleep("2024-06-09 23:00:00 +0200", "2024-06-10 01:00:00 +0200", "Core"),
      Payloads.sleep("2024-06-10 01:00:00 +0200", "2024-06-10 02:30:00 +0200", "Tief"),
      Payloads.sleep("2024-06-10 02:30:00 +0200", "2024-06-10 02:45:00 +0200", "Awake"),
      Payloads.sleep("2024-06-10 02:45:00 +0200", "2024-06-10 04:00:00 +0200", "REM"),
    ]
    let summary = """
      {"date":"2024-06-10 00:00:00 +0200","sleepStart":"2024-06-09 23:00:00 +0200",\
      "sleepEnd":"2024-06-10 04:00:00 +0200","totalSleep":4.75,"asleep":0,"core":2,"deep":1.5,\
      "rem":1.25,"awake":0.25,"inBed":0}
      """
    let stages = [
      "sleep_core_minutes": 120.0, "sleep_deep_minutes": 90, "sleep_rem_minutes": 75,
      "sleep_awake_minutes": 15,
    ]
    for rows in [raw, [summary], raw + [summary]] {
      let series = [(name: "sleep_analysis", units: "hr", rows: rows)]
      #expect(try optional(series) == stages)
      #expect(
        try Payloads.days(Payloads.export(series)).table == [
          "2024-06-10": ["sleep_asleep_minutes": "285.0"]
        ])
    }
    // A 0 beside others says that HealthKit had no sample; samples hide a summary's stages.
    let unstaged = summary.replacing("\"deep\":1.5", with: "\"deep\":0")
    #expect(
      try optional([("sleep_analysis", "hr", [unstaged])])["sleep_deep_minutes"] == nil)
    #expect(
      try optional([("sleep_analysis", "hr", [summary, raw[0]])]) == ["sleep_core_minutes": 120])
  }

  @Test
  func `weights a week apart are days where the payload is by day, and told where it may not be`()
    throws
  {
    let weights = ["2024-06-03", "2024-06-10", "2024-06-17"].map {
      Payloads.row("\($0) 00:00:00 +0200", "80")
    }
    let series = (name: "weight_body_mass", units: "kg", rows: weights)
    #expect(
      try notes([series]) == [
        "weight_body_mass: the rows are weeks or months; export it by day: 3 rows were left out"
      ])
    let steps = ["2024-06-09", "2024-06-10"].map { Payloads.row("\($0) 00:00:00 +0200", "100") }
    let both = try Payloads.days(Payloads.export([series, ("step_count", "count", steps)]))
    #expect(both.notes == [])
    #expect(both.optionalTable.count == 3)
  }

  @Test func `what nothing is made of is named with its count`() throws {
    let text = """
      {"data":{"metrics":[{"name":"handwashing","units":"s","data":[{},{}]},
      {"name":"toothbrushing","units":"s","data":null}],
      "stateOfMind":[{},{},{}],"ecg":[{}],"symptoms":[],"medications":null}}
      """
    let result = try Payloads.days(text)
    #expect(result.days.isEmpty)
    #expect(
      result.notes == [
        "2 metrics were not used: handwashing (2 rows), toothbrushing (0 rows)",
        "not used beside the metrics: ecg (1 entry), stateOfMind (3 entries)",
      ])
    // Automations send one type alone.
    let alone = try Payloads.days("{\"data\":{\"heartRateNotifications\":[{\"start\":1.5}]}}")
    #expect(alone.notes.last == "not used beside the metrics: heartRateNotifications (1 entry)")
  }

  @Test func `12-hour dates, sources of many kinds, and duplicates of one source and date`() throws
  {
    let rows = [
      Payloads.row("2024-06-10 12:10:00\u{202F}am +0200", "80", ""),
      Payloads.row("2024-06-10 7:10:00 PM +0200", "81", "Scale\u{A0}1"),
    ]
    #expect(try optional([("weight_body_mass", "kg", rows)]) == ["weight": 80.5])
    let days = [
      Payloads.row("2024-06-10 00:00:00 +0200", "80", "A|B"),
      Payloads.row("2024-06-10 00:00:00 +0200", "81", "A|B"),
    ]
    #expect(try optional([("weight_body_mass", "kg", days)]) == ["weight": 81])
  }

  @Test func `metrics that were not asked for are not read`() throws {
    var options = PayloadOptions()
    options.metrics = Set(DailyMetric.required + [.weight])
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin", options: options)
    let text = Payloads.export([
      ("weight_body_mass", "kg", [Payloads.row("2024-06-10 08:00:00 +0200", "80")]),
      ("heart_rate", "bpm", [Payloads.row("2024-06-10 08:00:00 +0200", "80")]),
      (
        "sleep_analysis", "hr",
        [Payloads.sleep("2024-06-09 23:00:00 +0200", "2024-06-10 01:00:00 +0200", "Core")]
      ),
    ])
    try series.add(SourceDocument(parsing: Array(text.utf8)))
    let result = try series.result()
    #expect(result.optionalTable == ["2024-06-10": ["weight": 80]])
    #expect(result.table == ["2024-06-10": ["sleep_asleep_minutes": "120.0"]])
    #expect(result.notes.isEmpty)
  }
}
