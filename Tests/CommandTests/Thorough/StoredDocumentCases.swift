import Foundation
import TestSupport
import Testing

/// Further documents of older versions (R20).
extension StoredDocumentTests {
  @Test func `R20 a document that names what it covers is read with the one that it kept from`()
    async throws
  {
    let story = try await older()
    defer { story.program.removeHome() }
    let first = try story.newest().file.deletingPathExtension().lastPathComponent
    try story.replaceNewest(at: 35, keeping: true) { document in
      document["captured_at"] = Story.time(34).ISO8601Format()
      document["covers"] = ["steps"]
      document["kept_from"] = first
      document.set("steps", to: 6000)
    }
    let flights = Telling.rows("flights_climbed", "count", [0: 7])
    try await story.tell(.payload(flights, at: 57, by: .put))
    #expect(
      try await story.numbers(["steps", "weight", "flights_climbed"])
        == ["steps": 6000, "weight": 80, "flights_climbed": 7])
    #expect(try await story.findings() == [])
  }

  @Test(arguments: [9500.0, 7500], [true, false])
  func `R20 a number that was changed in a document stays when the same payload comes again`(
    steps: Double, isGivenToPut: Bool
  ) async throws {
    let story = try Story()
    defer { story.program.removeHome() }
    let payload = Telling.payload(Telling.steps([0: 8000]), at: 33, by: .put)
    try await story.tell(payload)
    if isGivenToPut {
      var (_, document) = try story.newest()
      document.set("steps", to: steps)
      let bytes = try JSONSerialization.data(withJSONObject: document)
      try await story.tell(Telling(bytes: Array(bytes), way: .put))
    } else {
      try story.replaceNewest(at: nil) { $0.set("steps", to: steps) }
    }
    #expect(try await story.steps() == steps)
    let weight = Telling.rows("weight_body_mass", "kg", [0: 81])
    try await story.tell(.payload(weight, at: 34, by: .put))
    try await story.tell(payload)
    #expect(try await story.numbers(["steps", "weight"]) == ["steps": steps, "weight": 81])
  }
}
