import Foundation
import TestSupport
import Testing

/// How the size of the cache is said.
@Suite(.process) struct CacheSettingTests {
  /// A bucket that nobody serves: settings are shown all the same.
  private static let store = [
    "--store", "s3://nobody", "--endpoint-url", "http://127.0.0.1:9",
  ]

  private func setting(
    _ program: Program, _ arguments: [String] = []
  ) async throws -> [String: String]? {
    let run = try await program.run(["doctor", "--output", "json"] + Self.store + arguments)
    let settings = try #require(try run.json()["settings"] as? [[String: String]])
    return settings.first { $0["setting"] == "cache_size" }
  }

  private func program() throws -> Program {
    var program = try Program().sendingOnce()
    program.environment["AWS_ACCESS_KEY_ID"] = "someone"
    program.environment["AWS_SECRET_ACCESS_KEY"] = "nobody knows"
    return program
  }

  @Test func `--no-cache comes before the variable, and that before the file`() async throws {
    var program = try program()
    defer { program.removeHome() }
    let none = try #require(try await setting(program))
    #expect(none["value"]?.hasPrefix("64 MB in /") == true && none["origin"] == "default")
    let file = try program.file("config", Array("cache_size = 32MB\n".utf8))
    program.environment["S3HEALTH_CONFIG"] = file
    let filed = try #require(try await setting(program))
    #expect(filed["value"]?.hasPrefix("32 MB") == true && filed["origin"] == file)
    program.environment["S3HEALTH_CACHE_SIZE"] = "1 GB"
    let variable = try #require(try await setting(program))
    #expect(variable["value"]?.hasPrefix("1 GB") == true)
    #expect(variable["origin"] == "S3HEALTH_CACHE_SIZE")
    let off = try #require(try await setting(program, ["--no-cache"]))
    #expect(off["value"] == "off" && off["origin"] == "--no-cache")
    program.environment["S3HEALTH_CACHE_SIZE"] = "0"
    #expect(try await setting(program)?["value"] == "off")
  }

  @Test(arguments: ["-1", "64MiBs", "1.5GB", "9999999999999", "x", "99999 GB"])
  func `what is not a size is refused, by whichever way it came`(text: String) async throws {
    var program = try program()
    defer { program.removeHome() }
    let get = ["get"] + Self.store
    program.environment["S3HEALTH_CACHE_SIZE"] = text
    try await program.fails(get, as: .invalidArguments, saying: "S3HEALTH_CACHE_SIZE", "64MB")
    program.environment["S3HEALTH_CACHE_SIZE"] = nil
    program.environment["S3HEALTH_CONFIG"] = try program.file(
      "config", Array("cache_size = \(text)\n".utf8))
    try await program.fails(get, as: .invalidArguments, saying: "config", "64MB")
  }

  @Test func `R39 of a folder no copies are kept`() async throws {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["XDG_CACHE_HOME"] = program.home.appending(path: "cache").path
    try await program.succeeds(["put", "--input", "-"], input: payload())
    try await program.succeeds(["verify", "--from", "2026-02-08", "--to", "2026-02-08"])
    let cache = program.home.appending(path: "cache/s3health/objects").path
    #expect(!FileManager.default.fileExists(atPath: cache))
    #expect(try await !program.run("doctor").output.contains("cache"))
  }
}
