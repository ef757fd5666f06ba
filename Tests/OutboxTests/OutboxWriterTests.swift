import Foundation
import HealthModel
import HealthStreams
import StoreTesting
import Subprocess
import TestSupport
import Testing

@testable import Outbox

/// The OutboxWriter program, killed, confined, and in several processes.
@Suite(.process) struct OutboxWriterTests {
  private struct Run {
    let lines: [String]
    let status: TerminationStatus
  }

  private func write(_ bench: Bench, _ arguments: [String]) async throws -> Run {
    let result = try await Subprocess.run(
      .path(.init(BuiltProgram.path("OutboxWriter"))),
      arguments: .init([bench.outbox.file.path] + arguments), output: .string(limit: 1 << 24),
      error: .string(limit: 1 << 16))
    return Run(
      lines: result.standardOutput.split(separator: "\n").map(String.init),
      status: result.terminationStatus)
  }

  @Test func `R47: whatever a killed writer was told is there, and it is uploaded once`()
    async throws
  {
    let bench = try Bench()
    var random = SplitMix64(seed: 14)
    var acknowledged: [String] = []
    let receiver = Receiver()
    for kill in 0..<12 {
      let delay = Int.random(in: 2_000...60_000, using: &random)
      async let first = write(bench, ["a\(kill)", "0", "writers=4", "delay=\(delay)"])
      async let second = write(bench, ["b\(kill)", "0", "batch=7", "delay=\(delay + 5_000)"])
      for run in try await [first, second] {
        #expect(run.status == .signaled(SIGKILL))
        acknowledged += run.lines
      }
      _ = try await OutboxSync(bench.reopened(), to: receiver).run()
    }
    #expect(acknowledged.count > 50)
    let stored = try receiver.sent.flatMap { batch in
      try (JSONValue(parsing: batch.body)["data"]?.arrayValue ?? []).map { value in
        try StreamEntry(value, of: batch.stream).id
      }
    }
    #expect(Set(acknowledged).subtracting(stored).isEmpty)
    #expect(Set(stored).count == stored.count)
  }

  @Test func `R47: three processes write at once without an error`() async throws {
    let bench = try Bench()
    let runs = try await withThrowingTaskGroup(of: Run.self) { group in
      for name in ["a", "b", "c"] {
        group.addTask { try await write(bench, [name, "200", "writers=2"]) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs { #expect(run.status.isSuccess, "\(run.lines.last ?? "")") }
    #expect(try bench.outbox.status().uploadStats.pending == 600)
  }

  @Test func `R48: a file that can't grow is E004, and what was acknowledged before is there`()
    async throws
  {
    let bench = try Bench()
    let run = try await write(
      bench, ["a", "0", "bytes=100000", "largestFile=\(3 << 20)"])
    #expect(run.lines.last?.hasPrefix("error storage_full") == true, "\(run.lines.suffix(1))")
    let acknowledged = run.lines.dropLast()
    #expect(acknowledged.count > 5)
    let ids = Set(try bench.outbox.entries(limit: 100_000).map(\.entryID))
    #expect(Set(acknowledged).subtracting(ids).isEmpty)
    let receiver = Receiver()
    _ = try await bench.sync(receiver)
    #expect(try bench.outbox.status().uploadStats.pending == 0)
  }
}
