import Foundation
import TestSupport
import Testing

/// Further files that a page is written to, and what it costs.
extension ReportCommandTests {
  @Test func `with - the page alone is on stdout`() async throws {
    try await program.put(payload())
    let run = try await program.succeeds(Self.range + ["--html", "-"])
    #expect(run.output.hasPrefix("<!DOCTYPE html>") && run.output.hasSuffix("</html>\n"))
    #expect(run.errors.hasPrefix("s3health: page  28 days: "))
    let both = try await program.run(Self.range + ["--html", "-", "--output", "json"])
    #expect(both.exitCode == 64 && !both.output.contains("<html"))
  }

  @Test func `a name that can't be a file is refused before the store is read`() async throws {
    let owner = try Program()
    let folder = try owner.folder("pages").path
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/astray", withDestinationPath: folder + "/nowhere")
    let program = owner.withoutPrivileges()
    // No such store: it would be missed if it were looked at.
    let store = ["--store", folder + "/no-store"]
    for (path, phrase) in [
      (folder, "is a folder"), ("", "is not a file name"), ("/dev/null", "not an ordinary file"),
      (folder + "/none/x.html", "is in a folder that does not exist"),
      (folder + "/astray", "is a link to a file that does not exist"),
      (folder + "/new/", "is not a file name"),
    ] {
      try await program.refuses(Self.range + ["--html", path] + store, saying: phrase)
    }
    try setMode(folder, 0o500)
    defer { try? setMode(folder, 0o700) }
    try await program.fails(
      Self.range + ["--html", folder + "/x.html"] + store, as: .storageUnavailable,
      saying: "can't be written", "Permission denied")
  }

  @Test func `a link is followed, and what it leads to is replaced`() async throws {
    let path = try program.file("real/page.html", [0x31])
    let link = program.home.appending(path: "link.html").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try await program.put(payload())
    try await program.succeeds(Self.range + ["--html", link])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
  }

  @Test func `wrong dates and ranges are refused as verify refuses them`() async throws {
    let page = ["--html", program.home.path + "/x.html"]
    try await program.refuses(
      ["report", "--from", "2026-02-02", "--to", "2026-02-01"] + page,
      saying: "R33")
    try await program.refuses(
      ["report", "--from", "2020-01-01", "--to", "2026-02-01"] + page,
      saying: "--max-days 2224")
    try await program.run(["report", "--from", "all", "--to", "today"] + page, ends: 64)
  }

  @Test func `a relative name is reported from the root, new or replaced`() async throws {
    var program = try Program()
    try await program.put(payload())
    let folder = try program.folder("pages")
    program.workingDirectory = folder.path
    for _ in 0..<2 {
      let run = try await program.succeeds(Self.range + ["--html", "health.html"])
      #expect(run.output.hasPrefix("/") && run.output.contains("/pages/health.html  28 days"))
    }
  }

  @Test func `a report costs the requests of verify of its days and those before`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let store = [
      "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("honest"), "--no-cache",
    ]
    try await program.put(payload(), store)
    try await program.put(payload("2026-02-10", steps: 3), store)
    func requests(_ command: [String]) async throws -> [String] {
      let before = try await server.requests().count
      _ = try await program.run(command + store)
      return try await server.requests().dropFirst(before).map { "\($0.method) \($0.path)" }
        .sorted()
    }
    // 29 days before the range: for its first mean of 30 days.
    let verify = try await requests(["verify", "2026-01-03..2026-02-28"])
    let report = try await requests(Self.range + ["--html", program.home.path + "/x.html"])
    #expect(report == verify && !report.isEmpty)
    #expect(report.count { $0.hasPrefix("GET") && $0.contains("/revisions/2") } == 2)
  }
}
