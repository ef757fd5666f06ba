import Foundation
import TestSupport
import Testing

/// Folders that are not a store, or can't be written to.
@Suite(.process) struct UnfitFolderTests {
  @Test func `a folder that does not exist is not made, since its disk may be away`() async throws {
    let program = try Program()
    let absent = program.home.path + "/disk/health"
    for command in [["put", "--input", "-"], ["get", "2026-02-08"], ["verify", "2026-02-08"]] {
      try await program.fails(
        command + ["--store", absent], input: payload(), as: .storageUnavailable,
        saying: "the folder \(absent) does not exist", "mounted")
    }
    #expect(!FileManager.default.fileExists(atPath: absent))
    try await program.run(
      ["doctor", "--store", absent], ends: 69, printing: "does not exist", "do: ")
    let file = try program.file("notes.txt", "mine")
    try await program.refuses(
      ["put", "--input", "-", "--store", file], input: payload(),
      saying: "\(file) is not a folder", "name a folder")
    #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
  }

  @Test func `a folder without the right to write is refused, and can be read`() async throws {
    let owner = try Program()
    let store = try owner.folder("store")
    try await owner.succeeds(["put", "--input", "-", "--store", store.path], input: payload())
    let before = try contents(of: store)
    try setModes(of: store, folder: 0o555, file: 0o444)
    defer { try? setModes(of: store, folder: 0o755, file: 0o644) }
    let program = owner.withoutPrivileges()
    try await program.fails(
      ["put", "--input", "-", "--store", store.path], input: payload(steps: 9),
      as: .notAuthorized, saying: store.path, "right to read and write")
    try await program.fails(
      ["put", "--input", "-", "--store", store.path], input: payload("2026-02-09"),
      as: .notAuthorized, saying: store.path)
    try await program.succeeds(["get", "2026-02-08", "--store", store.path], printing: "8,432")
    let doctor = try await program.run("doctor", "--store", store.path)
    #expect(doctor.exitCode == 77)
    #expect(doctor.output.contains("right to read and write"))
    #expect(try contents(of: store) == before)
  }

  @Test func `a full disk loses nothing, and takes the day once there is room`() async throws {
    let program = try Program()
    try await withFullStore(program) { program, store, makeRoom in
      let put = ["put", "--input", "-", "--store", store.path]
      let before = try contents(of: store)
      let again = try await program.fails(
        put, input: payload(steps: 9), as: .storageUnavailable, saying: store.path)
      #expect(again["retryable"] is Bool)
      #expect(try contents(of: store) == before)
      try await program.succeeds(["get", "2026-02-08", "--store", store.path], printing: "8,432")
      let freed = try await makeRoom()
      try await freed.succeeds(put, input: payload(steps: 9))
      try await freed.succeeds(["get", "2026-02-08", "--store", store.path], printing: "  9\n")
    }
  }

  /// A store with 2026-02-08 in it and no room for more: a disk of its own where we may mount one,
  /// else a limit on the size of files.
  private func withFullStore(
    _ program: Program, _ work: (Program, URL, () async throws -> Program) async throws -> Void
  ) async throws {
    let store = try program.folder("disk")
    let put = ["put", "--input", "-", "--store", store.path]
    guard geteuid() == 0 else {
      try await program.succeeds(put, input: payload())
      let limited = program.inShell("ulimit -f 0; exec \"$@\"")
      return try await work(limited, store) { program }
    }
    let mount = program.inShell("mount -t tmpfs -o size=64k tmpfs \(store.path)")
    try #require(try await mount.run([]).exitCode == 0)
    do {
      try await program.succeeds(put, input: payload())
      let filler = store.appending(path: "filler")
      _ = try await program.inShell("cat /dev/zero >\(filler.path)").run([])
      try await work(program, store) {
        try FileManager.default.removeItem(at: filler)
        return program
      }
    } catch {
      _ = try await program.inShell("umount \(store.path)").run([])
      throw error
    }
    try #require(try await program.inShell("umount \(store.path)").run([]).exitCode == 0)
  }

  private func setModes(of folder: URL, folder folderMode: mode_t, file fileMode: mode_t) throws {
    // From the top when opening and from below when closing, which either way has the right to.
    chmod(folder.path, 0o755)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.appending(path: name)
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path.path, isDirectory: &isDirectory)
      if isDirectory.boolValue {
        try setModes(of: path, folder: folderMode, file: fileMode)
      } else {
        chmod(path.path, fileMode)
      }
    }
    chmod(folder.path, folderMode)
  }
}

/// Kinds of store by name, and whose folders are written to.
@Suite(.server) struct FolderBackendTests {
  let program: Program

  init() throws { program = try Program() }

  @Test(arguments: ["health/v0/.probe", "health/v0/data/.check", "health/v0/data"])
  func `R28: doctor says of a folder what a put finds there`(obstacle: String) async throws {
    _ = try program.file("store/\(obstacle)", [1])
    let store = ["--store", program.home.appending(path: "store").path]
    let doctor = try await program.run(["doctor"] + store)
    let put = try await program.run(["put", "--input", "-"] + store, input: payload())
    #expect([0, 1].contains(doctor.exitCode) == (put.exitCode == 0), "\(doctor)\(put)")
    #expect(doctor.output.contains("Not ready") == (put.exitCode != 0))
  }

