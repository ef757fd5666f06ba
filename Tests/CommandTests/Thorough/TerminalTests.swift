import Foundation
import TestSupport
import Testing

/// What is shown on a terminal, and nowhere else.
@Suite(.process) struct TerminalTests {
  private static let escape = "\u{1B}"
  private let range = ["verify", "--from", "2026-01-20", "--to", "2026-03-03"]

  private func programWithDays() async throws -> Program {
    let program = try Program()
    for date in ["2026-02-07", "2026-02-08"] {
      try await program.succeeds(["put", "--input", "-"], input: payload(date))
    }
    return program
  }

  @Test func `a terminal gets colours, unless NO_COLOR is set`() async throws {
    var program = try await programWithDays()
    defer { program.removeHome() }
    let run = try await program.onTerminal(columns: 100).run(range)
    #expect(run.exitCode == 1, "\(run.errors)")
    #expect(run.output.contains("\(Self.escape)[31mmissing\(Self.escape)[0m"), "\(run.output)")
    program.environment["NO_COLOR"] = "1"
    let plain = try await program.onTerminal(columns: 100).run(range)
    #expect(!plain.output.contains(Self.escape))
    #expect(plain.output.contains("43 days: 2 complete, 41 missing"))
  }

  @Test func `a pipe gets no escape`() async throws {
    let program = try await programWithDays()
    defer { program.removeHome() }
    for command in [range, ["get", "2026-02-08"], ["doctor"]] {
      let run = try await program.run(command)
      #expect(!run.output.contains(Self.escape) && !run.errors.contains(Self.escape))
    }
  }

  @Test func `a terminal that calls itself dumb is treated as a pipe`() async throws {
    var program = try await programWithDays().onTerminal(columns: 100)
    defer { program.removeHome() }
    program.environment["TERM"] = "dumb"
    let run = try await program.run(range)
    #expect(!run.output.contains(Self.escape))
  }

  @Test func `progress is shown on a terminal and removed before the results`() async throws {
    let program = try await programWithDays()
    defer { program.removeHome() }
    let run = try await program.onTerminal(columns: 100, errorsToo: true).run(range)
    let progress = try #require(run.output.range(of: "verifying 43/43"))
    let results = try #require(run.output.range(of: "43 days: 2 complete"))
    #expect(progress.upperBound < results.lowerBound)
    #expect(run.output[progress.upperBound..<results.lowerBound].contains("\r\(Self.escape)[K"))
    let quiet = try await program.onTerminal(columns: 100).run(range)
    #expect(!quiet.output.contains("verifying") && !quiet.errors.contains("verifying"))
  }

  @Test func `JSON is the same on a terminal as in a pipe`() async throws {
    let program = try await programWithDays()
    defer { program.removeHome() }
    let piped = try await program.run(range + ["--output", "json"])
    let shown = try await program.onTerminal(columns: 40).run(range + ["--output", "json"])
    #expect(shown.output.replacing("\r\n", with: "\n") == piped.output)
  }
}
