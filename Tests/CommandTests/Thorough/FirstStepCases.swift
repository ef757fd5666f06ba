import Foundation
import TestSupport
import Testing

/// Further first steps.
extension FirstStepTests {
  @Test func `get prints a revision's id with its document where it is asked to`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload())
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
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let page = program.home.appending(path: "health-report.html")
    for _ in 1...2 {
      let run = try await program.succeeds(["report"])
      #expect(run.output.hasPrefix("\(page.path)  "), "\(run.output)")
      #expect(try String(contentsOf: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    }
    try Data("<!DOCTYPE html>\n<html lang=\"en\">mine".utf8).write(to: page)
    try await program.fails(["report"], as: .invalidArguments, saying: "not a page of s3health")
    #expect(try String(contentsOf: page, encoding: .utf8).hasSuffix("mine"))
    let other = program.home.appending(path: "other.html").path
    try await program.succeeds(["report", "2026-02", "-o", "other.html"])
    #expect(FileManager.default.fileExists(atPath: other))
    let file = try await program.run("report", "other.html")
    #expect(file.exitCode == 64 && file.errors.contains("use --html other.html"), "\(file.errors)")
  }

  @Test func `config unset removes a setting, and init the endpoint of a file`() async throws {
    let program = here(try Program())
    defer { program.removeHome() }
    let config = program.home.appending(path: ".config/s3health/config")
    try await program.succeeds(["config", "set", "endpoint_url", "https://minio.home:9000"])
    try await program.succeeds(["config", "set", "step_goal", "9000"])
    let unset = try await program.succeeds(["config", "unset", "endpoint_url"])
    #expect(
      unset.output.contains("endpoint_url is no longer set  (was https://minio.home:9000)"),
      "\(unset.output)")
    let text = try String(contentsOf: config, encoding: .utf8)
    #expect(!text.contains("endpoint_url") && text.hasSuffix("step_goal = 9000\n"), "\(text)")
    let again = try await program.succeeds(["config", "unset", "endpoint_url", "-o", "json"]).json()
    #expect(again["written"] as? Bool == false && again["before"] is NSNull, "\(again)")
    try await program.fails(
      ["config", "unset", "endpoint"], as: .invalidArguments, saying: "did you mean endpoint_url")
    try await program.succeeds(["config", "set", "endpoint_url", "https://minio.home:9000"])
    let folder = try program.folder("days").path
    let asked = try await program.run("init", folder, "--endpoint-url", "")
    #expect(asked.exitCode == 64, "\(asked)")
    #expect(
      asked.errors.contains("https://minio.home:9000 and would no longer be set"), "\(asked.errors)"
    )
    let forced = try await program.succeeds(["init", folder, "--endpoint-url", "", "--force"])
    #expect(forced.output.contains("endpoint_url: no longer set"), "\(forced.output)")
    #expect(try !String(contentsOf: config, encoding: .utf8).contains("endpoint_url"))
  }

  @Test func `the version needs few descriptors`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let limited = program.inShell("ulimit -n 10; exec \"$@\"")
    let run = try await limited.run("--version")
    let version = try await program.succeeds(["--version"]).output
    #expect(run.exitCode == 0 && run.output == version, "\(run.errors)")
  }

  @Test func `config get prints a setting in force, and says if there is none`() async throws {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = "Asia/Tokyo"
    #expect(try await program.succeeds(["config", "get", "timezone"]).output == "Asia/Tokyo\n")
    try await program.fails(
      ["config", "get", "gateway"], as: .dataNotFound, saying: "gateway is not set")
    try await program.fails(
      ["config", "get", "timezon"], as: .invalidArguments, saying: "did you mean timezone")
  }
}
