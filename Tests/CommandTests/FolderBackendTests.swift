import Foundation
import TestSupport
import Testing

/// Kinds of store by name, and whose folders are written to.
@Suite(.server) struct FolderBackendTests {
  private func backend(_ program: Program, _ arguments: String...) async throws -> String? {
    let doctor = try await program.succeeds(["doctor", "--output", "json"] + arguments).json()
    let settings = try #require(doctor["settings"] as? [[String: String]])
    let word = doctor["backend"] as? String
    #expect(settings.first { $0["setting"] == "backend" }?["value"] == word)
    return word
  }

  @Test func `doctor names the backend, and the configuration may name it too`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    #expect(try await backend(program) == "folder")
    let container = try program.folder("Library/Mobile Documents/iCloud~x/Documents")
    #expect(try await backend(program, "--store", container.path) == "icloud_drive")
    let plain = try program.folder("plain")
    _ = try program.file(
      ".config/s3health/config", Array("backend = folder\nstore = \(plain.path)\n".utf8))
    #expect(try await backend(program) == "folder")
    #expect(try await backend(program, "--store", container.path) == "icloud_drive")
  }

  @Test(arguments: TestServer.one)
  func `a bucket is an s3_object_store, whose scheme its name may lack`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    var lines = ["backend = s3_object_store", "store = \(server.bucket)/commands/\(UUID())"]
    if let caBundle = server.caBundle { lines.append("ca_bundle = \(caBundle)") }
    _ = try program.file(".config/s3health/config", Array(lines.joined(separator: "\n").utf8))
    #expect(try await backend(program) == "s3_object_store")
    try await program.succeeds(["put", "--input", "-"], input: payload())
  }

  @Test(arguments: [
    ("backend = ftp\nstore = /x", "no backend \"ftp\"", "icloud_drive"),
    ("backend = icloud_drive\nstore = s3://bucket/x", "not of the backend icloud_drive", "correct"),
    ("backend = s3_object_store\nstore = icloud:x", "not of the backend", "correct"),
    ("backend = folder", "without store", "store ="),
  ])
  func `a backend that does not exist, or is not the store's, is refused`(
    lines: String, message: String, remedy: String
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("config", Array(lines.utf8))
    try await program.fails(
      ["put", "--input", "-", "--config", file], input: payload(), as: .invalidArguments,
      saying: message, remedy)
  }

  #if !os(macOS)
    @Test func `an iCloud container is refused where there is none, with what works`() async throws
    {
      let program = try Program()
      defer { program.removeHome() }
      for command in [["put", "--input", "-"], ["get"]] {
        try await program.fails(
          command + ["--store", "icloud:iCloud.org.example.health"], input: payload(),
          as: .invalidArguments, saying: "iCloud Drive", "use a folder")
      }
    }
  #endif

  @Test func `R28: doctor removes what an interrupted one has left in a folder`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let store = try program.folder("store")
    let data = try program.folder("store/health/v0/data")
    for name in [".check-old", ".check-young"] {
      try Data([1]).write(to: data.appending(path: name))
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -7200)],
      ofItemAtPath: data.appending(path: ".check-old").path)
    let doctor = try await program.succeeds(["doctor", "--verbose", "--store", store.path])
    #expect(
      doctor.output.contains("left at health/v0/data/.check: 1 removed"), "\(doctor.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == [".check-young"])
    try await program.succeeds(
      ["put", "--input", "-", "--store", store.path], input: payload())
    let verify = try await program.succeeds(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08", "--store", store.path])
    #expect(!verify.output.contains(".check"), "\(verify.output)")
  }

  @Test(arguments: ["health/v0/.probe", "health/v0/data/.check", "health/v0/data"])
  func `R28: doctor says of a folder what a put finds where days are written`(
    obstacle: String
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    _ = try program.file("store/\(obstacle)", [1])
    let store = ["--store", program.home.appending(path: "store").path]
    let doctor = try await program.run(["doctor"] + store)
    let put = try await program.run(["put", "--input", "-"] + store, input: payload())
    #expect([0, 1].contains(doctor.exitCode) == (put.exitCode == 0), "\(doctor)\(put)")
    #expect(doctor.output.contains("Not ready") == (put.exitCode != 0), "\(doctor.output)")
  }

  @Test(arguments: geteuid() == 0 ? ["s3://bucket/p"] : [])
  func `root makes no files in a user's home that the user could not read`(
    store: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    #expect(
      try await program.inShell("chown 65534 \(program.home.path)").run([]).exitCode == 0)
    let put = try await program.run(
      [
        "put", "--input", "-", "--store", store, "--endpoint-url", server.endpoint("honest"),
      ], input: payload())
    #expect(put.exitCode == 77 && put.errors.contains("could not read"), "\(put.errors)")
    let given = try await program.run(
      [
        "put", "--input", "-", "--store", store, "--endpoint-url", server.endpoint("honest"),
        "--collector-id", UUID().uuidString, "--device-id", UUID().uuidString,
      ], input: payload())
    #expect(given.exitCode == 0, "\(given.errors)")
    let left = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    #expect(left.allSatisfy { $0.hasPrefix(".input-") }, "\(left)")
  }

  /// Only root can give folders away: another user's turn is in `SharedFolderTests`.
  @Test(arguments: geteuid() == 0 ? ["store", ".local/share/s3health/store"] : [])
  func `root does not write into a user's store, and leaves nothing there`(
    name: String
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let store = try program.folder(name)
    let give = "chown -R 65534:65534 \(program.home.path)"
    #expect(try await program.inShell(give).run([]).exitCode == 0)
    let before = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    for command in [["put", "--input", "-"], ["doctor"]] {
      let run = try await program.run(command + ["--store", store.path], input: payload())
      #expect(run.exitCode == 77)
      let text = run.output + run.errors
      #expect(text.contains("could not read what root writes"), "\(text)")
      #expect(text.contains("sudo -u nobody"), "\(text)")
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    #expect(after.filter { !$0.hasPrefix(".input-") } == before.filter { !$0.hasPrefix(".input-") })
    try await program.fails(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08", "--store", store.path],
      as: .dataNotFound, saying: "the store holds no days yet")
  }

  @Test func `members of a group write to and read one store`() async throws {
    let program = try Program()
    defer { program.removeHome() }
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
