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

  @Test func `verify draws a calendar on a terminal, in colour`() async throws {
    let program = try await programWithDays()
    defer { program.removeHome() }
    let run = try await program.onTerminal(columns: 100).run(range)
    #expect(run.exitCode == 1, "\(run.errors)")
    #expect(run.output.contains("January 2026") && run.output.contains("March 2026"))
    #expect(run.output.contains("Mo  Tu  We  Th  Fr  Sa  Su"))
    #expect(run.output.contains("\(Self.escape)[32m   7"))
    #expect(run.output.contains("\(Self.escape)[31m  --"))
  }

  @Test func `NO_COLOR leaves the calendar, and no escape`() async throws {
    var program = try await programWithDays()
    defer { program.removeHome() }
    program.environment["NO_COLOR"] = "1"
    let run = try await program.onTerminal(columns: 100).run(range)
    #expect(!run.output.contains(Self.escape))
    #expect(run.output.contains("February 2026"))
    // The whole of February: Monday the 2nd begins its second week.
    let lines = run.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.contains("  --  --  --  --  --   7   8") }, "\(run.output)")
    #expect(run.output.contains("43 days: 2 complete, 41 missing"))
  }

  @Test(arguments: [(40, 1), (60, 2), (100, 3)])
  func `as many months stand side by side as there is room for`(
    columns: Int, months: Int
  ) async throws {
    var program = try await programWithDays()
    defer { program.removeHome() }
    program.environment["NO_COLOR"] = "1"
    let run = try await program.onTerminal(columns: columns).run(range)
    let lines = run.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    let title = try #require(lines.first { $0.contains("January 2026") })
    #expect(title.components(separatedBy: "2026").count - 1 == months)
    let calendar = lines.drop { !$0.contains("January") }.prefix { !$0.contains("complete") }
    #expect(calendar.allSatisfy { $0.count <= columns })
  }

  @Test func `a pipe gets no calendar and no escape`() async throws {
    let program = try await programWithDays()
    defer { program.removeHome() }
    for command in [range, ["get", "--date", "2026-02-08"], ["doctor"]] {
      let run = try await program.run(command)
      #expect(!run.output.contains(Self.escape) && !run.errors.contains(Self.escape))
      #expect(!run.output.contains("February 2026"))
    }
  }

  @Test func `a terminal that calls itself dumb is treated as a pipe`() async throws {
    var program = try await programWithDays().onTerminal(columns: 100)
    defer { program.removeHome() }
    program.environment["TERM"] = "dumb"
    let run = try await program.run(range)
    #expect(!run.output.contains(Self.escape) && !run.output.contains("February 2026"))
  }

  @Test func `progress is shown on a terminal and removed before the results`() async throws {
    let program = try await programWithDays()
    defer { program.removeHome() }
    let run = try await program.onTerminal(columns: 100, errorsToo: true).run(range)
    let progress = try #require(run.output.range(of: "verifying 43/43"))
    let results = try #require(run.output.range(of: "January 2026"))
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
