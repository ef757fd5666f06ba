import Foundation
import TestSupport
import Testing

/// Further dates, zones and ranges that are not valid.
extension BadDateTests {
  @Test func `a zone of the environment or the configuration is checked too`() async throws {
    var program = try Program(["S3HEALTH_TIMEZONE": "Atlantis/Center"])
    try await program.refuses(["get"], saying: "Atlantis/Center", "--timezone")
    let doctor = try await program.run("doctor")
    #expect(doctor.exitCode == 64)
    #expect(doctor.output.contains("Atlantis/Center"))
    program.environment["S3HEALTH_TIMEZONE"] = ""
    _ = try program.file(".config/s3health/config", "timezone = Lemuria/East\n")
    try await program.refuses(["get"], saying: "Lemuria/East")
  }

  @Test func `a date that the input lacks has no data, and nothing is stored`() async throws {
    let file = try program.file("day.json", payload())
    try await program.fails(
      ["put", "--input", file, "--date", "2026-02-09"], as: .dataNotFound,
      saying: file, "holds 2026-02-08", "--date all")
    try await program.fails(
      ["put", "--input", file, "--from", "2026-03-01", "--to", "2026-03-31"], as: .dataNotFound,
      saying: "holds 2026-02-08")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `no bound is named that would be refused (R33)`() async throws {
    let ever = ["--from", "0001-01-01", "--to", "9999-12-31"]
    for command in [["verify"], ["report", "--html", "-"], ["put", "--input", "-"]] {
      let run = try await program.run(
        command + ever, input: payload(), ends: 64, saying: "3652059 days; at most")
      #expect(!run.errors.contains("--max-days"))
    }
  }

  @Test func `the calendar's last date is published and verified (R1, R4)`() async throws {
    for (date, zone) in [
      ("9999-12-31", "Etc/GMT+12"), ("9999-12-31", "Pacific/Kiritimati"), ("0001-01-01", "UTC"),
    ] {
      try await program.succeeds(
        ["put", "--input", "-", "--timezone", zone, "--allow-future", "--allow-past"],
        input: payload(date))
      let verify = try await program.succeeds(["verify", "--from", date, "--to", date])
      let summary = date > "9000" ? "0 complete, 1 so far (not over), 1 warning" : "1 complete"
      #expect(verify.output.contains("1 day: \(summary)\n"))
    }
  }
}

/// Further inputs that are refused.
extension BadPayloadTests {
  @Test func `50 MB of no payload are refused without being read to their end`() async throws {
    let file = try program.file("big.json", [])
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: 50 << 20)
    try handle.close()
    try await program.refuses(
      ["put", "--input", file], saying: file, "not valid JSON",
      "too long at byte 0")
    try await program.inShell("head -c 52428800 /dev/zero | \"$@\"").refuses(
      ["put", "--input", "-"], saying: "on stdin", "larger than 32 MB")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `metrics JSON of more than 32 MB is refused with its size`() async throws {
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 33 << 20)
    let file = try program.file("big.json", Array(#"{"days":["#.utf8) + blanks + Array("]}".utf8))
    try await program.refuses(
      ["put", "--input", file], saying: file, "larger than 32 MB",
      "split it")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `an input that is not a readable file is named`() async throws {
    let absent = program.home.path + "/absent.json"
    try await program.refuses(
      ["put", "--input", absent],
      saying: "\(absent) does not exist", "- is stdin")
    try await program.refuses(
      ["put", "--input", program.home.path],
      saying: "\(program.home.path) is a folder")
    let closed = try program.file("closed.json", payload())
    chmod(closed, 0)
    try await program.withoutPrivileges().refuses(
      ["put", "--input", closed], saying: closed, "permissions")
  }
}

/// Further texts that are shown, and never obeyed.
extension HostileTextTests {
  @Test func `what is said of a revision that is not valid is spelled out`() async throws {
    let program = try Program()
    let day = try await store(program, replacing: #""steps":"ok""#, with: #""steps":"\u001b[2J""#)
    let run = try await program.run(
      ["get"] + day, ends: 66, saying: #""\u{1b}[2J" is not a status"#)
    #expect(!run.errors.contains(Self.escape))
  }

  @Test func `a revision that is not JSON is shown escaped, line by line`() async throws {
    let program = try Program()
    let day = try await store(program, replacing: "{", with: "\(Self.escape)[2J\n{")
    let run = try await program.run(["get", "--revision", Self.id] + day, ends: 1)
    #expect(run.output.hasPrefix("\\u{1b}[2J\n{"))
    let bytes = try await program.run(["get", "--revision", Self.id, "-o", "json"] + day)
    #expect(bytes.output.hasPrefix("\(Self.escape)[2J\n{"))
  }

  @Test func `an input's names are spelled out in notes and errors`() async throws {
    let program = try Program()
    for (text, code) in [
      (#"{"metrics": {"steps": 1}, "\u001b[31mx": 1}"#, 0),
      (#"{"metrics": {"\u001b[31mx": 1}}"#, 64),
    ] {
      let run = try await program.run(["put", "--date", "2026-02-08", "--input", "-"], input: text)
      #expect(run.exitCode == code)
      #expect(run.errors.contains(#"\u{1b}[31mx"#))
      #expect(!run.errors.contains(Self.escape))
    }
  }
}

/// Further inputs of `put`, and what it says.
extension PutSelectionTests {
  @Test func `an undated input needs a date`() async throws {
    let undated = Array(#"{"metrics": {"steps": 1}}"#.utf8)
    for arguments in [[], ["--date", "all"]] {
      try await program.refuses(
        ["put", "--input", "-"] + arguments, input: undated, saying: "date")
    }
    let run = try await put(program, ["--date", "2026-02-08"], undated)
    #expect(try dates(run, "published") == ["2026-02-08"])
  }

  @Test func `R4 who moved names each zone with its first day, as in import`() async throws {
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0200",
      [
        SmallExport.record("StepCount", 1, from: "2024-03-01 10:00:00 +0100"),
        SmallExport.record("StepCount", 3, from: "2024-03-03 10:00:00 -0500"),
      ])
    let (first, later) = ("Europe/Paris", "America/New_York@2024-03-02")
    let ways = [["--timezone", first, "--timezone", later], ["--timezone", "\(first), \(later)"]]
    for (number, zones) in ways.enumerated() {
      let store = ["--store", try program.folder("store \(number)").path]
      let run = try await program.succeeds(
        ["put", "--date", "all", "--input", file, "-o", "json"] + zones + store)
      #expect(try dates(run, "published") == ["2024-03-01", "2024-03-02", "2024-03-03"])
      for (date, zone) in [("2024-03-01", first), ("2024-03-03", "America/New_York")] {
        let day = try await program.day(date, store)["day"] as? [String: String]
        #expect(day?["timezone"] == zone, "\(date)")
      }
    }
    let help = try await program.succeeds(["put", "--help"]).output
    #expect(help.contains("--timezone America/New_York@2024-03-02"))
    let wrong = ["put", "--input", file, "--timezone", first, "--timezone", "Asia/Tokyo"]
    try await program.refuses(wrong, saying: "Asia/Tokyo")
  }

  @Test func `unused parts of an input are reported on stderr, or in the document`() async throws {
    let input = Array(#"{"date": "2026-02-08", "mood": "good", "metrics": {"steps": 1}}"#.utf8)
    let text = try await program.put(input, saying: "note: ", "mood")
    #expect(!text.output.contains("mood"))
    let document = try await put(program, [], input)
    let notes = try #require(try document.json()["notes"] as? [String])
    #expect(notes.contains { $0.contains("mood") })
  }

  @Test func `a revision that get has printed can be put elsewhere`() async throws {
    _ = try await put(program, [], payload())
    let get = try await program.succeeds(["get", "2026-02-08", "--output", "json"])
    let other = try program.folder("other").path
    let copied = try await put(program, ["--store", other], Array(get.output.utf8))
    #expect(try dates(copied, "published") == ["2026-02-08"])
  }
}
