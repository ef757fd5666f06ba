import Foundation
import TestSupport
import Testing

/// Kinds of store by name, and their folders.
extension FolderBackendTests {
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
