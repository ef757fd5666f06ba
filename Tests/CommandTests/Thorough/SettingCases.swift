import Foundation
import TestSupport
import Testing

/// Further first steps.
extension FirstStepTests {
  @Test func `get prints a revision's id with its document where it is asked to`() async throws {
    try await program.put(payload())
    let get = ["get", "2026-02-08", "-o", "json"]
    let plain = try await program.succeeds(get).json()
    let named = try await program.succeeds(get + ["--with-id"]).json()
    let key = try #require(named["key"] as? String)
    #expect(key.hasSuffix("/\(named["revision_id"] ?? "").json"), "\(key)")
    #expect(named["document"] as? NSDictionary == plain as NSDictionary)
    #expect(try await program.run("get", "2026-02-08", "--with-id").exitCode == 64)
    try await program.fails(
      ["get", "2026-02-09"], as: .dataNotFound, saying: "s3health import", "s3health collect")
  }

  @Test func `report needs no option, and replaces no file that is not its own`() async throws {
    let program = here(try Program())
    try await program.put(payload())
    let page = program.home.appending(path: "health-report.html")
    for _ in 1...2 {
      let run = try await program.succeeds(["report"])
      #expect(run.output.hasPrefix("\(page.path)  "))
      #expect(try String(contentsOf: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    }
    try Data("<!DOCTYPE html>\n<html lang=\"en\">mine".utf8).write(to: page)
    try await program.refuses(["report"], saying: "not a page of s3health")
    #expect(try String(contentsOf: page, encoding: .utf8).hasSuffix("mine"))
    let other = program.home.appending(path: "other.html").path
    try await program.succeeds(["report", "2026-02", "-o", "other.html"])
    #expect(FileManager.default.fileExists(atPath: other))
    let file = try await program.run("report", "other.html")
    #expect(file.exitCode == 64 && file.errors.contains("use --html other.html"), "\(file.errors)")
  }

  @Test func `config unset removes a setting, and init the endpoint of a file`() async throws {
    let program = here(try Program())
    let config = program.home.appending(path: ".config/s3health/config")
    try await program.succeeds(["config", "set", "endpoint_url", "https://minio.home:9000"])
    try await program.succeeds(["config", "set", "step_goal", "9000"])
    try await program.succeeds(
      ["config", "unset", "endpoint_url"],
      printing: "endpoint_url is no longer set  (was https://minio.home:9000)")
    let text = try String(contentsOf: config, encoding: .utf8)
    #expect(!text.contains("endpoint_url") && text.hasSuffix("step_goal = 9000\n"), "\(text)")
    let again = try await program.succeeds(["config", "unset", "endpoint_url", "-o", "json"]).json()
    #expect(again["written"] as? Bool == false && again["before"] is NSNull, "\(again)")
    try await program.refuses(["config", "unset", "endpoint"], saying: "did you mean endpoint_url")
    try await program.succeeds(["config", "set", "endpoint_url", "https://minio.home:9000"])
    let folder = try program.folder("days").path
    let asked = try await program.run("init", folder, "--endpoint-url", "")
    #expect(asked.exitCode == 64, "\(asked)")
    #expect(
      asked.errors.contains("https://minio.home:9000 and would no longer be set"), "\(asked.errors)"
    )
    try await program.succeeds(
      ["init", folder, "--endpoint-url", "", "--force"], printing: "endpoint_url: no longer set")
    #expect(try !String(contentsOf: config, encoding: .utf8).contains("endpoint_url"))
  }

  @Test func `config get prints a setting in force, and says if there is none`() async throws {
    let program = try Program(["S3HEALTH_TIMEZONE": "Asia/Tokyo"])
    #expect(try await program.succeeds(["config", "get", "timezone"]).output == "Asia/Tokyo\n")
    try await program.fails(
      ["config", "get", "gateway"], as: .dataNotFound, saying: "gateway is not set")
    try await program.refuses(["config", "get", "timezon"], saying: "did you mean timezone")
  }
}

/// Further answers and files of `init`.
extension InitCommandTests {
  @Test func `answers that fail the test are not written, and are asked for again`() async throws {
    var program = try program()
    program.environment["AWS_ACCESS_KEY_ID"] = "someone"
    program.environment["AWS_SECRET_ACCESS_KEY"] = "secret"
    program.environment["AWS_MAX_ATTEMPTS"] = "1"
    // Nobody listens there.
    let bucket = ["s3://bucket/me", "http://127.0.0.1:1", "", "Asia/Tokyo", ""]
    try await program.onTerminal(columns: 100, errorsToo: true).run(
      ["init"], input: Array((bucket + ["no"]).map { $0 + "\n" }.joined().utf8), ends: 69,
      printing: "nothing was", config(program).path)
    #expect(!FileManager.default.fileExists(atPath: config(program).path))
    let again = bucket + ["yes", program.defaultStore.path, "", ""]
    try await program.onTerminal(columns: 100, errorsToo: true).run(
      ["init"], input: Array(again.map { $0 + "\n" }.joined().utf8), ends: 0)
    #expect(try text(program).contains("\nstore = \(program.defaultStore.path)\n"))
    // Ctrl-D ends it.
    let ended = try await asked(program, "s3://bucket/me")
    #expect(ended.exitCode == 64 && ended.output.contains("nothing was written"))
  }

