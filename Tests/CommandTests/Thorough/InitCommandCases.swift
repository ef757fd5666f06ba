import Foundation
import TestSupport
import Testing

/// Further answers and files of `init`.
extension InitCommandTests {
  @Test func `answers that fail the test are not written, and are asked for again`() async throws {
    var program = try program()
    defer { program.removeHome() }
    program.environment["AWS_ACCESS_KEY_ID"] = "someone"
    program.environment["AWS_SECRET_ACCESS_KEY"] = "secret"
    program.environment["AWS_MAX_ATTEMPTS"] = "1"
    // Nobody listens there.
    let bucket = ["s3://bucket/me", "http://127.0.0.1:1", "", "Asia/Tokyo", ""]
    let left = try await program.onTerminal(columns: 100, errorsToo: true).run(
      ["init"], input: Array((bucket + ["no"]).map { $0 + "\n" }.joined().utf8))
    #expect(left.exitCode == 69, "\(left.output)")
    #expect(left.output.contains("nothing was written to \(config(program).path)"))
    #expect(!FileManager.default.fileExists(atPath: config(program).path))
    let again = bucket + ["yes", program.defaultStore.path, "", ""]
    let run = try await program.onTerminal(columns: 100, errorsToo: true).run(
      ["init"], input: Array(again.map { $0 + "\n" }.joined().utf8))
    #expect(run.exitCode == 0, "\(run.output)")
    #expect(try text(program).contains("\nstore = \(program.defaultStore.path)\n"))
    // Ctrl-D ends it.
    let ended = try await asked(program, "s3://bucket/me")
    #expect(ended.exitCode == 64 && ended.output.contains("nothing was written"))
  }

  @Test func `a file with settings is not given a store that fails`() async throws {
    var program = try program()
    defer { program.removeHome() }
    program.environment["AWS_MAX_ATTEMPTS"] = "1"
    let before = "timezone = Asia/Tokyo\n"
    _ = try program.file(".config/s3health/config", Array(before.utf8))
    let run = try await program.run([
      "init", "s3://bucket/me", "--endpoint-url", "http://127.0.0.1:1",
    ])
    #expect(run.exitCode != 0 && run.output.hasPrefix("nothing was written"), "\(run.output)")
    #expect(try text(program) == before)
  }

  @Test func `what no command could use is not written`() async throws {
    let program = try program()
    defer { program.removeHome() }
    let folder = try program.folder("store").path
    for (arguments, phrase) in [
      (["gopher://x"], "gopher://"), (["s3://b\nregion = x"], "can't hold"),
      (["s3://bucket", "--endpoint-url", "http://minio.example:9000"], "unencrypted"),
      ([folder, "--timezone", "Mars/Olympus"], "Mars/Olympus"),
      ([folder, "--source", "/nowhere/export.zip"], "/nowhere/export.zip"),
      (["s3://bucket", "--profile", "nobody"], "nobody"),
    ] {
      try await program.fails(["init"] + arguments, as: .invalidArguments, saying: phrase)
      #expect(!FileManager.default.fileExists(atPath: config(program).path), "\(arguments)")
    }
    try await program.fails(["init", "/nowhere"], as: .storageUnavailable, saying: "/nowhere")
    #expect(!FileManager.default.fileExists(atPath: config(program).path))
  }

  @Test func `paths are written from the root, and variables that overrule the file are named`()
    async throws
  {
    var program = try program()
    defer { program.removeHome() }
    _ = try program.folder("a folder/store")
    program.workingDirectory = program.home.path
    let other = program.home.appending(path: "my.conf").path
    program.environment["S3HEALTH_STORE"] = try program.folder("elsewhere").path
    let run = try await program.succeeds([
      "init", "./a folder/store", "--config", other, "--timezone", "Asia/Tokyo",
    ])
    let written = try String(contentsOfFile: other, encoding: .utf8)
    #expect(written.contains("\nstore = \(program.home.path)/a folder/store\n"), "\(written)")
    #expect(run.errors.contains("S3HEALTH_STORE is set and overrides the file"))
    #expect(!FileManager.default.fileExists(atPath: config(program).path))
    let quiet = try await program.succeeds([
      "init", "./a folder/store", "--config", other, "--quiet",
    ])
    #expect(quiet.errors.isEmpty)
  }
}
