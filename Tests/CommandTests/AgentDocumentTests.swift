import Foundation
import TestSupport
import Testing

/// The calls of docs/MCP.md are answered as it shows.
@Suite(.process) struct AgentDocumentTests {
  /// What three dots stand for in the document.
  private static let anything = "..."

  /// A block of the document as JSON; `{...}` is anything, `,...}` further members.
  private func value(_ text: String) throws -> Any {
    let whole = text.replacing("{...}", with: #""...""#)
      .replacing(",...}", with: #","...":"..."}"#)
    return try JSONSerialization.jsonObject(with: Data(whole.utf8))
  }

  /// Where an answer differs from what is shown; ages and, of what the test has published itself,
  /// moments are left aside.
  private func differences(_ shown: Any, _ answered: Any?, at place: String = "") -> [String] {
    if shown as? String == Self.anything { return [] }
    guard let shown = shown as? [String: Any], let answered = answered as? [String: Any] else {
      if let shown = shown as? [Any], let answered = answered as? [Any],
        shown.count == answered.count
      {
        return zip(shown, answered).enumerated().flatMap {
          differences($1.0, $1.1, at: "\(place)/\($0)")
        }
      }
      return shown as? NSObject == answered as? NSObject ? [] : [place]
    }
    let isOpen = shown[Self.anything] != nil
    var found = shown.flatMap { name, value -> [String] in
      if name == Self.anything { return [] }
      let isClock =
        name == "age_seconds" || (place.hasSuffix("/freshness") && name == "generated_at")
      if isClock, answered[name] != nil { return [] }
      return differences(value, answered[name], at: "\(place)/\(name)")
    }
    if !isOpen {
      // It is there where storing took until another second.
      let mayBe = place.hasSuffix("/freshness") ? ["captured_at"] : []
      found += answered.keys.filter { shown[$0] == nil && !mayBe.contains($0) }
        .map { "\(place)/\($0) is not shown" }
    }
    return found
  }

  /// Two programs: one whose store has the ordinary day of the schema's examples, one with the
  /// days that the compact answer shows.
  private func publish(_ compact: [String: Any], in program: Program) async throws {
    let columns = try #require(compact["columns"] as? [String])
    let rows = try #require(compact["days"] as? [String: [Any]])
    let days = rows.map { date, row in
      [
        "date": date, "timezone": "Europe/Berlin",
        "metrics": Dictionary(uniqueKeysWithValues: zip(columns, row)),
      ] as [String: Any]
    }
    let input = try JSONSerialization.data(withJSONObject: ["days": days])
    try await program.succeeds(["put", "--input", "-", "--date", "all"], input: Array(input))
  }

  @Test func `every call of the guide is answered as it shows`() async throws {
    let blocks = try Document("docs/MCP.md").blocks.map(\.text)
    let calls = blocks.indices.filter { blocks[$0].hasPrefix(#"{"name""#) }
    #expect(calls.count == 7)
    let program = try Program()
    let folder = program.defaultStore.appending(path: "health/v0/data/2026/02/08/revisions")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: ProjectTree.root.appending(path: "schema/examples/ordinary_day.json"),
      to: folder.appending(path: "20260208T100000Z-7F3A2C.json"))
    let other = try Program()
    for index in calls {
      let shown = try value(blocks[index + 1])
      // The compact answer shows the days that the answers after it are about.
      let isCompact = blocks[index].contains("compact")
      let isOther = ["compact", "list_metrics", "summarize_range"].contains {
        blocks[index].contains($0)
      }
      if isCompact { try await publish(try #require(shown as? [String: Any]), in: other) }
      let run = try await (isOther ? other : program).agent([
        AgentLine.hello,
        AgentLine.request(1, "tools/call", blocks[index].replacing("\n", with: " ")),
      ])
      let found = differences(shown, try run.content(1))
      #expect(found.isEmpty, "\(blocks[index]): \(found) of \(run.run.output)")
    }
  }
}
