import Foundation
import ObjectStoreConformance
import Testing

@testable import ObjectStore

/// R39: processes share a cache and are killed at any moment.
@Suite(.process) struct FolderCacheCrashTests {
  @Test func `R39 a copy is whole or absent, however many write and are killed`() async throws {
    let bench = try FolderCacheBench()
    var leftOver = 0
    // On until a kill has met a write, or the test would try nothing.
    for round in 0..<200 where round < 15 || leftOver == 0 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            let run = try await WriterProgram.run(
              [
                bench.path, "cache", "x", "40", "delay=\(Int.random(in: 0...4000))",
              ])
            #expect(run.wasKilled, "\(run.lines)")
            #expect(!run.lines.contains("torn"), "a writer read a torn copy")
          }
        }
        try await group.waitForAll()
      }
      leftOver += bench.files.count { $0.hasPrefix("part-") }
      let cache = bench.cache(limit: 300_000)
      for number in 0..<40 {
        let body = MarkedBody.make("\(number)")
        let copy = cache.body(of: try key("k\(number)"), try version(body))
        #expect(copy == nil || copy == body)
      }
    }
    #expect(bench.files.count { !$0.hasPrefix("part-") } > 0)
    #expect(leftOver > 0, "no writer was interrupted in a write: the test tries nothing")
  }
}
