import Foundation
import TestSupport
import Testing

/// Each obstacle, as every command meets it (R29, R33).
extension ObstacleTests {
  /// What a command may make of the day.
  enum Answer: String { case unavailable, denied, found }

  /// What is done to the day, by a shell in the year's folder; `ID` is the name of its revision.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    let answer: Answer
    var finding: String?
    /// Whether the days before are hidden with it.
    var hidesMonth = false
    /// Whether the names that `ls` needs are there all the same.
    var isListed = false
    /// Whether a publish still comes through.
    var takesMore = false

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "revisions is a link", script: "mv 02/08/revisions r && ln -s ../../r 02/08/revisions",
      answer: .unavailable),
    Case(
      name: "revisions is dangling", script: "rm -r 02/08/revisions && ln -s nil 02/08/revisions",
      answer: .unavailable),
    Case(name: "the day is a link", script: "mv 02/08 d && ln -s ../d 02/08", answer: .unavailable),
    Case(
      name: "the day is dangling", script: "rm -r 02/08 && ln -s nil 02/08", answer: .unavailable),
    Case(
      name: "the month is a link", script: "mv 02 m && ln -s m 02", answer: .unavailable,
      hidesMonth: true),
    Case(
      name: "the month is evicted", script: "mv 02 m && touch .02.icloud", answer: .unavailable,
      hidesMonth: true),
    Case(
      name: "the day is evicted", script: "mv 02/08 d && touch 02/.08.icloud",
      answer: .unavailable),
    Case(name: "the day is a pipe", script: "mv 02/08 d && mkfifo 02/08", answer: .unavailable),
    Case(
      name: "the revision is a link",
      script: "mv 02/08/revisions/ID r && ln -s ../../../r 02/08/revisions/ID",
      answer: .unavailable),
    Case(
      name: "the revision is a pipe",
      script: "rm 02/08/revisions/ID && mkfifo 02/08/revisions/ID", answer: .unavailable),
    Case(
      name: "the revision is evicted",
      script: "mv 02/08/revisions/ID 02/08/revisions/.ID.icloud", answer: .unavailable,
      isListed: true),
    Case(
      name: "revisions is evicted",
      script: "rm -r 02/08/revisions && touch 02/08/.revisions.icloud", answer: .unavailable),
    Case(
      name: "the revision can't be read", script: "chmod 0 02/08/revisions/ID", answer: .denied,
      isListed: true),
    Case(name: "the day can't be read", script: "chmod 0 02/08", answer: .denied),
    Case(name: "revisions can't be read", script: "chmod 0 02/08/revisions", answer: .denied),
    Case(
      name: "latest.json is a link",
      script: "mv 02/08/latest.json l && ln -s ../../l 02/08/latest.json",
      answer: .found, finding: "pointer_corrupt"),
    Case(
      name: "latest.json is dangling",
      script: "rm 02/08/latest.json && ln -s nil 02/08/latest.json",
      answer: .found, finding: "pointer_corrupt"),
    Case(
      name: "latest.json is a pipe", script: "rm 02/08/latest.json && mkfifo 02/08/latest.json",
      answer: .found, finding: "pointer_corrupt"),
    Case(
      name: "latest.json is evicted", script: "mv 02/08/latest.json 02/08/.latest.json.icloud",
      answer: .found, finding: "pointer_corrupt"),
    Case(
      name: "latest.json is a folder", script: "rm 02/08/latest.json && mkdir 02/08/latest.json",
      answer: .found, finding: "pointer_missing", takesMore: true),
    Case(
      name: "a folder has a revision's name",
      script: "mkdir 02/08/revisions/20260301T000000Z-7F3A2C.json", answer: .found,
      takesMore: true),
    Case(
      name: "a conflict copy lies beside", script: "cp 02/08/latest.json '02/08/latest 2.json'",
      answer: .found, finding: "conflict_copy", takesMore: true),
    Case(
      name: "an unknown link lies beside", script: "ln -s nil 02/08/notes", answer: .found,
      finding: "foreign_object", takesMore: true),
  ]

  @Test(arguments: cases)
  func `R29, R33: every command reports the same about the day, and nothing about its neighbours`(
    planted: Case
  ) async throws {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["TZ"] = "UTC"
    let folder = try program.folder("store")
    let store = ["--store", folder.path]
    for day in ["2026-01-31", "2026-02-08", "2026-03-01"] {
      try await program.succeeds(["put", "--input", "-"] + store, input: payload(day))
    }
    let year = folder.appending(path: "health/v0/data/2026")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: year.appending(path: "02/08/revisions").path)
    let script = planted.script.replacing("ID", with: try #require(names.first))
    #expect(try await program.inShell("cd '\(year.path)' && \(script)").run([]).exitCode == 0)

    let reader = program.withoutPrivileges()
    let get = try await reader.run(["get", "2026-02-08"] + store)
    let history = try await reader.run(["get", "2026-02-08", "--history"] + store)
    let verify = try await reader.run(
      ["verify", "--from", "2026-01-31", "--to", "2026-03-01", "--allow-missing"] + store)
    let alone = try await reader.run(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08", "--allow-missing"] + store)
    let held = try await reader.run(["verify", "--allow-missing"] + store)
    let listed = try await reader.run(["ls"] + store)
    let day = ["--from", "2026-02-08", "--to", "2026-02-08"] + store
    let repair = try await reader.run(["verify", "--repair", "--allow-missing"] + day)
    let page = try await reader.run(["report", "--html", program.home.path + "/page.html"] + day)
    let agent = try await reader.agent(
      [
        AgentLine.hello, AgentLine.daily(1, "2026-02-08"),
        AgentLine.range(2, "2026-01-31", "2026-03-01"),
      ], store)
    let put = try await reader.run(["put", "--input", "-"] + store, input: payload(steps: 9))
    let exit = planted.answer == .denied ? 77 : 69
    let code = planted.answer == .denied ? "NOT_AUTHORIZED" : "STORAGE_UNAVAILABLE"
    switch planted.answer {
    case .found:
      #expect(get.exitCode == 0 && get.output.contains("8,432"), "\(get.errors)")
      #expect(history.exitCode == 0)
      #expect(page.exitCode == 0, "\(page.errors)")
      #expect(listed.output.contains("3 days stored"), "\(listed.output)\(listed.errors)")
      let isError = planted.finding == "pointer_corrupt"
      for run in [verify, alone, held] {
        #expect(run.exitCode == (isError ? 1 : 0), "\(run.output)\(run.errors)")
        if let finding = planted.finding { #expect(run.output.contains(finding), "\(run.output)") }
      }
      for id in [1, 2] { #expect(try agent.content(id)["error"] == nil) }
      #expect(put.exitCode == (planted.takesMore ? 0 : 69), "\(put.output)\(put.errors)")
      let later = try await reader.succeeds(["get", "2026-02-08"] + store)
      #expect(later.output.contains("  9\n"), "the revision is stored: \(later.output)")
    case .unavailable, .denied:
      let blind = planted.isListed ? [] : [listed]
      for run in [get, verify, alone, held, repair, page, put] + blind {
        #expect(run.exitCode == exit, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("\n  do:     "), "\(run.errors)")
        #expect(planted.answer == .denied || run.errors.contains(folder.path), "\(run.errors)")
      }
      for id in [1, 2] { #expect(try agent.toolError(id).code == code) }
      if planted.isListed { #expect(listed.output.contains("3 days stored"), "\(listed.errors)") }
    }
    // A listing of these meets the day, and is not about it.
    let before = ["--from", "2026-02-01", "--to", "2026-02-07", "--allow-missing"] + store
    let near = try await reader.run(["verify"] + before)
    #expect(near.exitCode == (planted.hidesMonth ? exit : 0), "\(near.errors)")
    for other in ["2026-01-31", "2026-03-01"] {
      let near = try await reader.succeeds(["get", other] + store)
      #expect(near.output.contains("8,432"))
      try await reader.succeeds(
        ["verify", "--from", other, "--to", other, "--allow-missing"] + store)
    }
  }
}
