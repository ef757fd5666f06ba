import HealthModel
import HealthSources
import Testing

/// Workouts and periods of sleep of payloads.
@Suite(.unit) struct PayloadRecordTests {
  private func read(
    _ texts: [[UInt8]], zone: String = "Europe/Berlin"
  ) throws -> (records: [DayRecords], notes: [String]) {
    var options = PayloadOptions()
    options.keepsRecords = true
    var series = try PayloadSeries(timeZoneName: zone, options: options)
    for text in texts { try series.add(SourceDocument(parsing: text)) }
    let notes = try series.result().notes
    return (try series.records(), notes)
  }

  private func workouts(_ members: String...) throws -> (workouts: [Workout], notes: [String]) {
    let text = "{\"data\":{\"metrics\":[],\"workouts\":[\(members.joined(separator: ","))]}}"
    let (records, notes) = try read([Array(text.utf8)])
    return (records.flatMap(\.workouts), notes)
  }

  private let times =
    "\"start\":\"2024-06-10 08:00:00 +0200\",\"end\":\"2024-06-10 09:00:00 +0200\""

  @Test func `a workout of the second version, imperial`() throws {
    let (records, notes) = try read(
      [Payloads.fixture("freereps_workout_v2_route_imperial")], zone: "America/Los_Angeles")
    #expect(records.map(\.date.description) == ["2024-02-06"])
    #expect(records.map(\.timeZoneName) == ["America/Los_Angeles"])
    // 3.5 mi are 5632.704 m.
    #expect(
      records.first?.workouts == [
        Workout(
          id: "550e8400-e29b-41d4-a716-446655440000", activity: "Running", start: 1_707_231_600,
          end: 1_707_233_400, duration: 1800, source: "",
          figures: [.activeEnergy: 350, .distance: 5632.704])
      ])
    #expect(notes == ["not used of workouts: heartRateData (1 workout), route (1 workout)"])
  }

  @Test func `a workout of the second version with every series`() throws {
    let (records, notes) = try read([Payloads.fixture("freereps_spec_workout_v2_all_series")])
    // 50 kcal active and 20 at rest; steps and strokes as series.
    #expect(
      records.first?.workouts.first?.figures == [
        .activeEnergy: 50, .totalEnergy: 70, .averageHeartRate: 150, .maximumHeartRate: 175,
        .steps: 5000, .swimmingStrokes: 20,
      ])
    #expect(notes.count == 2 && notes[0] == "the payload has no metrics")
    #expect(notes[1].hasPrefix("not used of workouts: cyclingCadence (1 workout), "))
    #expect(notes[1].split(separator: ",").count == 11 && !notes[1].contains("more"))
  }

  @Test(arguments: ["marshal_workouts_2", "unmarshal_workouts_7"])
  func `a workout of the first version: a 0 stands for what it does not have`(name: String) throws {
    let (records, _) = try read([Payloads.fixture(name)], zone: "Asia/Singapore")
    let workout = try #require(records.first?.workouts.first)
    // 226.21122641832523 kJ are 54.065781 kcal.
    #expect(
      workout.figures == [.activeEnergy: 54.065781, .steps: 908, .elevationAscended: 16.36])
    #expect(workout.activity == "Walking" && workout.duration == nil)
    let identity = SampleIdentity(
      type: "HKWorkoutActivityTypeWalking", source: "", hardware: "", start: workout.start,
      end: workout.end)
    #expect(workout.id == identity.uuid)
  }

  @Test func `all eleven numbers of the second version, and a 0 that it gives`() throws {
    let (found, notes) = try workouts(
      """
      {"id":"ABCD1","name":"Outdoor Run",\(times),"duration":3500.5,
      "distance":{"qty":10,"units":"km"},"activeEnergyBurned":{"qty":2092,"units":"kJ"},
      "totalEnergy":null,"avgHeartRate":{"qty":2.5,"units":"count/s"},
      "maxHeartRate":{"qty":180,"units":"bpm"},"avgSpeed":{"qty":10,"units":"kmph"},
      "maxSpeed":{"qty":10,"units":"mph"},"stepCount":[{"qty":4000.5,"units":"count"},{"qty":5}],
      "basalEnergy":[{"qty":100,"units":"kcal"}],"swimStroke":[{"qty":7,"units":"count"}],
      "elevationUp":{"qty":100,"units":"ft"},"elevationDown":{"qty":0,"units":"m"}}
      """)
    #expect(notes.isEmpty)
    let workout = try #require(found.first)
    #expect(workout.id == "abcd1" && workout.activity == "Running" && workout.duration == 3500.5)
    #expect(
      workout.figures == [
        .distance: 10_000, .activeEnergy: 500, .totalEnergy: 600, .averageHeartRate: 150,
        .maximumHeartRate: 180, .averageSpeed: 10, .maximumSpeed: 16.09344, .steps: 4005.5,
        .swimmingStrokes: 7, .elevationAscended: 30.48, .elevationDescended: 0,
      ])
    #expect(Set(workout.figures.keys) == Set(WorkoutFigure.allCases))
  }

  @Test func `the date of a workout that can't be read is named with the phone's setting`() throws {
    func note(_ start: String) throws -> String {
      let (found, notes) = try workouts(
        #"{"name":"Yoga","start":"\#(start)","end":"2026-02-08 09:00:00 +0100"}"#)
      #expect(found.isEmpty && notes.count == 1)
      return notes[0]
    }
    #expect(try note("2026-02-08 8:00:00 xx +0100").contains("(switch on 24-Hour Time"))
    #expect(try note("1404-11-19 08:00:00 +0100").contains("choose Gregorian"))
    #expect(try !note("08/02/2026 08:00").contains("("))
  }

  @Test func `all numbers of the first version`() throws {
    let (found, _) = try workouts(
      """
      {"name":"Pool Swim",\(times),"totalEnergy":{"qty":600,"units":"kcal"},
      "activeEnergy":{"qty":500,"units":"kcal"},"stepCount":0,"distance":{"qty":1,"units":"mi"},
      "speed":{"qty":2,"units":"km/hr"},"totalSwimmingStrokeCount":{"qty":300,"units":"count"},
      "elevation":{"ascent":10,"descent":20,"units":"ft"},"flightsClimbed":{"qty":0,"units":"count"}}
      """)
    #expect(
      found.first?.figures == [
        .totalEnergy: 600, .activeEnergy: 500, .distance: 1609.344, .averageSpeed: 2,
        .swimmingStrokes: 300, .elevationAscended: 3.048, .elevationDescended: 6.096,
      ])
    #expect(found.first?.activity == "Swimming")
  }

  @Test func `what can't be placed or converted is reported with its count, never guessed`() throws
  {
    let (found, notes) = try workouts(
      "{\"name\":\"Running\",\"start\":\"2024-06-10 08:00:00 +0200\"}", "7",
      "{\"name\":\"Running\",\"end\":\"2024-06-10 08:00:00 +0200\"}",
      "{\"name\":\"Running\",\"start\":\"2024-06-10 08:00:00 +0200\",\"end\":\"2024-06-09 08:00:00 +0200\"}",
      "{\"name\":\"Running\",\"start\":\"2024-06-10 08:00:00 +0200\",\"end\":\"2024-06-10\"}",
      """
      {"name":"Danse de salon",\(times),"duration":"3600","distance":{"qty":3,"units":"furlong"},
      "activeEnergyBurned":{"qty":-5,"units":"kcal"},"maxSpeed":{"qty":5},"avgSpeed":5}
      """)
    #expect(found.count == 1)
    #expect(found.first?.figures == [:] && found.first?.activity == "Danse de salon")
    #expect(found.first?.duration == nil)
    #expect(
      notes == [
        "workouts: activeEnergyBurned is not a number of 0 or more: 1 row was left out; "
          + "the first: /data/workouts/5",
        "workouts: avgSpeed has no unit: 1 row was left out; the first: /data/workouts/5",
        "workouts: duration is not a number of 0 or more: 1 row was left out; "
          + "the first: /data/workouts/5",
        "workouts: maxSpeed has no unit: 1 row was left out; the first: /data/workouts/5",
        "workouts: no end: 1 row was left out; the first: /data/workouts/0",
        "workouts: no start: 1 row was left out; the first: /data/workouts/2",
        "workouts: not an object: 1 row was left out; the first: /data/workouts/1",
        "workouts: the end is not a date with a time and an offset: 1 row was left out; "
          + "the first: /data/workouts/4",
        "workouts: the end lies before the start: 1 row was left out; "
          + "the first: /data/workouts/3",
        "workouts: the unit 'furlong' of distance can't be converted: 1 row was left out; "
          + "the first: /data/workouts/5",
        "workouts: names that HealthKit does not have stay as they are: Danse de salon (1)",
      ])
  }

  @Test func `R45: of several captures of one workout the last counts, in whatever order of rows`()
    throws
  {
    func capture(_ distance: Int, _ id: String) -> [UInt8] {
      Array(
        """
        {"data":{"workouts":[{"id":"\(id)","name":"Running",\(times),
        "distance":{"qty":\(distance),"units":"m"}}]}}
        """.utf8)
    }
    let (records, _) = try read([capture(3, "A"), capture(5, "a"), capture(7, "b")])
    #expect(records.flatMap(\.workouts).map(\.id) == ["a", "b"])
    #expect(records.flatMap(\.workouts).map { $0.figures[.distance] } == [5, 7])
    #expect(
      try workouts("{\"name\":\"Running\",\(times)}", "{\"name\":\"running\",\(times)}")
        .workouts.count == 1)
  }

  @Test(arguments: [
    ("Traditional Strength Training", "TraditionalStrengthTraining"), ("yoga", "Yoga"),
    ("HKWorkoutActivityTypeRunning", "Running"), ("Indoor Cycling", "Cycling"),
    ("Open Water Swim", "Swimming"),
    ("High Intensity Interval Training", "HighIntensityIntervalTraining"),
    ("Wandern", "Wandern"), ("", "Other"),
  ])
  func `activities have HealthKit's names where the app's are known`(
    name: String, activity: String
  ) throws {
    #expect(try workouts("{\"name\":\"\(name)\",\(times)}").workouts.first?.activity == activity)
  }

  @Test func `periods of sleep have the same ids however often and in whatever order they come`()
    throws
  {
    let rows = [
      Payloads.sleep("2024-06-09 23:00:00 +0200", "2024-06-10 01:00:00 +0200", "Core"),
      Payloads.sleep("2024-06-10 01:00:00 +0200", "2024-06-10 02:30:00 +0200", "Deep"),
      Payloads.sleep("2024-06-10 17:00:00 +0200", "2024-06-10 19:00:00 +0200", "In Bed", "Phone"),
    ]
    func text(_ rows: [String]) -> [UInt8] {
      Array(Payloads.export([("sleep_analysis", "hr", rows)]).utf8)
    }
    let (records, notes) = try read([text(rows)])
    #expect(records.map(\.date.description) == ["2024-06-10"])
    let sleep = try #require(records.first?.sleep)
    #expect(sleep.map(\.value) == [.asleepCore, .asleepDeep, .inBed])
    #expect(sleep.map(\.source) == ["Watch", "Watch", "Phone"])
    #expect(sleep.map { $0.end - $0.start } == [7200, 5400, 7200])
    #expect(Set(sleep.map(\.id)).count == 3)
    #expect(notes.isEmpty)
    let german = rows.reversed().map { $0.replacing("Core", with: "Kern") }
    #expect(try read([text(german), text(rows)]).records == records)
  }

  @Test func `nights that are summaries have no periods, and are counted`() throws {
    let (records, notes) = try read(
      [
        Payloads.fixture("marshal_aggregated_sleep_analysis_3"),
        Payloads.fixture("marshal_non_aggregated_sleep_analysis_4"),
        Payloads.fixture("hae_v2_daily_aggregated"),
      ], zone: "Asia/Singapore")
    #expect(records.map(\.date.description) == ["2021-12-18"])
    #expect(
      notes == [
        "sleep_analysis: 1 night is a summary without periods of sleep; "
          + "export it without aggregation"
      ])
  }
}