  @Test(arguments: geteuid() == 0 ? ["s3://bucket/p"] : [])
  func `root makes no files in a user's home that they could not read`(store: String) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    #expect(try await program.inShell("chown 65534 \(program.home.path)").run([]).exitCode == 0)
    try await program.run(
      [
        "put", "--input", "-", "--store", store, "--endpoint-url", server.endpoint("honest"),
      ], input: payload(), ends: 77, saying: "could not read")
    try await program.run(
      [
        "put", "--input", "-", "--store", store, "--endpoint-url", server.endpoint("honest"),
        "--collector-id", UUID().uuidString, "--device-id", UUID().uuidString,
      ], input: payload(), ends: 0)
    let left = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    #expect(left.allSatisfy { $0.hasPrefix(".input-") }, "\(left)")
  }

  /// Only root can give folders away: another user's turn is in `SharedFolderTests`.
  @Test(arguments: geteuid() == 0 ? ["store", ".local/share/s3health/store"] : [])
  func `root does not write into a user's store, and leaves nothing`(name: String) async throws {
    let store = try program.folder(name)
    let give = "chown -R 65534:65534 \(program.home.path)"
    #expect(try await program.inShell(give).run([]).exitCode == 0)
    let before = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    for command in [["put", "--input", "-"], ["doctor"]] {
      let run = try await program.run(
        command + ["--store", store.path], input: payload(), ends: 77)
      let text = run.output + run.errors
      #expect(text.contains("could not read what root writes"))
      #expect(text.contains("sudo -u nobody"))
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    #expect(after.filter { !$0.hasPrefix(".input-") } == before.filter { !$0.hasPrefix(".input-") })
    try await program.fails(
      ["verify", "2026-02-08", "--store", store.path],
      as: .dataNotFound, saying: "the store holds no days yet")
  }
}

/// What stands in a folder store in the place of a file or folder, and what every reader makes of it
/// (R30, R33): the same, and never silence.
@Suite(.process) struct ObstacleTests {
  @Test(arguments: ["mv 02 m && ln -s m 02", "mv 02 m && touch .02.icloud"])
  func `R29: no default range or listing passes over a hidden month`(script: String) async throws {
    let program = try Program()
    let folder = try program.folder("store")
    let store = ["--store", folder.path]
    try await program.put(payload("2026-02-08"), store)
    let year = folder.appending(path: "health/v0/data/2026").path
    #expect(try await program.inShell("cd '\(year)' && \(script)").run([]).exitCode == 0)
    let commands = [
      ["ls"], ["ls", "--from", "2026-02-03"], ["verify"], ["export", "csv"],
      ["report", "--html", program.home.path + "/page.html"],
    ]
    for command in commands {
      let run = try await program.run(command + store)
      #expect(run.exitCode == 69 && run.output.isEmpty, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("\(year)/02 is"))
    }
    // What comes before the month is known.
    try await program.succeeds(["ls", "--to", "2026-01-31"] + store, printing: "no days stored")
  }

  @Test func `R29: of many days only those an obstacle hides are not published`() async throws {
    let program = try Program()
    let folder = try program.folder("store")
    let month = folder.appending(path: "health/v0/data/2026/02").path
    #expect(
      try await program.inShell("mkdir -p '\(month)' && ln -s nil '\(month)/01'").run([])
        .exitCode == 0)
    let days = ["01", "02", "03"].map { #"{"date": "2026-02-\#($0)", "metrics": {"steps": 1}}"# }
    let put = try await program.run(
      ["put", "--input", "-", "--date", "all", "--store", folder.path],
      input: #"{"days": [\#(days.joined(separator: ","))]}"#, ends: 69,
      printing: "failed     2026-02-01")
    for day in ["02", "03"] { #expect(put.output.contains("published  2026-02-\(day)")) }
    #expect(put.errors.contains("\(month)/01 is a symbolic link"))
  }
}

/// R33, R35: what could not be read as a whole is never presented as the whole.
@Suite(.server) struct PartialResultTests {
  static let formats = ["text", "json"]
  static let range = ["verify", "2026-02-01..2026-02-28"]

  /// Expects of every format: the exit code, the reason on stderr, and nothing on stdout that
  /// could be taken for a result.
  func expectFailure(
    _ program: Program, _ arguments: [String], _ code: FailureCode,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    for format in Self.formats {
      let run = try await program.run(Self.range + arguments + ["--output", format])
      #expect(run.exitCode == code.exitCode, "\(format): \(run.errors)", sourceLocation: location)
      #expect(run.errors.hasPrefix("s3health: "), sourceLocation: location)
      for word in ["ok_days", "complete", "2026-02-01"] {
        #expect(!run.output.contains(word), "\(format): \(run.output)", sourceLocation: location)
      }
      guard format == "json" else {
        #expect(run.output.isEmpty, sourceLocation: location)
        continue
      }
      let error = try #require(try run.json()["error"] as? [String: Any])
      #expect(error["code"] as? String == code.rawValue, sourceLocation: location)
    }
  }

  @Test func `a folder whose second half can't be read gives no verdict`() async throws {
    let owner = try Program()
    let folder = try owner.folder("store")
    let store = ["--store", folder.path]
    try await owner.publishFebruary(store)
    let days = (15...28).map { folder.appending(path: "health/v0/data/2026/02/\($0)/revisions") }
    for day in days { try setMode(day.path, 0) }
    let program = owner.withoutPrivileges()
    try await expectFailure(program, store, .notAuthorized)
    for day in days { try setMode(day.path, 0o700) }
    try await program.succeeds(Self.range + store)
  }

  @Test func `revisions that can't be read give no verdict`() async throws {
    let owner = try Program()
    let folder = try owner.folder("store")
    try await owner.publishFebruary(["--store", folder.path])
    let day = folder.appending(path: "health/v0/data/2026/02/20/revisions")
    for name in try FileManager.default.contentsOfDirectory(atPath: day.path) {
      try setMode(day.appending(path: name).path, 0)
    }
    try await expectFailure(owner.withoutPrivileges(), ["--store", folder.path], .notAuthorized)
  }
}
