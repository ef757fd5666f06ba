import Foundation
import TestSupport
import Testing

/// `get --as-of` and `get --diff`: the past of a day (R36, R37).
@Suite(.server) struct HistoryCommandTests {
  /// A folder with revisions of 2026-02-08 at known moments; the third can't be read (R41).
  func history() throws -> (program: Program, store: [String], ids: [String]) {
    let program = try Program()
    let folder = try program.folder("store")
    let date = PlantedDate(number: 20_492)
    #expect(date.text == "2026-02-08")
    let ids = ["08T180000Z-000001", "09T060000Z-000002", "10T060000Z-000003", "11T060000Z-000004"]
      .map { "202602\($0)" }
    for (index, id) in ids.enumerated() {
      var document = PlantedDocument(date: date, id: id)
      document.pieces["/metrics/steps"] = "\(8000 + index)"
      switch index {
      case 0:
        document.pieces["/metrics/hrv_sdnn_avg"] = "null"
        document.pieces["/metric_status/hrv_sdnn_avg"] = "\"unauthorized\""
      case 2:
        document.pieces["/metric_units/steps"] = "\"steps\""
        document.pieces["/metrics/stand_hours"] = "null"
      case 3: document.pieces["/zz_mood"] = "\"\\u001b[31mgood\""
      default: break
      }
      try write(document.text, folder, "\(date.path)/revisions/\(id).json")
    }
    return (program, ["2026-02-08", "--store", folder.path], ids)
  }

  private func write(_ text: String, _ folder: URL, _ path: String) throws {
    let file = folder.appending(path: "health/v0/data/" + path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  @Test(arguments: [
    ("2026-02-08T18:00:00Z", 8000, 3), ("2026-02-09T05:59:59Z", 8000, 3),
    ("2026-02-09T07:00:00+01:00", 8001, 2), ("2026-02-09", 8001, 2),
    // The third revision can't be read: the day looked as the second says.
    ("2026-02-10T23:00:00Z", 8001, 1), ("2026-02-11", 8003, 0), ("today", 8003, 0),
  ])
  func `R36 the day as it looked then`(moment: String, steps: Int, later: Int) async throws {
    let (program, store, _) = try history()
    let json = try await program.succeeds(["get", "--as-of", moment, "--output", "json"] + store)
    #expect((try json.json()["metrics"] as? [String: Any])?["steps"] as? Int == steps)
    let text = try await program.succeeds(
      ["get", "--as-of", moment] + store, printing: "\(later) later revision")
    #expect(text.errors.contains("skipped revision 20260210") == (later == 1))
  }

  @Test func `R37 diff compares the two newest valid revisions`() async throws {
    let (program, store, ids) = try history()
    let text = try await program.succeeds(
      ["get", "--diff"] + store, saying: "skipped revision \(ids[2])")
    let lines = text.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "2026-02-08")
    #expect(lines[1] == "- revision \(ids[1])  made 2026-02-09T06:00:00Z")
    #expect(lines[2] == "+ revision \(ids[3])  made 2026-02-11T06:00:00Z")
    #expect(lines[3] == "  steps                    8,001 -> 8,003  (+2)")
    #expect(lines[4] == #"  /zz_mood  nothing -> "\u001b[31mgood""#)
    #expect(lines.count == 5)

    let json = try await program.succeeds(["get", "--diff", "--output", "json"] + store).json()
    #expect(json["differs"] as? Bool == true)
    let changes = try #require(json["changes"] as? [[String: Any]])
    #expect(
      changes.compactMap { $0["pointer"] as? String } == [
        "/generated_at", "/metrics/steps", "/zz_mood",
      ])
    #expect(changes[1]["old"] as? Int == 8001 && changes[1]["new"] as? Int == 8003)
    #expect(changes[2]["old"] == nil)
    #expect((json["old"] as? [String: Any])?["revision_id"] as? String == ids[1])
  }

