import Foundation
import TestSupport
import Testing

/// What else the settings of a person decide (R64).
extension PersonSettingsTests {
  @Test func `R64 a run over people uses each person's own today, unless a zone is given`()
    async throws
  {
    let program = try await program()
    defer { program.removeHome() }
    for command in [["ls"], ["verify", "--allow-missing"]] {
      let all = command + ["--people", "1d", "-o", "json"]
      let own = try lines(try await program.run(all)).map { $0["to"] as? String }
      #expect(own.count == 2 && own[0] != own[1], "\(command): \(own)")
      let given = try lines(try await program.run(all + ["--timezone", "Etc/UTC"]))
      #expect(Set(given.map { $0["to"] as? String }).count == 1, "\(command)")
    }
    try await program.fails(
      ["ls", "--people", "--timezone", "Mars/Base"], as: .invalidArguments, saying: "Mars/Base")
    // A command for one person gives the same days.
    let whole = try lines(
      try await program.run(["ls", "--people", "1d", "-o", "json"]))
    try await program.succeeds(
      ["put", "--person", "eve", "--date", "2026-01-02", "--input", "-"],
      input: Array(#"{"metrics":{"steps":1}}"#.utf8))
    let alone = try await program.succeeds(
      ["ls", "--person", "eve", "1d", "-o", "json"]
    ).json()
    #expect(alone["to"] as? String == whole[0]["to"] as? String)
  }

  @Test func `R64 a new zone says how to name a move, because collect uses it for all dates`()
    async throws
  {
    let program = try await program()
    defer { program.removeHome() }
    func set(_ zone: String) async throws -> String {
      try await program.succeeds(["people", "set", "lou", "--timezone", zone]).errors
    }
    let moved = try await set("Asia/Tokyo")
    let both = #/s3health people set lou --timezone "(Pacific/Pago_Pago, Asia/Tokyo@[0-9-]+)"/#
    let zones = try String(#require(moved.firstMatch(of: both), "\(moved)").1)
    for zone in ["Asia/Tokyo", zones, "", Self.early] {
      #expect(try await !set(zone).contains("note: "), "\(zone)")
    }
  }

  @Test func `R64 pages and numbers have the person's own units and goal`() async throws {
    let program = try await program()
    defer { program.removeHome() }
    for person in ["eve", "lou"] {
      try await program.succeeds(
        ["put", "--date", "2026-01-02", "--input", "-", "--person", person],
        input: Array(#"{"metrics": {"steps": 4000, "weight": 70}}"#.utf8))
    }
    let folder = program.home.appending(path: "pages").path
    let report = ["report", "--people", "--from", "2026-01-02", "--to", "2026-01-02"]
    try await program.succeeds(report + ["--out", folder])
    let page = { (id: String) in try String(contentsOfFile: "\(folder)/\(id).html", encoding: .utf8)
    }
    #expect(try page("eve").contains("154.3") && !page("lou").contains("154.3"))
    #expect(try page("lou").contains("70"))
    let day = ["get", "2026-01-02..2026-01-02", "--metrics", "weight", "--person", "eve"]
    #expect(try await program.succeeds(day).output.contains("154.3"))
    var configured = program
    configured.environment["S3HEALTH_UNITS"] = "st"
    #expect(try await !configured.succeeds(day).output.contains("154.3"))
  }
}
