import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// The ledger on a folder: the same promise between threads, and in files that a person can open.
@Suite(.unit) struct DirectoryLedgerTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "ledger-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func `R5 a published day lies in two files under documented names`() async throws {
    try await withFolder { folder in
      let ledger = HealthLedger(
        store: try DirectoryStore(root: folder, createsRoot: true),
        environment: .test(now: Sample.noon))
      let draft = try Sample.draft(steps: 7)
      let outcome = try await ledger.publish(draft)
      let day = folder.appending(path: "health/v0/data/2026/03/10")
      let id = outcome.revisionID
      let revision = try Data(contentsOf: day.appending(path: "revisions/\(id).json"))
      #expect(Array(revision) == Sample.body(draft, id))
      let pointer = try Data(contentsOf: day.appending(path: "latest.json"))
      #expect(Array(pointer) == LatestPointer(date: draft.day.date, revisionID: id).encoded)
      #expect(try await ledger.publish(draft) == .unchanged(id))
    }
  }

  @Test func `R29 a link for a revision fails the day, and a link for the pointer hides nothing`()
    async throws
  {
    try await withFolder { folder in
      let ledger = HealthLedger(
        store: try DirectoryStore(root: folder, createsRoot: true),
        environment: .test(now: Sample.noon))
      for day in ["2026-03-10", "2026-03-11"] {
        _ = try await ledger.publish(try Sample.draft(steps: 7, on: day))
      }
      let (hidden, other) = (try Sample.date(), try Sample.date("2026-03-11"))
      let id = try #require(try await ledger.resolve(hidden).latest?.id)
      let day = folder.appending(path: "health/v0/data/2026/03/10")
      let (pointer, revision) = ("latest.json", "revisions/\(id).json")
      func replaceByLink(_ name: String) throws {
        let file = day.appending(path: name)
        try FileManager.default.moveItem(at: file, to: folder.appending(path: "aside"))
        try FileManager.default.createSymbolicLink(
          at: file, withDestinationURL: folder.appending(path: "aside"))
      }
      func putBack(_ name: String) throws {
        let file = day.appending(path: name)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: folder.appending(path: "aside"), to: file)
      }

      try replaceByLink(pointer)
      #expect(try await ledger.resolve(hidden).latest?.id == id)
      try putBack(pointer)

      try replaceByLink(revision)
      let failure = await #expect(throws: LedgerError.self) { try await ledger.resolve(hidden) }
      #expect(failure?.code == .storageUnavailable)
      #expect(failure?.message.contains(revision) == true, "\(String(describing: failure))")
      #expect(try await ledger.resolve(other).latest != nil)
      try putBack(revision)
      #expect(try await ledger.resolve(hidden).latest?.id == id)
    }
  }

  @Test func `R25 sixteen collectors at one folder leave the pointer at the newest`() async throws {
    try await withFolder { folder in
      _ = try DirectoryStore(root: folder, createsRoot: true)
      let date = try Sample.date()
      let outcomes = try await withThrowingTaskGroup(of: PublishOutcome.self) { group in
        for index in 0..<16 {
          let draft = try Sample.draft(steps: Double(index + 1))
          group.addTask {
            // Each its own store, as processes would have.
            let faults = FaultInjectingStore(
              try DirectoryStore(root: folder),
              plan: FaultPlan(
                drawing: [.answerLost, .resent, .refused(.conflict)], perMillion: 150_000,
                seed: UInt64(index)))
            let ledger = HealthLedger(
              store: faults,
              environment: .test(
                now: Sample.noon.adding(seconds: index % 3), entropy: UInt32(index)))
            while true {
              if let outcome = try? await ledger.publish(draft) { return outcome }
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let reader = HealthLedger(store: try DirectoryStore(root: folder))
      let resolution = try await reader.resolve(date)
      #expect(resolution.latest?.id == outcomes.map(\.revisionID).max())
      #expect(!resolution.pointerDisagrees)
      var verdicts: [DayVerdict] = []
      try await reader.verify(try DateRange(from: date, to: date)) { verdicts.append($0) }
      #expect(verdicts.map(\.status) == [.ok])
      // The collectors' clock stands and the disk's goes on.
      let codes = Set(verdicts.flatMap(\.findings).map(\.code))
      #expect(codes == ["id_far_from_last_modified", "partial"])
    }
  }

  @Test func `R40 a folder that is gone is STORAGE_UNAVAILABLE`() async throws {
    try await withFolder { folder in
      let store = try DirectoryStore(root: folder, createsRoot: true)
      try FileManager.default.removeItem(at: folder)
      let draft = try Sample.draft(steps: 1)
      let error = await #expect(throws: LedgerError.self) {
        _ = try await HealthLedger(store: store).publish(draft)
      }
      #expect(error?.code == .storageUnavailable)
    }
  }
}