  @Test func `R37 exit codes: 0 for any difference, 1 only where it is asked for`() async throws {
    let (program, store, ids) = try history()
    // Without a date, ids are of the newest day that has two revisions.
    try await program.succeeds(
      ["get", "--diff", "--revision", ids[0], "--revision", ids[1]] + store.dropFirst(1),
      printing: "2026-02-08")
    try await program.succeeds(
      ["get", "--diff", "--exit-code", "--revision", ids[0], "--revision", ids[0]] + store,
      printing: "no differences in the data")
    #expect(
      try await program.run(["get", "--diff", "--revision", ids[0], "--revision", ids[1]] + store)
        .exitCode == 0)
    #expect(
      try await program.run(
        ["get", "--diff", "--exit-code", "--revision", ids[0], "--revision", ids[1]] + store
      ).exitCode == 1)
    try await program.fails(
      ["get", "--diff", "--revision", ids[0], "--revision", "20260101T000000Z-ABCDEF"] + store,
      as: .dataNotFound,
      saying: "20260101T000000Z-ABCDEF")
    try await program.run(
      ["get", "--diff", "--revision", ids[0], "--revision", "newest"] + store, ends: 64,
      saying: "is not a revision id")
    try await program.run(
      ["get", "--diff", "--revision", ids[0]] + store, ends: 64, saying: "two revision ids")
  }

  @Test func `R37 a day with one revision, or none, has nothing to compare`() async throws {
    let program = try Program()
    let folder = try program.folder("store")
    let store = ["--store", folder.path]
    try await program.fails(
      ["get", "--diff", "2026-02-08"] + store, as: .dataNotFound,
      saying: "the store holds no days yet")
    try await program.put(payload(), store)
    try await program.fails(
      ["get", "--diff", "2026-02-08"] + store, as: .dataNotFound,
      saying: "there is nothing to compare it with")
    try write("nothing", folder, "2026/02/08/revisions/20260101T000000Z-ABCDEF.json")
    let id =
      try await program.succeeds(
        ["get", "2026-02-08", "--history", "--output", "json"] + store
      ).json()["latest"] as? String
    try await program.refuses(
      [
        "get", "--diff", "2026-02-08", "--revision", "20260101T000000Z-ABCDEF", "--revision",
        id ?? "",
      ] + store, saying: "is not JSON")
  }

  @Test(arguments: TestServer.one)
  func `R36, R37 and R38 on a real server`(server: TestServer) async throws {
    let program = try Program().on(server)
    let prefix = "commands/\(UUID())"
    let store = server.arguments(prefix: prefix)
    for steps in [1, 2] { try await program.put(payload(steps: steps), store) }
    try await program.succeeds(["get", "--diff", "2026-02-08"] + store, printing: "1 -> 2  (+1)")
    let json = try await program.succeeds(
      ["get", "--diff", "2026-02-08", "--output", "json"] + store
    ).json()
    let old = try #require((json["old"] as? [String: Any])?["revision_id"] as? String)
    let then = try await program.succeeds(
      ["get", "2026-02-08", "--output", "json", "--as-of", PlantedDocument.moment(of: old)] + store)
    #expect((try then.json()["metrics"] as? [String: Any])?["steps"] as? Int == 1)

    // The pointer is set back by hand; a repair moves it forward.
    let folder = try program.folder("pointer")
    let text =
      "{\"date\":\"2026-02-08\",\"latest_generated_at\":\"\(PlantedDocument.moment(of: old))\","
      + "\"revision_id\":\"\(old)\",\"revision_relpath\":\"revisions/\(old).json\"}"
    try write(text, folder, "2026/02/08/latest.json")
    try await server.put(folder, below: prefix)
    let verify =
      ["verify", "2026-02-08", "--output", "json"]
      + server.arguments(prefix: prefix)
    let found = try await program.run(verify + ["--repair"], ends: 1)
    let planned = try #require(try found.json()["repairs"] as? [[String: Any]])
    #expect(planned.map { $0["outcome"] as? String } == ["would_move"])
    let repaired = try await program.run(verify + ["--repair", "--yes"], ends: 0)
    let done = try #require(try repaired.json()["repairs"] as? [[String: Any]])
    #expect(done.map { $0["outcome"] as? String } == ["moved"])
    #expect(done.first?["from"] as? String == old)
    #expect(repaired.errors.contains("moved latest.json of 2026-02-08"))
    #expect(try await program.succeeds(verify).json()["errors"] as? Int == 0)
  }
}
