import Foundation
import TestSupport
import Testing

/// What the programs leave in a folder and answer of it, member by member.
@Suite(.process) struct StoredDayTests {
  @Test func `R14: members of another format are noted, and stay after a put`() async throws {
    let stored = try await DamagedDay()
    let newest = stored.revision(stored.ids[1])
    // Without the digest, as a writer of another format leaves it.
    try stored.write(
      try stored.text(newest).replacing(#/"digest":"[^"]*",/#, with: "")
        .replacing(#""steps":2"#, with: #""mood":"good","steps":2"#)
        .replacing(#""schema_version""#, with: #""diary":{"lines":3},"schema_version""#),
      to: newest)
    let findings = try await stored.document(exit: 0)
    #expect(findings.allSatisfy { $0["severity"] == "note" }, "\(findings)")
    #expect(
      findings.filter { $0["rule"] == "R14" }.map { $0["pointer"] } == ["/diary", "/metrics/mood"])
    try await stored.program.put(#"{"date": "2026-02-08", "metrics": {"stand_hours": 12}}"#)
    let day = try await stored.program.succeeds(["get", "2026-02-08", "-o", "json"]).json()
    let metrics = try #require(day["metrics"] as? [String: Any])
    #expect(metrics["steps"] as? Int == 2 && metrics["stand_hours"] as? Int == 12)
    #expect(metrics["mood"] as? String == "good")
    #expect(day["diary"] as? [String: Int] == ["lines": 3])
  }

  @Test func `R16: the pointer is canonical, and a longer one is refused`() async throws {
    let stored = try await DamagedDay()
    let id = stored.ids[1]
    let moment = id.prefix(16).replacing(
      #/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/#
    ) { "\($0.1)-\($0.2)-\($0.3)T\($0.4):\($0.5):\($0.6)Z" }
    let bytes = try stored.text(stored.pointer)
    #expect(
      bytes == #"{"date":"2026-02-08","latest_generated_at":"\#(moment)","#
        + #""revision_id":"\#(id)","revision_relpath":"revisions/\#(id).json"}"#)
    try stored.write(bytes + String(repeating: " ", count: 4096), to: stored.pointer)
    #expect(try await stored.document(exit: 1).map { $0["code"] } == ["pointer_corrupt"])
    #expect(try await stored.program.succeeds(["get", "2026-02-08"]).output.contains(id))
  }

  @Test func `R31: the answer is the stored bytes, and names what was skipped`() async throws {
    let stored = try await DamagedDay()
    let newest = stored.revision(stored.ids[1])
    try stored.write(
      try stored.text(newest).replacing(#""steps":"ok""#, with: #""steps":"no_data""#), to: newest)
    let get = try await stored.program.succeeds(["get", "2026-02-08", "-o", "json"])
    let bytes = try stored.text(stored.revision(stored.ids[0]))
    #expect(get.output == bytes + "\n")
    #expect(get.errors.contains("skipped revision \(stored.ids[1])"))
    #expect(get.errors.contains("/metrics/steps [R10]"))
  }

  @Test func `R32: the history is oldest first, and an id reads each revision`() async throws {
    let stored = try await DamagedDay()
    let history = try await stored.program.succeeds([
      "get", "2026-02-08", "--history", "-o", "json",
    ])
    .json()
    let revisions = try #require(history["revisions"] as? [[String: Any]])
    #expect(revisions.map { $0["revision_id"] as? String } == stored.ids)
    #expect(history["latest"] as? String == stored.ids[1])
    try stored.write("{", to: stored.revision(stored.ids[0]))
    let ids = stored.ids
    let broken = try await stored.program.run("get", "2026-02-08", "--revision", ids[0])
    #expect(broken.exitCode != 0 && broken.errors.contains("R13"), "\(broken)")
    try await stored.program.succeeds(
      ["get", "2026-02-08", "--revision", ids[1]], printing: ids[1])
  }

  @Test func `R43: batches have keys of known streams, devices and dates`() async throws {
    let program = try Program()
    let point =
      #"{"timestamp":"2025-01-30T10:00:00Z","latitude":52.5,"longitude":13.4,"altitude":30,"#
      + #""speed":0,"horizontal_accuracy":5,"vertical_accuracy":3}"#
    try await program.succeeds(
      ["raw", "add", "--stream", "location", "--input", "-"], input: point)
    try await program.succeeds(["raw", "sync"])
    let keys = try contents(of: program.defaultStore).keys.filter { $0.hasPrefix("streams/") }
    #expect(
      keys.count == 1
        && keys.allSatisfy {
          $0.contains(
            #/^streams/v0/apple_ios_core_location/[0-9a-f-]{36}/2025/01/30/[0-9a-f]{64}\.json\.gz$/#
          )
        }, "\(keys)")
    try await program.run(
      ["raw", "add", "--stream", "apple_ios_dreams", "--input", "-"], input: point, ends: 64,
      saying: "apple_ios_dreams")
  }

  @Test func `R62: an agent reads the catalogue, days that there are and prompts`() async throws {
    let stored = try await DamagedDay()
    func request(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
    }
    let run = try await stored.program.agent([
      AgentLine.hello, request(2, "resources/list"),
      request(3, "resources/read", #"{"uri":"health://days/2026-02-08"}"#),
      request(4, "resources/read", #"{"uri":"health://days/2026-02-30"}"#),
      request(5, "prompts/get", #"{"name":"weekly_review"}"#),
    ])
    func result(_ id: Int) throws -> [String: Any] {
      try #require(try run.answer(id)["result"] as? [String: Any])
    }
    let resources = try #require(try result(2)["resources"] as? [[String: Any]])
    #expect(resources.map { $0["uri"] as? String } == ["health://metrics"])
    let contents = try #require(try result(3)["contents"] as? [[String: Any]])
    let text = try #require(contents.first?["text"] as? String)
    let day = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect((day["metrics"] as? [String: Any])?["steps"] as? Int == 2)
    #expect(try run.code(4) == -32002)
    #expect(try result(5)["messages"] is [Any])
    try await run.fitsTheProtocol()
  }
}
