import HealthSources
import Testing

/// Totals of every fixture, worked out by hand.
@Suite(.unit) struct FixtureTests {
  private func read(_ name: String, _ zone: String) throws -> SourceResult {
    try SourceDocument.days(from: Payloads.fixture(name), timeZoneName: zone)
  }

  @Test func `an empty data object yields no day and says so`() throws {
    let result = try read("empty_data_5", "Asia/Singapore")
    #expect(result.days.isEmpty)
    #expect(result.notes == ["the payload has no metrics"])
  }

  @Test func `12-hour dates with a narrow no-break space, in either case`() throws {
    // Asleep 6.108333 h * 60 = 366.49998; in bed 6.809729 h * 60 = 408.58374.
    // Energy at 00:04 and 12:05: (0.768567 + 0.377848) kJ = 1.146415 / 4.184 = 0.27399976 kcal.
    let result = try read("hae_pre662_12h_narrow_nbsp", "Asia/Singapore")
    #expect(
      result.table == [
        "2021-12-18": [
          "sleep_asleep_minutes": "366.49998", "sleep_in_bed_minutes": "408.58374",
          "active_energy_kcal": "0.274",
        ]
      ])
    #expect(result.notes.isEmpty)
  }

  @Test func `daily aggregated rows`() throws {
    // 2092 kJ / 4.184 = 500 kcal; totalSleep 6.8 h = 408 min (asleep is 0: no unspecified stage);
    // in bed 7.4 h = 444 min; steps and pulse lose what rounding of doubles added.
    let result = try read("hae_v2_daily_aggregated", "Europe/Berlin")
    #expect(
      result.table == [
        "2024-06-10": [
          "steps": "7369.0", "active_energy_kcal": "500.0", "exercise_minutes": "34.0",
          "stand_hours": "12.0", "resting_hr_avg": "62.0", "hrv_sdnn_avg": "59.77155",
          "sleep_asleep_minutes": "408.0", "sleep_in_bed_minutes": "444.0",
        ],
        "2024-06-11": ["steps": "10012.0"],
      ])
    #expect(
      result.optionalTable == [
        "2024-06-10": [
          "heart_rate_min": 52, "heart_rate_avg": 74.6131, "heart_rate_max": 116,
          "sleep_core_minutes": 246, "sleep_deep_minutes": 66, "sleep_rem_minutes": 96,
          "sleep_awake_minutes": 18,
        ]
      ])
    #expect(result.notes.isEmpty)
    #expect(result.days.allSatisfy { $0.timeZoneName == "Europe/Berlin" && $0.notes.isEmpty })
  }

  @Test func `unaggregated rows of a watch and a phone`() throws {
    // 08:00: the watch's 120, not the phone's 118; 08:01: only the phone, 40. 25 exercise rows of
    // 1 min; 12 stood hours. Stages 23:10 to 06:16 are 426 min, less 10 awake: 416. In bed 22:55
    // to 06:20: 445.
    let result = try read("hae_v2_unaggregated", "Europe/Berlin")
    #expect(
      result.table == [
        "2024-06-10": [
          "steps": "160.0", "exercise_minutes": "25.0", "stand_hours": "12.0",
          "sleep_asleep_minutes": "416.0", "sleep_in_bed_minutes": "445.0",
        ]
      ])
    #expect(result.notes == ["step_count: what several sources saw at once was counted once"])
  }

  @Test(arguments: ["marshal_aggregated_sleep_analysis_3", "unmarshal_aggregated_sleep_analysis_8"])
  func `the old aggregated sleep`(name: String) throws {
    // 6.108333333333333 h * 60 = 366.5; 6.809728874299261 h * 60 = 408.58373245795566.
    #expect(
      try read(name, "Asia/Singapore").table == [
        "2021-12-18": ["sleep_asleep_minutes": "366.5", "sleep_in_bed_minutes": "408.583732"]
      ])
  }

  @Test func `unaggregated sleep is counted by its interval and not by its qty`() throws {
    // 02:21:06 to 08:57:06 are 6 h 36 min = 396 min.
    #expect(
      try read("marshal_non_aggregated_sleep_analysis_4", "Asia/Singapore").table == [
        "2021-12-18": ["sleep_asleep_minutes": "396.0"]
      ])
  }

  @Test(arguments: ["marshal_metrics_1", "unmarshal_metrics_6"])
  func `energy by the minute, beside a metric whose data is null or empty`(name: String) throws {
    // (0.7685677437484512 + 0.377848256251549) kJ = 1.146416 / 4.184 = 0.274 kcal.
    #expect(
      try read(name, "Asia/Singapore").table == ["2021-12-24": ["active_energy_kcal": "0.274"]])
    // 00:04 in Singapore is 17:04 of the day before in Berlin.
    #expect(
      try read(name, "Europe/Berlin").table == ["2021-12-23": ["active_energy_kcal": "0.274"]])
  }

  @Test func `the aggregated metrics of a specification`() throws {
    // 14:30 in California is 22:30 UTC. Deep 1.5 h, REM 2 h, core 3.5 h.
    let result = try read("freereps_spec_metrics_aggregated", "America/Los_Angeles")
    #expect(
      result.table == [
        "2024-02-06": [
          "resting_hr_avg": "58.0", "sleep_asleep_minutes": "450.0",
          "sleep_in_bed_minutes": "480.0",
        ]
      ])
    #expect(
      result.optionalTable == [
        "2024-02-06": [
          "heart_rate_min": 65, "heart_rate_avg": 72, "heart_rate_max": 85,
          "blood_pressure_systolic": 120, "blood_pressure_diastolic": 80,
          "sleep_core_minutes": 210, "sleep_deep_minutes": 90, "sleep_rem_minutes": 120,
        ]
      ])
  }

  @Test func `a raw row of sleep that also carries a night's sums is a sample`() throws {
    let result = try read("freereps_spec_sleep_unaggregated", "America/Los_Angeles")
    #expect(result.table == ["2024-02-06": ["sleep_asleep_minutes": "30.0"]])
    #expect(result.optionalTable == ["2024-02-06": ["sleep_core_minutes": 30]])
  }

  @Test func `heart rates with one number are least, mean and greatest`() throws {
    let result = try read("po4yka_rest_iso_dates", "UTC")
    #expect(
      result.optionalTable == [
        "2026-01-30": ["heart_rate_min": 72, "heart_rate_avg": 73.5, "heart_rate_max": 75]
      ])
  }

  @Test(arguments: ["marshal_workouts_2", "unmarshal_workouts_7"])
  func `a payload of workouts alone yields no day and says so`(name: String) throws {
    let result = try read(name, "Asia/Singapore")
    #expect(result.days.isEmpty)
    #expect(result.notes == ["the payload has no metrics", "1 workout was not used"])
  }
}
