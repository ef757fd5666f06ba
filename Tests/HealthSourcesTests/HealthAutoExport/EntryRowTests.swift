import HealthModel
import HealthSources
import Testing

/// Rows of what people enter, such as meals: equal ones of one payload are several entries (R18).
@Suite(.unit) struct EntryRowTests {
  private let eaten = "2026-02-08 08:00:00 +0100"

  private func meals(_ rows: (date: String, kcal: String)...) -> String {
    Payloads.export([
      ("dietary_energy", "kcal", rows.map { Payloads.row($0.date, $0.kcal, "Food") })
    ])
  }

  private func number(
    _ metric: DailyMetric, _ texts: [String]
  ) throws -> [String: Double?] {
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
    for text in texts { try series.add(SourceDocument(parsing: Array(text.utf8))) }
    return try series.result().numbers(metric)
  }

  @Test func `R18: equal meals of one payload count each, and resent payloads count once`() throws {
    // 100 + 100 + 50 kcal of one minute are 250, not 150.
    let once = meals((eaten, "100"), (eaten, "100"), (eaten, "50"))
    #expect(try number(.dietaryEnergy, [once]) == ["2026-02-08": 250])
    #expect(try number(.dietaryEnergy, [once, once, once]) == ["2026-02-08": 250])
    // Another payload has only some of them.
    let one = meals((eaten, "100"))
    #expect(try number(.dietaryEnergy, [once, one]) == ["2026-02-08": 250])
    #expect(try number(.dietaryEnergy, [one, once]) == ["2026-02-08": 250])
    let three = meals((eaten, "100"), (eaten, "100"), (eaten, "100"))
    #expect(try number(.dietaryEnergy, [once, three]) == ["2026-02-08": 350])
  }

  @Test func `R18: an hour of meals that was exported before it was over is replaced`() throws {
    #expect(
      try number(.dietaryEnergy, [meals((eaten, "100")), meals((eaten, "250"))])
        == ["2026-02-08": 250])
  }

  @Test func `R18: several entries at midnight are entries, and no sums of the day`() throws {
    // Some apps date what was eaten by the day alone.
    let midnight = "2026-02-08 00:00:00 +0100"
    let bananas = meals((midnight, "100"), (midnight, "100"), (midnight, "50"))
    #expect(try number(.dietaryEnergy, [bananas]) == ["2026-02-08": 250])
    #expect(try number(.dietaryEnergy, [bananas, bananas]) == ["2026-02-08": 250])
    #expect(
      try number(.dietaryEnergy, [meals((midnight, "100")), meals((midnight, "250"))])
        == ["2026-02-08": 250])
  }

  @Test func `R18: puffs and doses count each, and equal rows of steps are one row`() throws {
    let doses = Payloads.export([
      ("insulin_delivery", "IU", [Payloads.row(eaten, "4"), Payloads.row(eaten, "4")]),
      ("step_count", "count", [Payloads.row(eaten, "40"), Payloads.row(eaten, "40")]),
      ("weight_body_mass", "kg", [Payloads.row(eaten, "70"), Payloads.row(eaten, "70")]),
    ])
    #expect(try number(.insulin, [doses]) == ["2026-02-08": 8])
    #expect(try number(.weight, [doses]) == ["2026-02-08": 70])
    #expect(try Payloads.days(doses).table == ["2026-02-08": ["steps": "40.0"]])
  }
}
