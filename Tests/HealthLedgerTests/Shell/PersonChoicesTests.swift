import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// R64: what a person has chosen, as it is stored.
@Suite(.unit) struct PersonChoicesTests {
  private let bench = LedgerBench()
  private var people: People { People(of: bench.ledger) }
  private static let key = "people/ann/settings.json"

  private func ann() throws -> PersonID { try #require(PersonID("ann")) }

  private func held() throws -> String {
    let key = try #require(ObjectKey(Self.key))
    return String(decoding: bench.memory.contents[key]?.body ?? [], as: UTF8.self)
  }

  @Test func `R64: what a person chose is read back, and can be taken away`() async throws {
    let ann = try ann()
    #expect(try await people.choices(of: ann).isEmpty)
    let first = try await people.change(ann) { $0[.timezone] = "Europe/Berlin" }
    #expect(first.isNew && first.choices[.timezone] == "Europe/Berlin")
    #expect(try held() == #"{"format":"person_settings.v0","timezone":"Europe/Berlin"}"#)
    #expect(try await people.change(ann) { $0[.timezone] = "Europe/Berlin" }.isNew == false)
    _ = try await people.change(ann) { $0[.goals] = "steps=8000" }
    _ = try await people.change(ann) { $0[.timezone] = nil }
    #expect(try await people.choices(of: ann).values == ["goals": .string("steps=8000")])
    #expect(try await people.ledger(of: ann).choices()[.goals] == "steps=8000")
  }

  @Test func `R64: members of a newer version stay where something else is changed`() async throws {
    try await bench.place(
      Self.key, Array(#"{"colours":{"a":[1]},"format":"person_settings.v0","units":"lb"}"#.utf8))
    _ = try await people.change(ann()) { $0[.units] = "st" }
    #expect(
      try held() == #"{"colours":{"a":[1]},"format":"person_settings.v0","units":"st"}"#)
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"format":"person_settings.v1"}"#,
    #"{"format":"person_settings.v0","timezone":7}"#,
    #"{"format":"person_settings.v0","timezone":""}"#,
    #"{"format":"person_settings.v0","units":"a\u0007"}"#,
  ])
  func `R64: settings that can't be read are not taken for missing ones`(text: String)
    async throws
  {
    try await bench.place(Self.key, Array(text.utf8))
    let ann = try ann()
    await #expect(throws: LedgerError.self) { try await people.choices(of: ann) }
    await #expect(throws: LedgerError.self) {
      try await people.change(ann) { $0[.units] = "lb" }
    }
    #expect(try held() == text, "what somebody else wrote is not written over")
  }

  @Test func `R64: two people who change settings at once both keep their change`() async throws {
    let (ann, people) = (try ann(), people)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        group.addTask {
          _ = try await people.change(ann) { held in
            held[.goals] = [held[.goals], "\(number)"].compactMap(\.self).joined(separator: ",")
          }
        }
      }
      try await group.waitForAll()
    }
    let numbers = try await people.choices(of: ann)[.goals]?.split(separator: ",").compactMap {
      Int($0)
    }
    #expect(numbers?.sorted() == Array(0..<12))
  }

  @Test func `R64: settings go with the person`() async throws {
    let ann = try ann()
    _ = try await people.add(ann)
    _ = try await people.change(ann) { $0[.timezone] = "Europe/Berlin" }
    #expect(try await people.remove(ann) == 2)
    #expect(bench.memory.contents.keys.map(\.rawValue).isEmpty)
    #expect(try await people.choices(of: ann).isEmpty)
  }
}
