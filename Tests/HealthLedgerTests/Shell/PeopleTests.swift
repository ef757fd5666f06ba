import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// R64: many people in one store, each in a ledger of their own.
@Suite(.unit) struct PeopleTests {
  private let bench = LedgerBench()
  private var people: People { People(of: bench.ledger) }

  private func id(_ text: String) throws -> PersonID { try #require(PersonID(text)) }

  private func publish(_ name: String, steps: Double, in people: People) async throws {
    _ = try await people.ledger(of: id(name)).publish(try Sample.draft(steps: steps))
  }

  @Test func `R64 two people of one store never see each other's days`() async throws {
    try await publish("ann", steps: 1, in: people)
    try await publish("ann-2", steps: 2, in: people)
    let date = try Sample.date()
    for (name, steps) in [("ann", 1.0), ("ann-2", 2)] {
      let ledger = try people.ledger(of: id(name))
      let latest = try await ledger.resolve(date).latest
      #expect(latest?.revision.readings[.steps] == .value(steps))
      #expect(try await ledger.holdings().days == 1)
    }
    #expect(try await bench.ledger.holdings().days == 0)
    #expect(try await bench.ledger.resolve(date).latest == nil)
    let keys = bench.memory.contents.keys.map(\.rawValue)
    #expect(keys.allSatisfy { $0.hasPrefix("people/ann/") || $0.hasPrefix("people/ann-2/") })
  }

  @Test func `R64 one listing finds all people, and names that are not ids are reported`()
    async throws
  {
    for name in ["bob", "ann", "ann-1"] { try await publish(name, steps: 1, in: people) }
    #expect(try await people.add(id("eve")))
    for key in ["people/Ann/health/v0/x", "people/a b/y", "people/note.txt", "peoples/z/x"] {
      try await bench.place(key, [1])
    }
    let counted = bench.recounted()
    let found = try await People(of: counted.ledger).list()
    #expect(found.ids.map(\.rawValue) == ["ann", "ann-1", "bob", "eve"])
    #expect(found.foreign.map(\.key).sorted() == ["people/Ann/", "people/a b/", "people/note.txt"])
    #expect(counted.store.log.entries.count == 1)
  }

  @Test func `R64 an added person exists before the first day, and is added once`() async throws {
    let ann = try id("ann")
    #expect(try await people.holds(ann) == false)
    #expect(try await people.add(ann))
    #expect(try await people.add(ann) == false)
    #expect(try await people.holds(ann))
    let body = bench.memory.contents[try #require(ObjectKey("people/ann/person.json"))]?.body
    #expect(
      body.map { String(decoding: $0, as: UTF8.self) }
        == #"{"added_at":"2026-03-10T12:00:00Z","format":"person.v0"}"#)
    #expect(try await people.ledger(of: ann).holdings().foreignObjects == 0)
  }

  @Test func `R64 removing a person leaves every other byte as it was`() async throws {
    for name in ["ann", "ann-1", "an", "bob"] {
      _ = try await people.add(id(name))
      try await publish(name, steps: 1, in: people)
    }
    _ = try await bench.ledger.publish(try Sample.draft(steps: 9))
    try await bench.place("people/ann", [1])
    let before = bench.memory.contents
    let ann = try id("ann")
    let belongings = try await people.belongings(of: ann)
    #expect(belongings.objects == 3)
    #expect(try await people.remove(ann) == 3)
    let after = bench.memory.contents
    #expect(after.keys == before.keys.filter { !$0.rawValue.hasPrefix("people/ann/") })
    for key in after.keys { #expect(after[key] == before[key]) }
    #expect(try await people.list().ids.map(\.rawValue) == ["an", "ann-1", "bob"])
    #expect(try await people.remove(ann) == 0)
  }

  @Test func `R64 a removal that fails anywhere is seen, and ends when it is run again`()
    async throws
  {
    for failing in 1...9 {
      let bench = LedgerBench()
      let people = People(of: bench.ledger)
      _ = try await people.add(id("ann"))
      for day in ["2026-03-08", "2026-03-09", "2026-03-10"] {
        _ = try await people.ledger(of: id("ann")).publish(try Sample.draft(steps: 1, on: day))
      }
      let plan = FaultPlan(rules: [
        FaultPlan.Rule(.refused(.unavailable), which: [failing])
      ])
      let faulty = People(of: bench.recounted(plan: plan).ledger)
      await #expect(throws: LedgerError.self) { try await faulty.remove(id("ann")) }
      #expect(try await people.list().ids.map(\.rawValue) == ["ann"], "request \(failing)")
      let last = bench.memory.contents.keys.map(\.rawValue)
      #expect(last.contains("people/ann/person.json"))
      try await people.remove(id("ann"))
      #expect(bench.memory.contents.count == 0)
    }
  }

  @Test func `R64 what fails for a person stops no other, and the order is that of the ids`()
    async throws
  {
    let names = (0..<40).map { String(format: "p%03d", $0) }
    for name in names { try await publish(name, steps: 1, in: people) }
    let plan = FaultPlan(rules: [
      FaultPlan.Rule(.refused(.unavailable), on: .list, suffix: "people/p007/health/v0/")
    ])
    let faulty = People(of: bench.recounted(plan: plan).ledger)
    var failed: [String] = []
    var delivered: [String] = []
    try await faulty.each(faulty.list().ids, width: 3) { _, ledger in
      do throws(LedgerError) {
        return .success(try await ledger.listedWhole().holdings().days)
      } catch {
        return .failure(error)
      }
    } deliver: { id, result in
      delivered.append(id.rawValue)
      if case .success(1) = result { return }
      failed.append(id.rawValue)
    }
    #expect(delivered == names)
    #expect(failed == ["p007"])
  }

  @Test func `R34 a year of a person in a run over many costs one listing and a read a day`()
    async throws
  {
    let first = try Sample.date("2025-03-01")
    let range = try DateRange(from: first, to: try #require(first.adding(days: 364)))
    let ann = try id("ann")
    let drafts = try range.dates.map { try Sample.draft(steps: 1, on: $0) }
    try await people.ledger(of: ann).publish(drafts) { _, _ in }
    try await bench.place("people/ann/health/v0/stray", [1])
    let counted = bench.recounted()
    let ledger = try await People(of: counted.ledger).ledger(of: ann).listedWhole()
    #expect(try await ledger.holdings().days == 365)
    var sound = 0
    let rest = try await ledger.verify(range) { if $0.status == .ok { sound += 1 } }
    #expect(sound == 365)
    #expect(rest.map(\.key) == ["people/ann/health/v0/stray"])
    #expect(counted.store.log.lists == 1 && counted.store.log.gets == 365)
  }

  @Test func `R29 in a run over many, a link that hides days is a failure and no missing day`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try DirectoryStore(root: folder, createsRoot: true)
    let people = People(of: HealthLedger(store: store, environment: .test(now: Sample.noon)))
    let date = try Sample.date()
    for hidden in ["2026", "2026/03", "2026/03/10", "2026/03/10/revisions"] {
      let name = "p\(hidden.count)"
      try await publish(name, steps: 1, in: people)
      let place = folder.appending(path: "people/\(name)/health/v0/data/\(hidden)")
      let elsewhere = folder.appending(path: "elsewhere-\(name)")
      try? FileManager.default.removeItem(at: elsewhere)
      try FileManager.default.moveItem(at: place, to: elsewhere)
      try FileManager.default.createSymbolicLink(at: place, withDestinationURL: elsewhere)
      let ledger = try await people.ledger(of: id(name)).listedWhole()
      await #expect(throws: LedgerError.self, "\(hidden)") {
        try await ledger.verify(try DateRange(from: date, to: date)) { _ in }
      }
      await #expect(throws: LedgerError.self, "\(hidden)") { _ = try await ledger.holdings() }
    }
  }

  @Test func `R35 a fault in a run over many is looked at again by requests of its own`()
    async throws
  {
    let ann = try id("ann")
    try await publish("ann", steps: 1, in: people)
    let date = try Sample.date()
    let ledger = try await people.ledger(of: ann).listedWhole()
    // After the listing, the day is published again and the listed revision is gone.
    let before = try #require(try await ledger.resolve(date).latest?.id)
    let later = bench.ledger(now: Sample.noon.adding(seconds: 60))
    _ = try await People(of: later).ledger(of: ann).publish(try Sample.draft(steps: 2))
    try await bench.memory.delete(ledger.layout.revisionKey(date, before))
    var statuses: [DayVerdict.Status] = []
    try await ledger.verify(try DateRange(from: date, to: date)) { statuses.append($0.status) }
    #expect(statuses == [.ok])
  }

  @Test
  func
    `R64 in a folder, a person who can't be opened is listed, and an empty folder is not a person`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try DirectoryStore(root: folder, createsRoot: true)
    let people = People(of: HealthLedger(store: store, environment: .test(now: Sample.noon)))
    #expect(try await people.list().ids.isEmpty)
    for name in ["ann", "bob"] { try await publish(name, steps: 1, in: people) }
    let files = FileManager.default
    let place = folder.appending(path: "people")
    try files.createDirectory(
      at: place.appending(path: "eve/health/v0"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      at: place.appending(path: "link"), withDestinationURL: place.appending(path: "ann"))
    try files.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: place.appending(path: "bob").path)
    defer {
      try? files.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: place.appending(path: "bob").path)
    }
    let found = try await people.list()
    #expect(found.ids.map(\.rawValue) == ["ann", "bob"])
    #expect(found.foreign.map(\.key) == ["people/link"])
    #expect(found.foreign.first?.reason.contains("symbolic link") == true)
    try await people.remove(id("ann"))
    #expect(try await people.list().ids.map(\.rawValue) == ["bob"])
    #expect(!files.fileExists(atPath: place.appending(path: "ann").path))
  }
}
