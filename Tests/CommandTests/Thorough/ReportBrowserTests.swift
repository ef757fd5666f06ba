import Foundation
import StoreTesting
import TestSupport
import Testing

/// The page in a real headless Chromium (Tests/Peers/report_browser.py): light, dark, in forced
/// colours, printed and 360 pixels wide. Screenshots are kept where S3HEALTH_SCREENSHOTS names a folder.
@Suite(.serialized, .process, .browser) struct ReportBrowserTests {
  let program: Program

  init() throws { program = try Program() }

  /// What the browser met in one look.
  private struct Look: Decodable {
    struct Wider: Decodable {
      let by: Int
      let elements: [String]
    }
    struct Contrast: Decodable {
      let ratio: Double
      let text: String
      let marks: Double
    }
    struct Shapes: Decodable {
      let ratio: Double
      let mark: String
    }
    struct Paper: Decodable {
      let cut: [String]
      let dark: [String]
      let pressed: [String]
      let hidden: [String]
    }
    struct Node: Decodable {
      let role: String
      let name: String
    }

    let console: [String]
    let failures: [String]
    let elsewhere: [String]
    let wider: Wider
    let open: Wider?
    let contrast: Contrast?
    let shapes: Shapes?
    let paper: Paper?
    /// The text of each printed page.
    let sheets: [String]?
    let axe: [String]?
    let tree: [Node]?
    let elements: Int?
    let scripts: Int?
  }

