import Foundation
import TestSupport
import Testing

/// What a person types first: files and dates without options, settings, the page.
@Suite(.process) struct FirstStepTests {
  let program: Program

  init() throws { program = try Program() }

  func here(_ program: Program) -> Program {
    var program = program
    program.workingDirectory = program.home.path
    return program
  }

  @Test func `put takes files as arguments, and says what a day there means`() async throws {
    let program = here(try Program())
    _ = try program.file("day.json", payload())
    try await program.succeeds(["put", "day.json"])
    #expect(try await program.succeeds(["get", "2026-02-08"]).output.contains("8,432\n"))
    let day = try await program.run("put", "2026-02-08")
    #expect(day.exitCode == 64 && day.errors.contains("use --date 2026-02-08"), "\(day.errors)")
  }

  @Test func `get takes a number of days, and a range, as one word`() async throws {
    for date in ["2026-02-07", "2026-02-08"] {
      try await program.put(payload(date))
    }
    try await program.succeeds(
      ["get", "2026-02-06..2026-02-08"], printing: "3 days: 2 with data, 1 missing")
    let json = try await program.succeeds(["get", "2026-02-06..2026-02-08", "-o", "json"]).json()
    let ids = try #require(json["revision_ids"] as? [String: String])
    #expect(ids.keys.sorted() == ["2026-02-07", "2026-02-08"])
    #expect(try await program.succeeds(["get", "7d"]).output.contains("8 days: 0 with data"))
    #expect(try await program.succeeds(["get", "2w"]).output.contains("15 days: "))
    try await program.refuses(["get", "2026-02-08..nope"], saying: "\"nope\" is not a valid date")
    try await program.refuses(["get", "2026-02-08..2026-02-06"], saying: "R33")
    for wrong in [["7d", "--history"], ["7d", "--from", "2026-02-08"]] {
      #expect(try await program.run(["get"] + wrong).exitCode == 64, "\(wrong)")
    }
  }

  @Test func `config shows settings with their origin and no secrets, and sets one`() async throws {
    let program = here(try Program())
    _ = try program.folder("in")
    try await program.succeeds(
      ["config", "set", "source", "in"], printing: "source = \(program.home.path)/in")
    try await program.succeeds(["config", "set", "notify_command", "curl -H secret-token x"])
    try await program.succeeds(["config", "set", "gateway", "https://ann:secret-token@push.home"])
    let file = program.home.appending(path: ".config/s3health/config")
    let text = try String(contentsOf: file, encoding: .utf8)
    for command in [["config", "show"], ["config"], ["config", "show", "-o", "json"], ["doctor"]] {
      let shown = try await program.run(command).output
      #expect(!shown.contains("secret-token"))
      #expect(shown.contains("https://…@push.home") && shown.contains("curl …"), "\(shown)")
    }
    for (wrong, phrase) in [
      (["sorce", "x"], "did you mean source"), (["timezone", "Mars/X"], "Mars/X"),
      (["step_goal", "many"], "step_goal"),
    ] {
      try await program.refuses(["config", "set"] + wrong, saying: phrase)
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }

  @Test func `a token can be made for the id that config get prints (R12)`() async throws {
    let get = ["config", "get", "device_id"]
    let id = try await program.succeeds(get).output.trimmingCharacters(in: .newlines)
    #expect(UUID(uuidString: id) != nil)
    let json = try await program.succeeds(get + ["-o", "json"]).json()
    #expect(json["value"] as? String == id)
    try await program.put(payload())
    let day = try await program.day("2026-02-08")
    let collector = try #require(day["collector"] as? [String: String])
    #expect(collector["device_id"]?.lowercased() == id)
  }

  @Test func `doctor ends with its verdict, and its steps in detail or of a fault`() async throws {
    let brief = try await program.succeeds(["doctor"]).output
    #expect(brief.hasSuffix("\nAll is well: days can be published and read.\n"))
    #expect(!brief.contains("a second create is refused"))
    #expect(
      try await program.succeeds(["doctor", "-v"]).output.contains("a second create is refused"))
    let bad = try await program.run("doctor", "--store", "/nowhere")
    #expect(bad.exitCode == 69 && bad.output.hasSuffix("Not ready: store failed.\n"), "\(bad)")
  }

  @Test func `diff takes the newest day of two revisions, if none is named (R37)`() async throws {
    func put(_ date: String, _ steps: Int) async throws {
      try await program.put(payload(date, steps: steps))
    }
    try await put("2026-02-07", 1)
    try await program.fails(
      ["get", "--diff"], as: .dataNotFound, saying: "no day has two revisions")
    try await put("2026-02-07", 2)
    try await put("2026-02-08", 3)
    let diff = try await program.succeeds(["get", "--diff"])
    #expect(diff.output.hasPrefix("2026-02-07\n") && diff.output.contains("1 -> 2  (+1)"))
  }
}
