import Foundation
import ObjectStore
import ObjectStoreConformance
import TestSupport
import Testing

/// A writer may be killed at any moment: what it was told is stored stays, whole, and nothing that
/// it leaves behind stands in anybody's way.
@Suite(.process) struct CrashTests {
  /// Four folders at a time; in `scripts/test all` together three hundred kills.
  @Test(arguments: [("links", 0), ("links", 1), ("no links", 2), ("no links", 3)])
  func `an acknowledged write survives the death of its writer`(
    way: String, seed: Int
  ) async throws {
    let scratch = try ScratchFolder()
    let store = try scratch.store { $0.leftoverAge = .zero }
    let reader = Task { try await watch(store) }
    var moved = 0
    var acknowledged = 0
    var leftOver = 0
    for round in 0..<TestDepth.kills(75) {
      let name = "\(seed)-\(round)"
      let writes = Int.random(in: 0...8)
      let run = try await WriterProgram.run(
        [
          scratch.path, "publish", name, "\(writes)", "delay=\(Int.random(in: 0...2500))",
          way == "links" ? "links=yes" : "links=no",
        ])
      #expect(run.wasKilled && run.lines.count >= writes, "\(run.lines)")
      acknowledged += run.lines.count
      leftOver += scratch.temporaryFiles().count
      for line in run.lines {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words.first {
        case "created":
          let body = try await store.get(key(words[1]), limit: 1 << 20)?.body
          #expect(body == MarkedBody.make(words[1]), "\(words[1]) is lost or torn")
        case "moved": moved = max(moved, Int(words[1]) ?? 0)
        default: Issue.record("the writer said \(line)")
        }
      }
      #expect(try await pointer(store) >= moved, "an acknowledged move of the pointer is lost")
      try await everythingIsWhole(store, below: "data/\(name)/")
    }
    reader.cancel()
    try await reader.value
    #expect(leftOver > 0, "of \(acknowledged) writes none was interrupted: the test tries nothing")
    // The next writer clears up.
    #expect(try await store.put(key("last"), [], if: .absent).isStored)
    #expect(scratch.temporaryFiles() == [])
    try await everythingIsWhole(store, below: "data/")
  }

  private func pointer(_ store: DirectoryStore) async throws -> Int {
    guard let object = try await store.get(key("pointer"), limit: 1 << 20) else { return 0 }
    return try #require(
      MarkedBody.mark(of: object.body).flatMap { Int($0) }, "the pointer is torn")
  }

  /// Acknowledged or not, what is there is complete.
  private func everythingIsWhole(_ store: DirectoryStore, below prefix: String) async throws {
    for entry in try await store.listAll(ListRequest(prefix: prefix)) {
      let body = try await store.get(key(entry.key), limit: 1 << 20)?.body
      #expect(body == MarkedBody.make(entry.key), "\(entry.key) is torn")
    }
  }

  /// Reads what the writers write while they do.
  private func watch(_ store: DirectoryStore) async throws {
    var last = 0
    while !Task.isCancelled {
      do {
        let value = try await pointer(store)
        #expect(value >= last, "the pointer went from \(last) to \(value)")
        last = value
        try await Task.sleep(for: .milliseconds(5))
      } catch let error as StoreError where error.code == .cancelled {
        return
      } catch is CancellationError {
        return
      }
    }
  }

  @Test(arguments: [[], ["links=no"]])
  func `four processes that count by compare-and-swap lose nothing`(
    options: [String]
  ) async throws {
    let scratch = try ScratchFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["a", "b", "c", "d"] {
        group.addTask {
          let run = try await WriterProgram.run([scratch.path, "count", name, "50"] + options)
          #expect(run.succeeded && run.lines == ["done"], "\(run.lines)")
        }
      }
      try await group.waitForAll()
    }
    let body = try await scratch.store().get(key("counter"), limit: 1 << 20)?.body ?? []
    let marks = String(decoding: body, as: UTF8.self).split(separator: ";").map(String.init)
    let expected = ["a", "b", "c", "d"].flatMap { name in (0..<50).map { "\(name).\($0)" } }
    #expect(marks.sorted() == expected.sorted())
  }

  @Test func `of eight processes that create one object one stores`() async throws {
    for links in [[], ["links=no"], [], ["links=no"], [], ["links=no"]] {
      let scratch = try ScratchFolder()
      let runs = try await withThrowingTaskGroup(of: WriterProgram.Run.self) { group in
        for size in 1...8 {
          group.addTask {
            try await WriterProgram.run([scratch.path, "put", "deep/er/one", "\(size)"] + links)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let said = runs.flatMap(\.lines)
      #expect(said.count == 8 && said.count { $0.hasPrefix("stored") } == 1, "\(said)")
      #expect(said.count { $0 == "preconditionFailed" } == 7, "\(said)")
    }
  }
}
