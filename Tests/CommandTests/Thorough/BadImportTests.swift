import Foundation
import TestSupport
import Testing

/// What is not a source, or is a broken one: refused with what to do, and nothing is published.
@Suite(.process) struct BadImportTests {
  let program: Program

  init() throws { program = try Program() }

  /// A file, and what must be said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    let bytes: [UInt8]
    let phrases: [String]

    init(_ description: String, _ name: String, _ text: String, _ phrases: String...) {
      (testDescription, self.name, bytes) = (description, name, Array(text.utf8))
      self.phrases = phrases
    }

    init(_ description: String, _ name: String, bytes: [UInt8], _ phrases: String...) {
      (testDescription, self.name, self.bytes, self.phrases) = (description, name, bytes, phrases)
    }
  }

  static let cases: [Case] = [
    Case("no bytes", "export.zip", "", "no bytes", "check the file"),
    Case("a web page", "export.zip", "<html><body/></html>", "web page", "download"),
    Case("another XML", "export.xml", "<gpx><trk/></gpx>", "no HealthData element"),
    Case(
      "a clinical document", "export_cda.xml", "<?xml version=\"1.0\"?><ClinicalDocument/>",
      "no HealthData element", "export.zip"),
    Case(
      "a cut-off export", "export.xml", "<HealthData locale=\"en\">\n <Record type=\"HKQuan",
      "ends before </HealthData>", "export it again"),
    Case("a cut-off zip", "export.zip", "PK\u{3}\u{4}rest", "export"),
    Case("an archive of AutoSync", "steps.hae", "bvx2....", "LZFSE", "format JSON"),
    Case("no JSON", "export.json", "{\"data\": {", "not valid JSON", "cut off"),
    Case("another JSON", "other.json", "{\"hello\":1}", "unknown form"),
    Case("a picture", "export.zip", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0], "JPEG", "export.zip"),
    Case("a screenshot", "a.png", bytes: [0x89] + Array("PNG\r\n".utf8), "PNG", "export.zip"),
    Case("a phone's picture", "a.heic", "\0\0\0\u{18}ftypheic", "picture", "export.zip"),
    Case("a document", "export.pdf", "%PDF-1.7\n", "PDF", "export.zip"),
    Case("a gzip", "export.xml.gz", bytes: [0x1F, 0x8B, 8, 0], "gzip", "gzip -dc"),
    Case(
      "a table of Health Auto Export", "HealthMetrics.csv",
      "Date,Active Energy (kcal),Step Count (count)\n2024-06-10 00:00:00,1,2\n", "CSV",
      "Health Auto Export writes it", "JSON"),
    Case("another table", "steps.csv", "day;steps;km\n1;2;3\n", "CSV", "JSON"),
  ]

  @Test(arguments: cases)
  func `a source that can't be taken is refused, and nothing is published`(_ source: Case)
    async throws
  {
    let file = try program.file(source.name, source.bytes)
    for command in [["import", file], ["put", "--date", "all", "--input", file]] {
      try await program.fails(command, "", .invalidArguments, [file] + source.phrases)
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `a metrics JSON is refused with the command that takes it`() async throws {
    let file = try program.file("metrics.json", #"{"metrics":{"steps":1}}"#)
    let error = try await program.refuses(
      ["import", file], saying: file, "a metrics JSON, and not a payload",
      "s3health put --input \(file)")
    #expect((error["remedy"] as? String)?.contains("only this input") == false)
    try await program.succeeds(["put", "--date", "2026-02-08", "--input", file])
  }

  @Test func `an export without any of the eight metrics holds no data`() async throws {
    let file = try program.file(
      "export.xml",
      """
      <HealthData locale="en"><Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" \
      unit="kg" startDate="2024-06-10 07:00:00 +0200" endDate="2024-06-10 07:00:00 +0200" \
      value="70"/></HealthData>
      """)
    try await program.fails(
      ["import", file, "--metrics", "v0"], as: .dataNotFound,
      saying: "none of the metrics that are read")
    try await program.succeeds(
      ["import", file, "--explain", "2024-06-12"], printing: "steps  no data")
  }

  @Test func `an export whose records can't be read says so and shows the first`() async throws {
    let record = """
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" \
      startDate="10.06.2024 07:00" endDate="10.06.2024 07:10" value="70"/>
      """
    let file = try program.file(
      "export.xml", "<HealthData locale=\"de\">\n\(record)\n\(record)\n</HealthData>")
    try await program.fails(
      ["import", file], as: .dataNotFound,
      saying: "none of the metrics that are read; 2 records can't be read",
      "line 2, date: \"10.06.2024 07:00\"")
  }

  @Test func `an export of records out of range gives the reason and the setting`() async throws {
    let record = """
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" \
      startDate="2569-06-10 07:00:00 +0700" endDate="2569-06-10 07:10:00 +0700" value="70"/>
      """
    let file = try program.file("export.xml", "<HealthData locale=\"th\">\(record)</HealthData>")
    try await program.fails(
      ["import", file], as: .dataNotFound, saying: "1 record left out: dated before 1900",
      "Language & Region > Calendar")
  }

  @Test func `a CSV of another app is named as such, with what is read`() async throws {
    let file = try program.file(
      "StepCount.csv", "sep=,\ntype,sourceName,startDate,value\nHKStepCount,iPhone,2026-01-01,20\n")
    for arguments in [["import", file], ["put", "--input", file]] {
      try await program.refuses(arguments, saying: "is a CSV file", "export.zip of the Health app")
    }
  }

  @Test func `an export that holds workouts alone says so, and how to list them`() async throws {
    let file = try program.file(
      "export.xml",
      """
      <HealthData locale="en"><Workout workoutActivityType="HKWorkoutActivityTypeRunning" \
      sourceName="W" startDate="2024-06-10 07:00:00 +0200" endDate="2024-06-10 08:00:00 +0200"/>\
      </HealthData>
      """)
    try await program.fails(
      ["import", file], as: .dataNotFound, saying: "holds 1 workout and none of the metrics",
      "s3health export csv --table workouts --input \(file)")
    try await program.succeeds(
      ["export", "csv", "--table", "workouts", "--input", file], printing: ",Running,")
    let payload = try program.file(
      "workouts.json",
      """
      {"data":{"metrics":[],"workouts":[{"name":"Running","start":"2026-02-08 07:00:00 +0000",
      "end":"2026-02-08 08:00:00 +0000","duration":3600}]}}
      """)
    try await program.run(["import", payload], ends: 66, saying: "1 workout was not used")
  }

  @Test func `a path that leads nowhere, and folders without a source, are named`() async throws {
    let absent = program.home.path + "/absent.zip"
    try await program.refuses(["import", absent], saying: "\(absent) does not exist")
    let empty = try program.folder("empty").path
    try await program.refuses(["import", empty], saying: empty, "export.xml", ".json")
    _ = try program.file("sync/AutoSync/HealthMetrics/step_count/20240610.hae", [1])
    try await program.refuses(
      ["import", program.home.path + "/sync"], saying: "LZFSE",
      "20240610.hae")
    _ = try program.file("broken/a.json", "{\"data\":{\"metrics\":[]}}")
    let cut = try program.file("broken/b.json", "{\"data\":{\"metr")
    try await program.refuses(["import", program.home.path + "/broken"], saying: cut, "cut off")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `a folder's one zip is read, and of several none`() async throws {
    let program = try Program().withoutZone()
    let export = try await GeneratedExport(program, ["--days", "3"])
    let bytes = Array(try Data(contentsOf: URL(filePath: export.zip)))
    _ = try program.file("Downloads/Exportieren.zip", bytes)
    _ = try program.file("Downloads/letter.pdf", "%PDF")
    let folder = program.home.path + "/Downloads"
    let run = try await program.succeeds(["import", folder, "--output", "json"])
    #expect(try run.json()["source"] as? String == folder + "/Exportieren.zip")
    #expect(try run.json()["days"] as? Int == 3)
    _ = try program.file("Downloads/export 2.zip", bytes)
    try await program.refuses(["import", folder], saying: "Exportieren.zip, export 2.zip")
    _ = try program.file("tables/HealthMetrics.csv", "Date,Steps (count)\n")
    try await program.refuses(["import", program.home.path + "/tables"], saying: "CSV", "JSON")
  }

  @Test func `a zip of payloads says what to do with it`() async throws {
    let zip = program.home.path + "/HealthAutoExport.zip"
    let script = "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr('a.json', '{}')"
    let process = Process()
    process.executableURL = URL(filePath: try PeerPython.interpreter())
    process.arguments = ["-c", script, zip]
    try process.run()
    process.waitUntilExit()
    try await program.refuses(["import", zip], saying: "JSON files", "unpack it")
  }

  @Test func `a source priority that names no source lists those that there are`() async throws {
    let program = try Program().withoutZone()
    let export = try await GeneratedExport(program, ["--days", "3"])
    try await program.refuses(
      ["import", export.xml, "--source-priority", "Anna's Watch"],
      saying: "'Anna's Watch'", "iPhone", "Apple\u{A0}Watch")
    #expect(try contents(of: program.defaultStore).isEmpty)
    try await program.succeeds(["import", export.xml, "--source-priority", "ann's apple watch"])
    let payload = ProjectTree.root.appending(path: "Examples/payloads/health-auto-export.json")
    try await program.refuses(
      ["import", payload.path, "--source-priority", "Watch"],
      saying: "--source-priority")
  }

  @Test func `R19: a zip whose bytes have changed publishes nothing`() async throws {
    let program = try Program().withoutZone()
    let export = try await GeneratedExport(program, ["--days", "3"])
    var bytes = Array(try Data(contentsOf: URL(filePath: export.zip)))
    let whole = bytes
    bytes[bytes.count / 2] ^= 0xFF
    let damaged = try program.file("damaged.zip", bytes)
    try await program.refuses(["import", damaged], saying: damaged)
    let cut = try program.file("cut.zip", Array(whole[..<(whole.count / 2)]))
    try await program.refuses(["import", cut], saying: cut)
    try await program.inShell("head -c \(whole.count / 2) | \"$@\"").refuses(
      ["import", "-"], input: whole, saying: "stdin")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `wrong arguments are refused before the source is read`() async throws {
    let absent = "absent.zip"
    for arguments in [
      ["--from", "2024-02-30"], ["--to", "someday"], ["--explain", "2024-13-01"],
      ["--timezone", "Mars/Phobos"], ["--from", "2024-06-02", "--to", "2024-06-01"],
      ["--concurrency", "0"], ["--explain", "2024-06-01", "--dry-run"], ["--from", "all"],
    ] {
      let run = try await program.run(["import", absent] + arguments, ends: 64)
      #expect(!run.errors.contains(absent), "\(arguments): \(run.errors)")
    }
    #expect(try await program.run("put", "--date", "today").exitCode == 64)
  }
}