  /// What the browser met in each look at a page.
  private func looks(
    at path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String: Look] {
    let environment = ProcessInfo.processInfo.environment
    let browser = try #require(
      environment["S3HEALTH_BROWSER"], "run the tests by scripts/test",
      sourceLocation: sourceLocation)
    var question: [String: Any] = ["page": path, "browser": browser]
    question["folder"] = environment["S3HEALTH_SCREENSHOTS"]
    let output = try await PeerPython.run(
      "report_browser.py", input: Array(try JSONSerialization.data(withJSONObject: question)),
      in: .all)
    return try JSONDecoder().decode([String: Look].self, from: Data(output))
  }

  /// A program with a page, and what must be in the page's text; `months` are drawn in its calendar.
  private func expectSound(
    _ program: Program, _ name: String, _ arguments: [String], expect: [String] = [],
    months: Int, at location: SourceLocation = #_sourceLocation
  ) async throws -> ReadPage {
    let path = program.home.appending(path: "\(name).html").path
    try await program.succeeds(["report", "--html", path] + arguments, at: location)
    let looks = try await looks(at: path, sourceLocation: location)
    #expect(
      Set(looks.keys) == ["light", "dark", "forced", "print", "narrow"], sourceLocation: location)
    for (kind, look) in looks {
      #expect(look.console == [], "\(kind)", sourceLocation: location)
      #expect(look.failures == [], "\(kind)", sourceLocation: location)
      #expect(look.elsewhere == [], "\(kind)", sourceLocation: location)
      for wider in [look.wider, look.open].compactMap(\.self) {
        #expect(wider.by == 0 && wider.elements == [], "\(kind)", sourceLocation: location)
      }
      if let contrast = look.contrast {
        #expect(contrast.ratio >= 4.5, "\(kind): \(contrast.text)", sourceLocation: location)
        #expect(contrast.marks >= 3, "\(kind)", sourceLocation: location)
      }
    }
    let shapes = try #require(looks["forced"]?.shapes, sourceLocation: location)
    #expect(shapes.ratio >= 3, "\(shapes.mark)", sourceLocation: location)
    let paper = try #require(looks["print"]?.paper, sourceLocation: location)
    #expect(paper.cut + paper.dark + paper.pressed + paper.hidden == [], sourceLocation: location)
    try expectRunningHeader(looks["print"]?.sheets, sourceLocation: location)
    #expect(looks["light"]?.axe == [], sourceLocation: location)
    let light = try #require(looks["light"], sourceLocation: location)
    #expect(light.scripts == 0, sourceLocation: location)
    let tree = try #require(light.tree, sourceLocation: location)
    for role in ["main", "banner", "contentinfo", "RootWebArea"] {
      #expect(tree.count { $0.role == role } == 1, "\(role)", sourceLocation: location)
    }
    #expect(
      Set(tree.filter { $0.role == "region" }.map(\.name)).isSuperset(of: [
        "Coverage", "Metrics", "Findings", "Revisions and origins", "As a table",
      ]), sourceLocation: location)
    let pictures = tree.filter { $0.role == "image" }
    #expect(
      pictures.allSatisfy {
        $0.name.contains("complete") || $0.name.contains(": ") || $0.name.contains("numbers on")
      },
      "\(pictures.map(\.name))", sourceLocation: location)
    #expect(tree.filter { $0.role == "heading" }.allSatisfy { !$0.name.isEmpty })
    let facts = try await ReadPage.read(path, expect: expect)
    let charts = facts.sparks.values.map(\.charts).reduce(0, +)
    #expect(pictures.count == months + charts, sourceLocation: location)
    #expect(facts.bad == [], sourceLocation: location)
    return facts
  }

  /// Each printed page has its number, and each but the first says whose data it is and of when.
  private func expectRunningHeader(
    _ sheets: [String]?, person: String? = nil, sourceLocation location: SourceLocation
  ) throws {
    let sheets = try #require(sheets, sourceLocation: location)
    for (place, sheet) in sheets.enumerated() {
      #expect(sheet.contains("page \(place + 1) of \(sheets.count)"), sourceLocation: location)
      let heads = sheet.components(separatedBy: "Health data, ").count - 1
      #expect(heads == (place == 0 ? 0 : 1), "page \(place + 1)", sourceLocation: location)
      guard let person, place > 0 else { continue }
      // Text read out of a page lacks some of the spaces.
      #expect(
        sheet.replacing(" ", with: "").contains(person.replacing(" ", with: "")),
        sourceLocation: location)
    }
  }

  /// Publishes days by way of `put`, some metrics missing at times.
  private func publish(
    _ program: Program, _ store: [String], from first: PlantedDate, days: Int,
    skipping: (Int) -> Bool = { _ in false }
  ) async throws {
    var random = SplitMix64(seed: 5)
    let texts = (0..<days).filter { !skipping($0) }.map { place in
      let season = sin(Double(place) / 58)
      func number(_ middle: Double, _ spread: Double, absent share: Int) -> String {
        guard Int.random(in: 0..<100, using: &random) >= share else { return "null" }
        let noise = Double.random(in: -1...1, using: &random)
        return "\(((middle + spread * (season + noise) / 2) * 10).rounded() / 10)"
      }
      return """
        {"date": "\(PlantedDate(number: first.number + place).text)", "metrics": {
        "steps": \(Int.random(in: 900...16_000, using: &random)),
        "active_energy_kcal": \(number(480, 260, absent: 1)),
        "exercise_minutes": \(number(38, 30, absent: 2)),
        "stand_hours": \(number(11, 3, absent: 2)),
        "resting_hr_avg": \(number(58, 5, absent: 6)),
        "hrv_sdnn_avg": \(number(52, 24, absent: 25)),
        "sleep_asleep_minutes": \(number(420, 90, absent: 9)),
        "sleep_in_bed_minutes": \(number(455, 80, absent: 9))}}
        """
    }
    try await program.succeeds(
      ["put", "--date", "all", "--input", "-"] + store,
      input: #"{"days": [\#(texts.joined(separator: ","))]}"#)
  }

  @Test func `a page without data, and one of a single day`() async throws {
    try await publish(program, [], from: PlantedDate(number: 20_500), days: 1)
    let none = try await expectSound(
      program, "none", ["--from", "2026-01-01", "--to", "2026-02-09"], months: 2)
    #expect(none.marks == ["missing": 40])
    let date = PlantedDate(number: 20_500).text
    let one = try await expectSound(program, "one", ["--from", date, "--to", date], months: 1)
    #expect(one.rows.count == 1 && one.sparks["Steps"]?.charts == 0)
  }

  @Test func `a page of a year with gaps and faults of every kind`() async throws {
    let folder = try program.folder("year")
    let store = ["--store", folder.path]
    let first = PlantedDate(number: 20_150)
    try await publish(program, store, from: first, days: 366) { place in
      (40..<52).contains(place) || place % 71 == 5 || (200..<280).contains(place)
    }
    let planted = PlantedStore(from: PlantedDate(number: first.number + 200), days: 80, seed: 3)
    try planted.write(to: folder)
    let last = PlantedDate(number: first.number + 365).text
    let year = try await expectSound(
      program, "year", ["--from", first.text, "--to", last] + store, months: 13)
    #expect(year.rows.count == 366 && year.findings.count > 20 && year.years == 1)
    #expect(year.marks.keys.sorted() == ["complete", "faulty", "invalid", "missing", "partial"])
  }

  @Test func `a report for a doctor is printed with a running header, no row cut`() async throws {
    let first = PlantedDate(number: 20_150)
    try await publish(program, [], from: first, days: 366) { $0 % 71 == 5 }
    let last = PlantedDate(number: first.number + 365).text
    let path = program.home.appending(path: "doctor.html").path
    try await program.succeeds(
      ["report", "--html", path, "--from", first.text, "--to", last, "--for", "doctor"]
        + ["--name", "Zoë \"O’Hara\" </style>", "--born", "1970-01-31"])
    let look = try await looks(at: path)["print"]
    try expectRunningHeader(
      look?.sheets, person: "Zoë \"O’Hara\" </style>, born 1970-01-31",
      sourceLocation: #_sourceLocation)
    let sheets = try #require(look?.sheets)
    #expect(sheets.count >= 8)
    #expect(sheets[0].contains("Averages") && sheets[0].contains("Resting heart rate"))
    // Every day's row is on one page, whole.
    let rows = sheets.joined(separator: "\n").split(separator: "\n")
    for place in [0, 100, 200, 365] {
      let date = PlantedDate(number: first.number + place).text
      #expect(rows.contains { $0.hasPrefix(date) && $0.count > 30 }, "\(date)")
    }
  }

  @Test func `a page of ten years`() async throws {
    let first = PlantedDate(number: 16_800)
    try await publish(program, [], from: first, days: 3653) { place in
      place % 97 == 4 || (1500..<1650).contains(place)
    }
    let last = PlantedDate(number: first.number + 3652).text
    let decade = try await expectSound(
      program, "decade", ["--from", first.text, "--to", last, "--max-days", "3653"], months: 121)
    #expect(decade.rows.count == 121)
  }

  @Test func `a page of hostile strings shows them and obeys none`() async throws {
    let folder = try program.folder("x\"><script>alert(1)</script>")
    let store = ["--store", folder.path]
    try await publish(program, store, from: PlantedDate(number: 20_485), days: 3)
    let day = folder.appending(path: "health/v0/data/2026/02/01")
    try FileManager.default.createDirectory(at: day, withIntermediateDirectories: true)
    let names = [
      "<script>document.title='x'</script>", "<img src=x onerror=alert(1)>", "a\u{202E}lmth.b",
      "\" onmouseover=\"alert(1)", "</style><style>*{display:none}</style>", "&lt;b&gt;",
      "\u{200F}x", "<\u{338}b>", "مرحبا بالعالم", String(repeating: "long", count: 60),
    ].map { $0.replacing("/", with: "\u{2215}") }
    for name in names { try Data([0x31]).write(to: day.appending(path: name)) }
    var document = PlantedDocument(date: PlantedDate(number: 20_486), id: "20260203T100000Z-ABCDEF")
    document.pieces["/day/timezone"] = "\"<b onclick=x>Mars\u{202E}</b>\""
    let revisions = folder.appending(path: "health/v0/data/2026/02/02/revisions")
    try? FileManager.default.removeItem(at: revisions)
    try FileManager.default.createDirectory(at: revisions, withIntermediateDirectories: true)
    try Data(document.text.utf8).write(
      to: revisions.appending(path: "20260203T100000Z-ABCDEF.json"))
    _ = try await expectSound(
      program, "hostile", ["--from", "2026-01-31", "--to", "2026-02-05"] + store,
      expect: names.map { "health/v0/data/2026/02/01/\($0)" } + ["<b onclick=x>Mars\u{202E}</b>"],
      months: 2)
  }
}
