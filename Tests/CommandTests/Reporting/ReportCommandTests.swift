import Foundation
import TestSupport
import Testing

/// `report` as a user runs it: the file, the summary, and what happens where a store fails.
@Suite(.process) struct ReportCommandTests {
  let program: Program

  init() throws { program = try Program() }

  static let range = ["report", "2026-02-01..2026-02-28"]

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test func `the page is a private file, replaced whole, and stdout names it`() async throws {
    try await program.put(payload())
    let folder = try program.folder("pages")
    let path = try program.file("pages/health.html", "old")
    try setMode(path, 0o644)
    let run = try await program.succeeds(
      Self.range + ["--html", path], printing: "health.html  28 days: 1 with data, 27 missing  (")
    #expect(run.errors.isEmpty)
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(try mode(path) == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["health.html"])

    let document = try await program.succeeds(Self.range + ["--html", path, "--output", "json"])
      .json()
    #expect(document["missing_days"] as? Int == 27 && document["partial_days"] as? Int == 1)
    #expect(document["errors"] as? Int == 27 && document["revisions"] as? Int == 1)
    #expect((document["html"] as? String)?.hasSuffix("pages/health.html") == true)
    let size = try Data(contentsOf: URL(filePath: path)).count
    #expect(document["bytes"] as? Int == size)
    #expect(document["newest_date"] as? String == "2026-02-08")
    #expect(document["generated_at"] is String && document["age_seconds"] is Int)
  }

  @Test func `R33 a store that can't be read whole leaves the page that was there`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile().sendingOnce()
    func at(_ mode: String) -> [String] {
      ["--store", "s3://n14/p", "--endpoint-url", server.endpoint(mode)]
    }
    try await program.publishFebruary(at("honest"))
    let path = try program.file("pages/x.html", "what was there")
    try await program.fails(
      Self.range + ["--html", path] + at("deniesfives"), as: .notAuthorized, saying: "not allowed")
    try await program.fails(
      Self.range + ["--html", path] + at("diesreading"), as: .storageUnavailable)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "what was there")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: program.home.appending(path: "pages").path)
    #expect(names == ["x.html"])
    let piped = try await program.run(Self.range + ["--html", "-"] + at("deniesfives"))
    #expect(piped.exitCode == 77 && piped.output.isEmpty)
  }

  @Test func `the page's counts and numbers are those of an independent reader`() async throws {
    let store = PlantedStore(from: PlantedDate(number: 20_000), days: 400, seed: 11)
    let folder = try program.folder("planted")
    try store.write(to: folder)
    let (first, last) = (store.days[0].date.text, store.days[399].date.text)
    let path = program.home.path + "/x.html"
    try await program.succeeds([
      "report", "--from", first, "--to", last, "--max-days", "400", "--html", path, "--store",
      folder.path,
    ])
    let page = try await ReadPage.read(path)
    #expect(page.bad == [])

    let peers = try await LedgerRow.read(["folder": folder.path], from: first, to: last)
    let errors = Dictionary(
      grouping: store.findings(deep: false).filter { $0.hasPrefix("error ") },
      by: { String($0.suffix(10)) })
    var marks: [String: Int] = [:]
    for (row, peer) in zip(page.rows, peers) {
      #expect(row[0] == peer.date)
      let kind =
        if peer.missing { "missing" } else if peer.numbers == nil {
          "no valid revision"
        } else if errors[peer.date] != nil { "faulty" } else { "complete" }
      #expect(row[1] == kind, "\(peer.date)")
      marks[kind, default: 0] += 1
      #expect(row[2] == "\(peer.revisions)", "\(peer.date)")
      let cells = row.dropFirst(3).map { cell in
        Double(cell.replacing(",", with: "").replacing("*", with: ""))
      }
      #expect(cells == peer.numbers ?? Array(repeating: nil, count: 8), "\(peer.date)")
    }
    #expect(page.rows.count == 400 && peers.count == 400 && marks.count == 4)
    for (mark, kind) in [
      ("complete", "complete"), ("missing", "missing"), ("faulty", "faulty"),
      ("invalid", "no valid revision"),
    ] {
      #expect(page.marks[mark] == marks[kind])
      #expect(page.legend[mark]?.hasPrefix("\(marks[kind] ?? 0) \(kind)") == true)
    }
    let cards = [
      "Steps", "Active energy", "Exercise", "Stand hours", "Resting heart rate",
      "Heart rate variability", "Asleep", "In bed",
    ]
    #expect(Set(page.sparks.keys) == Set(cards))
    for (place, name) in cards.enumerated() {
      // A readable day may leave a metric out (R41): it has no point there. Nor has a 0 that is
      // doubted (R10), or a number below 0 (R9): it has a mark.
      let isEverZero = ["Exercise", "Stand hours"].contains(name)
      let numbers = peers.map { $0.numbers?[place] }
      let doubted = numbers.indices.filter { place in
        numbers[place].map { $0 < 0 || $0 == 0 && !isEverZero } ?? false
      }
      #expect(page.sparks[name]?.doubted == doubted, "\(name)")
      let drawn = numbers.indices.filter { numbers[$0] != nil && !doubted.contains($0) }
      #expect(page.sparks[name]?.drawn == drawn, "\(name)")
      #expect(page.sparks[name]?.joined == drawn.filter { drawn.contains($0 + 1) }, "\(name)")
    }
    let told = page.findings.reduce(0) { sum, finding in
      sum + (Int(finding.count.filter(\.isNumber)) ?? 0)
    }
    #expect(told == store.findings(deep: false).count)
    #expect(page.tiles[3].hasPrefix("\(peers.map(\.revisions).reduce(0, +))"))
    let newest = try #require(peers.last { ($0.numbers ?? []).contains { $0 != nil } })
    #expect(page.tiles[1].contains(newest.date))
    let made = try #require(newest.made)
    #expect(page.tiles[1].contains(made.replacing("T", with: " ").prefix(16)))
  }
}
