import Foundation
import TestSupport
import Testing

/// What stays of a day whose documents are older than their sources' words, changed by hand, or damaged (R20).
@Suite(.process) struct StoredDocumentTests {
  /// A day of an older version, captured at hour 33.
  func older() async throws -> Story {
    let story = try Story()
    try await story.tell(.numbers(["steps": 12_000, "weight": 80]))
    try story.replaceNewest(at: 34) { document in
      document["captured_at"] = Story.time(33).ISO8601Format()
    }
    return story
  }

  @Test func `R20 of a document without sources a later word that reads as much counts, no other`()
    async throws
  {
    func day(_ steps: Double, at hour: Int) -> Telling {
      .payload(Telling.steps([0: steps]), at: hour, by: .put)
    }
    let export = [Telling.record("StepCount", 9000), Telling.record("FlightsClimbed", 7)]
    let cases: [(Telling, Double, Double?, Double?)] = [
      (.payload(Telling.steps([9: 9000]), at: 57, by: .put), 12_000, 80, nil),
      (day(9000, at: 25), 12_000, 80, nil), (day(9000, at: 57), 9000, 80, nil),
      (.export(export[0], export[1], at: 31), 12_000, 80, 7),
      (.export(export[0], export[1], at: 57), 9000, nil, 7),
    ]
    for (telling, steps, weight, flights) in cases {
      let story = try await older()
      try await story.tell(telling)
      let expected: [String: Double?] = [
        "steps": steps, "weight": weight, "flights_climbed": flights,
      ]
      #expect(try await story.numbers(Array(expected.keys)) == expected)
    }
    let story = try await older()
    try await story.stream("StepCount", 40, "count", at: 16)
    #expect(try await story.numbers(["steps", "weight"]) == ["steps": 12_000, "weight": 80])
  }

  @Test(arguments: ["changed", "cut", "empty"])
  func `R20, R60 of a damaged newest revision nothing is kept, and of those below it everything`(
    fault: String
  ) async throws {
    let story = try Story()
    let weight = Telling.payload(Telling.rows("weight_body_mass", "kg", [7: 81]), at: 34, by: .put)
    try await story.tell(.payload(Telling.steps([0: 8000]), at: 33, by: .put))
    try await story.tell(weight)
    let file = try story.newest().file
    let text = try String(contentsOf: file, encoding: .utf8)
    let damage = [
      "changed": text.replacing(#""weight":81"#, with: #""weight":88"#),
      "cut": String(text.prefix(200)),
    ]
    try Data((damage[fault] ?? "").utf8).write(to: file)
    let flights = Telling.rows("flights_climbed", "count", [0: 7])
    try await story.tell(.payload(flights, at: 57, by: .put))
    let all = ["steps", "weight", "flights_climbed"]
    #expect(try await story.numbers(all) == ["steps": 8000, "weight": nil, "flights_climbed": 7])
    try await story.tell(weight)
    #expect(try await story.numbers(all) == ["steps": 8000, "weight": 81, "flights_climbed": 7])
  }
}
