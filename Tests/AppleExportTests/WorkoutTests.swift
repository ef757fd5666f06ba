import AppleExport
import HealthModel
import Testing

/// What an export says of a workout: in attributes, statistics, metadata and events.
@Suite(.unit) struct WorkoutTests {
  /// A workout of 20 minutes with these attributes and children.
  private func found(
    _ attributes: String = "", _ children: String = "", activity: String = "Running"
  ) throws -> Findings {
    try ExportScanner.content(
      """
      <Workout workoutActivityType="HKWorkoutActivityType\(activity)" \(attributes) sourceName="W" \
      startDate="2024-06-15 20:30:00 +0200" endDate="2024-06-15 20:50:00 +0200">\(children)</Workout>
      """)
  }

  private func workout(
    _ attributes: String = "", _ children: String = "", activity: String = "Running"
  ) throws -> ExportWorkout {
    let found = try found(attributes, children, activity: activity)
    #expect(found.skipped.isEmpty)
    return try #require(found.workouts.first)
  }

  private func statistics(_ type: String, _ rest: String) -> String {
    "<WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\" startDate=\"x\" \(rest)/>"
  }

  @Test func `old exports have the totals in attributes`() throws {
    let old = try workout(
      """
      duration="2" durationUnit="min" totalDistance="1" totalDistanceUnit="mi" \
      totalEnergyBurned="418.4" totalEnergyBurnedUnit="kJ"
      """)
    #expect(
      old
        == ExportWorkout(
          type: "HKWorkoutActivityTypeRunning", source: 0, start: 1_718_476_200,
          end: 1_718_477_400, duration: 120,
          figures: [.distance: 1609.344, .totalEnergy: 418.4 / 4.184]))
    #expect(old.activity == "Running")
  }

  @Test func `new exports have all eleven figures`() throws {
    let run = try workout(
      "duration=\"19.5\" durationUnit=\"min\"",
      """
      <MetadataEntry key="HKElevationAscended" value="12345 cm"/>
      <MetadataEntry key="HKElevationDescended" value="100 ft"/>
      <MetadataEntry key="HKTimeZone" value="Europe/Paris"/>
      """ + statistics("DistanceWalkingRunning", "sum=\"5\" unit=\"km\"")
        + statistics("ActiveEnergyBurned", "sum=\"300\" unit=\"Cal\"")
        + statistics("BasalEnergyBurned", "sum=\"418.4\" unit=\"kJ\"")
        + statistics("HeartRate", "average=\"150.5\" minimum=\"90\" maximum=\"3\" unit=\"count/s\"")
        + statistics("RunningSpeed", "average=\"10\" maximum=\"12.5\" unit=\"km/hr\"")
        + statistics("StepCount", "sum=\"4000\" unit=\"count\"")
        + statistics("SwimmingStrokeCount", "sum=\"7\" unit=\"count\"")
        + statistics("RunningPower", "average=\"7\" unit=\"W\""))
    #expect(run.duration == 1170)
    #expect(
      run.figures == [
        .distance: 5000, .activeEnergy: 300, .totalEnergy: 400, .averageHeartRate: 150.5 * 60,
        .maximumHeartRate: 180, .averageSpeed: 10, .maximumSpeed: 12.5, .steps: 4000,
        .swimmingStrokes: 7, .elevationAscended: 123.45, .elevationDescended: 30.48,
      ])
    #expect(run.unknownUnits == 0 && run.invalidNumbers == 0)
  }

  @Test func `the whole energy needs both parts, else it is what an attribute says`() throws {
    let active = statistics("ActiveEnergyBurned", "sum=\"300\" unit=\"kcal\"")
    let basal = statistics("BasalEnergyBurned", "sum=\"50\" unit=\"kcal\"")
    let total = "totalEnergyBurned=\"310\" totalEnergyBurnedUnit=\"kcal\""
    #expect(try workout("", active).figures == [.activeEnergy: 300])
    #expect(try workout("", basal).figures == [:])
    #expect(try workout(total, active).figures == [.activeEnergy: 300, .totalEnergy: 310])
    #expect(
      try workout(total, basal + active).figures == [.activeEnergy: 300, .totalEnergy: 350])
  }

  @Test func `speed is read from metadata if no statistics have it`() throws {
    let metadata = """
      <MetadataEntry key="HKAverageSpeed" value="2.5 m/s"/>
      <MetadataEntry key="HKMaximumSpeed" value="10 mi/hr"/>
      """
    #expect(try workout("", metadata).figures == [.averageSpeed: 9, .maximumSpeed: 16.09344])
    let speed = statistics("CyclingSpeed", "average=\"30\" unit=\"km/hr\"")
    #expect(
      try workout("", speed + metadata, activity: "Cycling").figures == [
        .averageSpeed: 30, .maximumSpeed: 16.09344,
      ])
  }

  @Test func `of several distances that of the activity counts, else all of them`() throws {
    let both =
      statistics("DistanceCycling", "sum=\"20\" unit=\"km\"")
      + statistics("DistanceWalkingRunning", "sum=\"1\" unit=\"km\"")
    #expect(try workout("", both, activity: "Cycling").figures == [.distance: 20_000])
    #expect(try workout("", both, activity: "Hiking").figures == [.distance: 1000])
    #expect(try workout("", both, activity: "SwimBikeRun").figures == [.distance: 21_000])
  }

  @Test func `a part of a workout is not the workout`() throws {
    let part = try workout(
      "",
      "<WorkoutActivity uuid=\"A\">" + statistics("StepCount", "sum=\"1\" unit=\"count\"")
        + "<MetadataEntry key=\"HKElevationAscended\" value=\"1 m\"/></WorkoutActivity>")
    #expect(part.figures == [:])
  }

  @Test func `pauses give the duration where none is given`() throws {
    func event(_ type: String, _ time: String) -> String {
      "<WorkoutEvent type=\"HKWorkoutEventType\(type)\" date=\"2024-06-15 \(time) +0200\"/>"
    }
    // Both marks of one pause, as a watch writes them, and a pause that never ends.
    let events =
      event("Segment", "20:30:00") + event("Pause", "20:35:00")
      + event("MotionPaused", "20:35:00") + event("Resume", "20:37:00")
      + event("MotionResumed", "20:37:00") + event("Pause", "20:49:30")
    #expect(try workout("", events).duration == 1200 - 120 - 30)
    #expect(try workout("duration=\"15\" durationUnit=\"min\"", events).duration == 900)
    // In whatever order they stand.
    #expect(
      try workout("", event("Resume", "20:37:00") + event("Pause", "20:35:00")).duration == 1080)
    // A pause that the watch has seen by itself is one, too.
    #expect(
      try workout("", event("MotionPaused", "20:35:00") + event("MotionResumed", "20:37:00"))
        .duration == 1080)
    // Of a pause that reaches out of the workout only what lies in it counts.
    #expect(
      try workout("", event("Pause", "20:20:00") + event("Resume", "20:31:00")).duration == 1140)
    #expect(
      try workout("", event("Pause", "20:48:00") + event("Resume", "21:40:00")).duration == 1080)
    // Without a pause nobody said how long it was.
    #expect(try workout("", event("Segment", "20:30:00")).duration == nil)
    let broken = try found("", event("Pause", "never"))
    #expect(broken.skipped == [.init(.date)] && broken.workouts.first?.duration == nil)
  }

  @Test func `an unknown unit and a number below 0 are reported and give no figure`() throws {
    let odd = try workout(
      "duration=\"-1\" durationUnit=\"min\" totalDistance=\"3\" totalDistanceUnit=\"cubit\"",
      """
      <MetadataEntry key="HKElevationAscended" value="42"/>
      <MetadataEntry key="HKElevationDescended" value="42 fathom"/>
      """ + statistics("StepCount", "sum=\"-5\" unit=\"count\"")
        + statistics("HeartRate", "average=\"150\" unit=\"kcal\""))
    #expect(odd.figures == [:] && odd.duration == nil)
    #expect(odd.unknownUnits == 3 && odd.invalidNumbers == 3)
  }

  @Test func `a workout without an end is reported, not guessed`() throws {
    let found = try ExportScanner.content(
      """
      <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="W" \
      startDate="2024-06-15 20:30:00 +0200">\(statistics("StepCount", "sum=\"1\" unit=\"count\""))
      </Workout><Workout sourceName="W" startDate="2024-06-15 20:30:00 +0200" \
      endDate="2024-06-15 20:31:00 +0200"/>
      """)
    #expect(found.workouts.isEmpty)
    #expect(found.skipped == [.init(.date), .init(.value)])
  }

  @Test func `what is not read is counted by the name of its element`() throws {
    let text = """
      <HealthData><Me a="b"/><ExportDate value="2024-06-15 20:30:00 +0200"/>
      <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="W" \
      startDate="2024-06-15 20:30:00 +0200" endDate="2024-06-15 20:31:00 +0200">
      <MetadataEntry key="a" value="b"/><WorkoutRoute><FileReference path="x"/></WorkoutRoute></Workout>
      <Workout/><Audiogram><SensitivityPoint/></Audiogram><ClinicalRecord/><ClinicalRecord/>
      <Correlation><MetadataEntry key="a" value="b"/></Correlation>
      <ActivitySummary dateComponents="2024-06-15"/></HealthData>
      """
    #expect(
      ExportScanner.scan(Array(text.utf8), pieces: { _ in 7 }).others == [
        "Workout": 2, "WorkoutRoute": 1, "Audiogram": 1, "ClinicalRecord": 2,
      ])
  }
}
