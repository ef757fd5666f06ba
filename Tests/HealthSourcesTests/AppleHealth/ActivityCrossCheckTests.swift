import AppleExport
import HealthModel
import HealthSources
import Testing

/// Apple's own figures beside ours.
@Suite(.unit) struct ActivityCrossCheckTests {
  private func export(_ summaries: [ActivitySummary]) -> SampleExport {
    var export = SampleExport()
    for date in ["2024-06-10", "2024-06-11", "2024-06-12"] {
      export.add(
        .activeEnergyBurned, "\(date) 08:00+02:00", "\(date) 09:00+02:00", 500, .kilocalorie)
      export.add(.appleExerciseTime, "\(date) 08:00+02:00", "\(date) 08:30+02:00", 30, .minute)
    }
    export.summaries = summaries
    return export
  }

  @Test func `days are compared, within 2 % or beyond, and those beyond have a note`() throws {
    let result = try export([
      ActivitySummary(date: "2024-06-10", activeEnergy: 509, activeEnergyGoal: 600),
      ActivitySummary(
        date: "2024-06-11", activeEnergy: 520, activeEnergyGoal: 600, exerciseMinutes: 30),
      ActivitySummary(
        date: "2024-06-12", activeEnergy: 500, activeEnergyGoal: 600, exerciseMinutes: 30,
        standHours: 9),
      ActivitySummary(date: "2024-06-13", activeEnergy: 100, activeEnergyGoal: 600),
    ]).days()
    var days = ActivityCrossCheck.Count()
    (days.compared, days.within, days.beyond, days.missing) = (3, 2, 1, 1)
    #expect(result.crossCheck.days == days)
    #expect(result.crossCheck.metrics[.activeEnergy]?.within == 2)
    #expect(result.crossCheck.metrics[.activeEnergy]?.beyond == 1)
    #expect(result.crossCheck.metrics[.exerciseMinutes]?.within == 2)
    #expect(result.crossCheck.metrics[.standHours]?.missing == 1)
    #expect(result["2024-06-10"]?.readings.notes == [])
    #expect(
      result["2024-06-11"]?.readings.notes == [
        "active_energy_kcal: Apple's own figure is 520 kcal, ours 500"
      ])
    #expect(
      result["2024-06-12"]?.readings.notes == [
        "stand_hours: Apple's own figure is 9 hr; no samples"
      ])
  }

  @Test func `days not worn, sentinels and dates that are not valid say nothing`() throws {
    var export = export([
      ActivitySummary(
        date: "2024-06-10", activeEnergy: 0, activeEnergyGoal: 0, exerciseMinutes: 0,
        moveMinutes: 0,
        standHours: 0),
      ActivitySummary(date: "1969-12-30", activeEnergy: 5, activeEnergyGoal: 1),
      ActivitySummary(date: "1969-12-31", activeEnergy: 5, activeEnergyGoal: 1),
      ActivitySummary(date: "2024-06-31", activeEnergy: 5, activeEnergyGoal: 1),
    ])
    export.add(
      .activeEnergyBurned, "1969-12-31 08:00+01:00", "1969-12-31 09:00+01:00", 500, .kilocalorie)
    let result = try export.days()
    #expect(result.crossCheck == ActivityCrossCheck())
    #expect(result.days.allSatisfy { $0.readings.notes.isEmpty })
  }

  @Test func `a worn day of zeros is compared`() throws {
    let summary = ActivitySummary(date: "2024-06-10", activeEnergy: 0, activeEnergyGoal: 500)
    #expect(try export([summary]).days().crossCheck.days.beyond == 1)
  }
}
