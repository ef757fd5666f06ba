import Foundation
import TestSupport
import Testing

/// Names of folders, files and keys that would move a terminal's cursor or feign a line of output.
@Suite(.process) struct HostileNameTests {
  private static let evil = "a\u{1B}[31m\nok: fine\u{202E}"

  /// Expects that nothing of a name was obeyed: no escape, and no line that it feigned.
  private func expectPlain(
    _ run: Program.Run, _ what: String, shows: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) {
    let all = run.output + run.errors
    for hostile in ["\u{1B}", "\u{202E}", "\nok: fine"] {
      #expect(!all.contains(hostile), "\(what): \(all)", sourceLocation: location)
    }
    #expect(
      !shows || all.contains(#"\u{1b}[31m\u{a}ok: fine"#), "\(what): \(all)",
      sourceLocation: location)
  }

  @Test func `a store's folder is spelled out by every command`() async throws {
    let program = try Program()
    let store = try program.folder(Self.evil).path
    let page = program.home.appending(path: "page.html").path
    let export = try await GeneratedExport(program, ["--days", "2"])
    let at = ["--store", store]
    let day = "2026-02-08"
    for (command, shows) in [
      (["put", "--input", "-"], false), (["get", day], false), (["get", "2026-02-09"], false),
      (["get", day, "--history"], false), (["get", "--from", day, "--to", "2026-02-09"], false),
      (["ls"], true), (["verify", "--from", day, "--to", "2026-02-09"], true),
      (["doctor"], true), (["import", export.xml], true), (["get", "--diff", day], false),
      (["report", "--from", day, "--to", day, "--html", page], false),
    ] {
      let run = try await program.run(command + at, input: payload())
      #expect([0, 1, 66].contains(run.exitCode), "\(command): \(run.errors)")
      expectPlain(run, "\(command)", shows: shows)
    }
    try FileManager.default.removeItem(atPath: store)
    for command in [["get", day], ["put", "-i", "-"], ["ls"], ["verify"], ["doctor"]] {
      expectPlain(try await program.run(command + at, input: payload()), "\(command) without it")
    }
    expectPlain(try await program.run(["init", store]), "init")
  }

  @Test func `foreign keys are spelled out`() async throws {
    let program = try Program()
    try await program.put(payload())
    _ = try program.file(".local/share/s3health/store/health/v0/data/2026/02/08/\(Self.evil)", [1])
    let range = ["--from", "2026-02-08", "--to", "2026-02-08"]
    expectPlain(try await program.run(["verify"] + range), "verify")
    expectPlain(try await program.run(["ls"]), "ls", shows: false)
  }

  @Test func `lines of the log are spelled out`() async throws {
    let store = try HostileStore()
    var program = try Program().onHostile()
    // A file where the cache's folder should be: the log says that nothing can be kept there.
    program.environment["XDG_CACHE_HOME"] = try program.file(Self.evil, [1])
    let run = try await program.run(
      [
        "put", "--input", "-", "--verbose", "--store", "s3://bucket/p", "--endpoint-url",
        store.endpoint("honest"),
      ], input: payload(), ends: 0)
    expectPlain(run, "put --verbose")
  }

  @Test func `inputs, pages, configuration files and arguments are spelled out`() async throws {
    var program = try Program()
    let absent = program.home.appending(path: Self.evil).path
    let broken = try program.file("in/\(Self.evil).json", "{")
    let odd = try program.file("in/\(Self.evil)", #"{"days": [{"date": "x"}, {"date": "y"}]}"#)
    for command in [
      ["put", "--input", absent], ["put", "--input", broken], ["put", "--input", odd],
      ["import", absent], ["import", broken],
      ["put", "--input", program.home.path + "/in"], ["get", "--config", absent],
      ["get", "--config", broken],
      ["report", "2d", "--html", absent + "/page.html"], ["get", "today", Self.evil],
      ["get", Self.evil], ["get", "--revision", Self.evil], ["get", "--\(Self.evil)"],
      ["get", "--as-of", Self.evil], ["get", "--timezone", Self.evil],
    ] {
      let run = try await program.run(command, ends: 64)
      expectPlain(run, "\(command)")
    }
    for file in [absent, broken] {
      let run = try await program.race.run("check", file)
      #expect(run.exitCode == 64, "\(run.errors)")
      expectPlain(run, "s3race check")
    }
    program.environment["S3HEALTH_SOURCE"] = absent
    expectPlain(try await program.run("put", "--date", "today"), "the source")
    expectPlain(try await program.run("doctor"), "doctor")
  }

  @Test func `an input's problems are each on a line of their own`() async throws {
    let program = try Program()
    let run = try await program.run(
      ["put", "--input", "-"],
      input: #"{"days": [{"date": "x\nok: fine"}, {"date": "y"}]}"#, ends: 64,
      saying: " problems:\n  /days/0/date: ")
    #expect(run.errors.contains("\n  /days/1/date: ") && !run.errors.contains("\nok: fine"))
  }
}
