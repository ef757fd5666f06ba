import Foundation
import TestSupport
import Testing

/// What else a server is asked for.
extension MainJobOnServersTests {
  @Test(arguments: TestServer.all)
  func `doctor finds the store fit and leaves nothing behind`(server: TestServer) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let prefix = "commands/\(UUID())"
    let doctor = try await program.succeeds(
      ["doctor", "--output", "json"] + server.arguments(prefix: prefix))
    let checks = try #require(try doctor.json()["checks"] as? [[String: Any]])
    #expect(checks.allSatisfy { $0["outcome"] as? String == "ok" }, "\(checks)")
    #expect(checks.contains { $0["name"] as? String == "conditional writes" })
    let settings = try #require(try doctor.json()["settings"] as? [[String: String]])
    let origins = Dictionary(
      settings.map { ($0["setting"] ?? "", $0["origin"] ?? "") }, uniquingKeysWith: { $1 })
    #expect(origins["store"] == "--store")
    #expect(origins["endpoint_url"] == "AWS_ENDPOINT_URL")
    #expect(origins["region"] == "AWS_REGION")
    #expect(!doctor.output.contains(server.secretKey))
  }

  @Test(arguments: TestServer.all)
  func `server-side encryption is used, or refused in words that name it`(server: TestServer)
    async throws
  {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let store = server.arguments()
    let put = ["put", "--input", "-"] + store
    var encrypting = program
    encrypting.environment["S3HEALTH_SSE"] = "AES256"
    let run = try await encrypting.run(put, input: payload())
    if run.exitCode == 0 {
      let get = try await program.succeeds(["get"] + Self.day + store)
      #expect(get.output.contains("8,432"))
    } else {
      #expect(run.exitCode == 69)
      #expect(run.errors.contains("check the setting sse"), "\(run.errors)")
      #expect(run.errors.contains("nothing was stored"), "\(run.errors)")
      #expect(!server.product.contains("MinIO") || run.errors.contains("no key management"))
      #expect(try await program.run(["get"] + Self.day + store).exitCode == 66)
    }
    // A store that can't encrypt may do all else.
    let plain = try await program.succeeds(put, input: payload(steps: 77))
    #expect(plain.output.hasPrefix("published"), "\(plain.output)")
  }

  /// Where the gateway has been told its own host name; others need a domain for it.

  @Test(arguments: TestServer.every)
  func `a month is published at once, and verified with nothing missing`(server: TestServer)
    async throws
  {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let store = server.arguments()
    let days = (1...28).map { day in
      let date = "2026-02-" + (day < 10 ? "0\(day)" : "\(day)")
      return #"{"date": "\#(date)", "metrics": {"steps": \#(day)}}"#
    }
    let input = Array("{\"days\": [\(days.joined(separator: ","))]}".utf8)
    let put = try await program.succeeds(
      ["put", "--input", "-", "--date", "all"] + store, input: input)
    let lines = put.output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("published  2026-02-") }.count == 28)
    let pointers = server.conditions == .full ? "" : ", 28 of them published without a pointer"
    #expect(lines.last == "28 days: 28 published new\(pointers)", "\(put.output)")
    let verify = try await program.succeeds(
      ["verify", "--from", "2026-02-01", "--to", "2026-02-28"] + store)
    #expect(verify.output.contains("28 days: 28 complete"))
  }
}
