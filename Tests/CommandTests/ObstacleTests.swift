import Foundation
import TestSupport
import Testing

/// What stands in a folder store in the place of a file or folder, and what every reader makes of it
/// (R30, R33): the same, and never silence.
@Suite(.process) struct ObstacleTests {
  @Test(arguments: ["mv 02 m && ln -s m 02", "mv 02 m && touch .02.icloud"])
  func `R29: no default range and no listing passes over a month that is hidden`(
    script: String
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let folder = try program.folder("store")
    let store = ["--store", folder.path]
    try await program.succeeds(["put", "--input", "-"] + store, input: payload("2026-02-08"))
    let year = folder.appending(path: "health/v0/data/2026").path
    #expect(try await program.inShell("cd '\(year)' && \(script)").run([]).exitCode == 0)
    let commands = [
      ["ls"], ["ls", "--from", "2026-02-03"], ["verify"], ["export", "csv"],
      ["report", "--html", program.home.path + "/page.html"],
    ]
    for command in commands {
      let run = try await program.run(command + store)
      #expect(run.exitCode == 69 && run.output.isEmpty, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("\(year)/02 is"), "\(run.errors)")
    }
    // What comes before the month is known.
    let before = try await program.succeeds(["ls", "--to", "2026-01-31"] + store)
    #expect(before.output.contains("no days stored"), "\(before.output)")
  }

  @Test func `R29: of many days only those that an obstacle hides are not published`() async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let folder = try program.folder("store")
    let month = folder.appending(path: "health/v0/data/2026/02").path
    #expect(
      try await program.inShell("mkdir -p '\(month)' && ln -s nil '\(month)/01'").run([])
        .exitCode == 0)
    let days = ["01", "02", "03"].map { #"{"date": "2026-02-\#($0)", "metrics": {"steps": 1}}"# }
    let put = try await program.run(
      ["put", "--input", "-", "--date", "all", "--store", folder.path],
      input: Array(#"{"days": [\#(days.joined(separator: ","))]}"#.utf8))
    #expect(put.exitCode == 69)
    #expect(put.output.contains("failed     2026-02-01"), "\(put.output)")
    for day in ["02", "03"] { #expect(put.output.contains("published  2026-02-\(day)")) }
    #expect(put.errors.contains("\(month)/01 is a symbolic link"), "\(put.errors)")
  }
}