  @Test func `a file with settings is not given a store that fails`() async throws {
    var program = try program()
    program.environment["AWS_MAX_ATTEMPTS"] = "1"
    let before = "timezone = Asia/Tokyo\n"
    _ = try program.file(".config/s3health/config", before)
    let run = try await program.run([
      "init", "s3://bucket/me", "--endpoint-url", "http://127.0.0.1:1",
    ])
    #expect(run.exitCode != 0 && run.output.hasPrefix("nothing was written"), "\(run.output)")
    #expect(try text(program) == before)
  }

  @Test func `what no command could use is not written`() async throws {
    let program = try program()
    let folder = try program.folder("store").path
    for (arguments, phrase) in [
      (["gopher://x"], "gopher://"), (["s3://b\nregion = x"], "can't hold"),
      (["s3://bucket", "--endpoint-url", "http://minio.example:9000"], "unencrypted"),
      ([folder, "--timezone", "Mars/Olympus"], "Mars/Olympus"),
      ([folder, "--source", "/nowhere/export.zip"], "/nowhere/export.zip"),
      (["s3://bucket", "--profile", "nobody"], "nobody"),
    ] {
      try await program.refuses(["init"] + arguments, saying: phrase)
      #expect(!FileManager.default.fileExists(atPath: config(program).path), "\(arguments)")
    }
    try await program.fails(["init", "/nowhere"], as: .storageUnavailable, saying: "/nowhere")
    #expect(!FileManager.default.fileExists(atPath: config(program).path))
  }

  @Test func `paths are from the root, and variables before the file are named`() async throws {
    var program = try program()
    _ = try program.folder("a folder/store")
    program.workingDirectory = program.home.path
    let other = program.home.appending(path: "my.conf").path
    program.environment["S3HEALTH_STORE"] = try program.folder("elsewhere").path
    let run = try await program.succeeds([
      "init", "./a folder/store", "--config", other, "--timezone", "Asia/Tokyo",
    ])
    let written = try String(contentsOfFile: other, encoding: .utf8)
    #expect(written.contains("\nstore = \(program.home.path)/a folder/store\n"))
    #expect(run.errors.contains("S3HEALTH_STORE is set and overrides the file"))
    #expect(!FileManager.default.fileExists(atPath: config(program).path))
    let quiet = try await program.succeeds([
      "init", "./a folder/store", "--config", other, "--quiet",
    ])
    #expect(quiet.errors.isEmpty)
  }
}

/// Kinds of store by name, and their folders.
extension FolderBackendTests {
  func backend(_ program: Program, _ arguments: String...) async throws -> String? {
    let doctor = try await program.succeeds(["doctor", "--output", "json"] + arguments).json()
    let settings = try #require(doctor["settings"] as? [[String: String]])
    let word = doctor["backend"] as? String
    #expect(settings.first { $0["setting"] == "backend" }?["value"] == word)
    return word
  }

  @Test func `doctor names the backend, and the configuration may name it too`() async throws {
    #expect(try await backend(program) == "folder")
    let container = try program.folder("Library/Mobile Documents/iCloud~x/Documents")
    #expect(try await backend(program, "--store", container.path) == "icloud_drive")
    let plain = try program.folder("plain")
    _ = try program.file(".config/s3health/config", "backend = folder\nstore = \(plain.path)\n")
    #expect(try await backend(program) == "folder")
    #expect(try await backend(program, "--store", container.path) == "icloud_drive")
  }

  @Test(arguments: TestServer.one.filter { $0.checksSignatures })
  func `a bucket is an s3_object_store, named without its scheme`(server: TestServer) async throws {
    let program = try Program().on(server)
    var lines = ["backend = s3_object_store", "store = \(server.bucket)/commands/\(UUID())"]
    if let caBundle = server.caBundle { lines.append("ca_bundle = \(caBundle)") }
    _ = try program.file(".config/s3health/config", Array(lines.joined(separator: "\n").utf8))
    #expect(try await backend(program) == "s3_object_store")
    try await program.put(payload())
  }

