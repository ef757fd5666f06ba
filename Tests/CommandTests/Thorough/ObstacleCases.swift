import Foundation
import TestSupport
import Testing

/// Each obstacle, as every command meets it (R29, R33).
extension ObstacleTests {
  /// What a command may make of the day.
  enum Answer: String { case unavailable, denied, found }

  /// What is done to the day, by a shell in the year's folder; `ID` is the name of its revision.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    let answer: Answer
    let finding: String?
    /// Whether the days before are hidden with it.
    let hidesMonth: Bool
    /// Whether the names that `ls` needs are there all the same.
    let isListed: Bool
    /// Whether a publish still comes through.
    let takesMore: Bool

    init(
      _ name: String, _ script: String, _ answer: Answer = .unavailable, _ finding: String? = nil,
      hidesMonth: Bool = false, isListed: Bool = false, takesMore: Bool = false
    ) {
      (testDescription, self.script, self.answer, self.finding) = (name, script, answer, finding)
      (self.hidesMonth, self.isListed, self.takesMore) = (hidesMonth, isListed, takesMore)
    }
  }

  static let cases = [
    Case("revisions is a link", "mv 02/08/revisions r && ln -s ../../r 02/08/revisions"),
    Case("revisions is dangling", "rm -r 02/08/revisions && ln -s nil 02/08/revisions"),
    Case("the day is a link", "mv 02/08 d && ln -s ../d 02/08"),
    Case("the day is dangling", "rm -r 02/08 && ln -s nil 02/08"),
    Case("the month is a link", "mv 02 m && ln -s m 02", hidesMonth: true),
    Case("the month is evicted", "mv 02 m && touch .02.icloud", hidesMonth: true),
    Case("the day is evicted", "mv 02/08 d && touch 02/.08.icloud"),
    Case("the day is a pipe", "mv 02/08 d && mkfifo 02/08"),
    Case(
      "the revision is a link", "mv 02/08/revisions/ID r && ln -s ../../../r 02/08/revisions/ID"),
    Case("the revision is a pipe", "rm 02/08/revisions/ID && mkfifo 02/08/revisions/ID"),
    Case(
      "the revision is evicted", "mv 02/08/revisions/ID 02/08/revisions/.ID.icloud", isListed: true),
    Case("revisions is evicted", "rm -r 02/08/revisions && touch 02/08/.revisions.icloud"),
    Case("the revision can't be read", "chmod 0 02/08/revisions/ID", .denied, isListed: true),
    Case("the day can't be read", "chmod 0 02/08", .denied),
    Case("revisions can't be read", "chmod 0 02/08/revisions", .denied),
    Case(
      "latest.json is a link", "mv 02/08/latest.json l && ln -s ../../l 02/08/latest.json", .found,
      "pointer_corrupt"),
    Case(
      "latest.json is dangling", "rm 02/08/latest.json && ln -s nil 02/08/latest.json", .found,
      "pointer_corrupt"),
    Case(
      "latest.json is a pipe", "rm 02/08/latest.json && mkfifo 02/08/latest.json", .found,
      "pointer_corrupt"),
    Case(
      "latest.json is evicted", "mv 02/08/latest.json 02/08/.latest.json.icloud", .found,
      "pointer_corrupt"),
    Case(
      "latest.json is a folder", "rm 02/08/latest.json && mkdir 02/08/latest.json", .found,
      "pointer_missing", takesMore: true),
    Case(
      "a folder has a revision's name", "mkdir 02/08/revisions/20260301T000000Z-7F3A2C.json",
      .found, takesMore: true),
    Case(
      "a conflict copy lies beside", "cp 02/08/latest.json '02/08/latest 2.json'", .found,
      "conflict_copy", takesMore: true),
    Case(
      "an unknown link lies beside", "ln -s nil 02/08/notes", .found, "foreign_object",
      takesMore: true),
  ]

  @Test(arguments: cases)
  func `R29, R33: every command says the same of the day`(planted: Case) async throws {
    let program = try Program(["TZ": "UTC"])
    let folder = try program.folder("store")
    let store = ["--store", folder.path]
    for day in ["2026-01-31", "2026-02-08", "2026-03-01"] {
      try await program.put(payload(day), store)
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
      ["verify", "2026-01-31..2026-03-01", "--allow-missing"] + store)
    let alone = try await reader.run(["verify", "2026-02-08", "--allow-missing"] + store)
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
        if let finding = planted.finding { #expect(run.output.contains(finding)) }
      }
      for id in [1, 2] { #expect(try agent.content(id)["error"] == nil) }
      #expect(put.exitCode == (planted.takesMore ? 0 : 69), "\(put.output)\(put.errors)")
      let later = try await reader.succeeds(["get", "2026-02-08"] + store)
      #expect(later.output.contains("  9\n"), "the revision is stored: \(later.output)")
    case .unavailable, .denied:
      let blind = planted.isListed ? [] : [listed]
      for run in [get, verify, alone, held, repair, page, put] + blind {
        #expect(run.exitCode == exit, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("\n  do:     "))
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
      try await reader.succeeds(["get", other] + store, printing: "8,432")
      try await reader.succeeds(
        ["verify", "--from", other, "--to", other, "--allow-missing"] + store)
    }
  }
}