  #if !os(macOS)
    @Test func `an iCloud container is refused where there is none, with what works`() async throws
    {
      let program = try Program()
      for command in [["put", "--input", "-"], ["get"]] {
        try await program.refuses(
          command + ["--store", "icloud:iCloud.org.example.health"], input: payload(),
          saying: "iCloud Drive", "use a folder")
      }
    }
  #endif

  @Test func `R28: doctor removes what an interrupted one has left in a folder`() async throws {
    let store = try program.folder("store")
    let data = try program.folder("store/health/v0/data")
    for name in [".check-old", ".check-young"] {
      try Data([1]).write(to: data.appending(path: name))
    }
    try setModified(data.appending(path: ".check-old").path, Date(timeIntervalSinceNow: -7200))
    try await program.succeeds(
      ["doctor", "--verbose", "--store", store.path],
      printing: "left at health/v0/data/.check: 1 removed")
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == [".check-young"])
    try await program.succeeds(["put", "--input", "-", "--store", store.path], input: payload())
    let verify = try await program.succeeds(["verify", "2026-02-08", "--store", store.path])
    #expect(!verify.output.contains(".check"))
  }

  @Test func `members of a group write to and read one store`() async throws {
    let store = try program.folder("shared")
    #expect(chmod(store.path, 0o2770) == 0)
    let closed = program.inShell("umask 077; exec \"$@\"")
    try await closed.succeeds(["put", "--input", "-", "--store", store.path], input: payload())
    let modes = try await program.inShell(
      "find '\(store.path)' -type f ! -perm 0660 -o -type d ! -perm 2770"
    ).run([])
    #expect(modes.exitCode == 0 && modes.output.isEmpty, "\(modes.output)")
  }
}

/// The zone that decides what today is, where nobody has set one (R4).
@Suite(.process) struct ReportingZoneTests {
  @Test(arguments: [
    ("Asia/Kathmandu", "Asia/Kathmandu"), (":Pacific/Apia", "Pacific/Apia"),
    // Foundation makes GMT of it.
    ("UTC", "UTC"),
    // The C library reads these files.
    ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
    (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), ("posix/Asia/Kolkata", "Asia/Kolkata"),
  ])
  func `a zone that TZ names is taken as it stands`(variable: String, zone: String) async throws {
    let program = try Program(["S3HEALTH_TIMEZONE": "", "TZ": variable])
    let doctor = try await program.run(["doctor", "--output", "json"])
    #expect(doctor.exitCode == 1, "a machine's zone is nobody's: \(doctor.output)")
    let settings = try doctor.json()["settings"]
    let found = (settings as? [[String: String]])?.first { $0["setting"] == "timezone" }
    #expect(found?["value"] == zone)
    #expect(found?["origin"] == "TZ")
    try await program.put(payload("2026-07-01"))
    let get = try await program.succeeds(["get", "2026-07-01", "-o", "json"]).json()
    #expect((get["day"] as? [String: String])?["timezone"] == zone)
  }

  #if os(Linux)
    @Test func `R4: without a zone database no command guesses, and each says why`() async throws {
      var program = try Program(["TZDIR": "/nonexistent"])
      let words = ["this machine has no time zone database", "tzdata", "TZDIR"]
      for command in [["ls"], ["verify"], ["put", "--timezone", "UTC", "--input", "absent.json"]] {
        try await program.fails(command, "", .invalidArguments, words)
      }
      try await program.succeeds(["--version"])
      program.environment["TZDIR"] = "/usr/share/zoneinfo"
      let put = ["put", "--timezone", "Asia/Tokyo", "--input", "-"]
      try await program.succeeds(put, input: payload("2026-07-01"))
    }
  #endif

  @Test(arguments: [
    ("europe/berlin", "TZ=Europe/Berlin"), ("Berlin", "TZ=Europe/Berlin"),
    ("JST-9", "IANA name"), (":", "IANA name"), ("/nonexistent/zone", "IANA name"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "IANA name"),
  ])
  func `R4: a TZ that names no zone is refused where days are written`(
    variable: String, remedy: String
  ) async throws {
    let program = try Program(["S3HEALTH_TIMEZONE": "", "TZ": variable])
    let refused = ["TZ is \"\(variable)\"", remedy, "--timezone"]
    for command in [["put", "--input", "absent.json"], ["import", "absent.zip"]] {
      try await program.fails(command, "", .invalidArguments, refused)
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
    // What needs no zone goes on.
    let put = ["put", "--timezone", "Asia/Tokyo", "--input", "-"]
    try await program.succeeds(put, input: payload("2026-07-01"))
    try await program.succeeds(["get", "2026-07-01"])
    try await program.refuses(["get", "today"], saying: "TZ is")
  }
}
