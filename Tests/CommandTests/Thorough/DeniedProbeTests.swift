import Foundation
import TestSupport
import Testing

/// Credentials that reach the ledger's data and no more (R24, R28).
@Suite(.server) struct DeniedProbeTests {
  @Test(arguments: TestServer.one.filter(\.checksSignatures))
  func `R28: days are published without a pointer where a policy keeps the probe out`(
    server: TestServer
  ) async throws {
    var program = try Program().on(server)
    defer { program.removeHome() }
    let bucket = "s3health-noprobe-\(UInt32.random(in: 0 ... .max))"
    var question = server.question(bucket: bucket)
    _ = try await server.deny(question)
    question["denied"] = "p/health/v0/.probe/"
    question["actions"] = ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"]
    program.environment.merge(try await server.deny(question)) { $1 }
    let store = server.arguments(bucket: bucket, prefix: "p")
    let put = try await program.succeeds(["put", "--input", "-"] + store, input: payload())
    #expect(put.output.contains("without latest.json"), "\(put.output)")
    #expect(put.errors.contains("latest.json was not written"), "\(put.errors)")
    #expect(put.errors.contains("allow s3:PutObject"), "\(put.errors)")
    #expect(put.errors.contains("p/health/v0/.probe/"), "\(put.errors)")
    let get = try await program.succeeds(["get", "2026-02-08"] + store)
    #expect(get.output.contains("8,432"))
    let doctor = try await program.run(["doctor"] + store)
    // Days are published all the same, so it is ready.
    #expect(doctor.exitCode == 1)
    #expect(doctor.output.contains("not allowed"), "\(doctor.output)")
    #expect(doctor.output.contains("below p/health/v0/.probe/"), "\(doctor.output)")

    question["denied"] = "p/nothing"
    program.environment.merge(try await server.deny(question)) { $1 }
    let later = try await program.succeeds(
      ["put", "--input", "-"] + store, input: payload(steps: 9))
    #expect(later.output.contains("published  "), "\(later.output)")
    #expect(later.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("run ") })
  }

  @Test(arguments: ["probedenied", "nodelete"])
  func `R28: verify knows the probe's place, and finds nothing in it`(mode: String) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    func at(_ mode: String) -> [String] {
      ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint(mode)]
    }
    let put = try await program.succeeds(["put", "--input", "-"] + at(mode), input: payload())
    #expect(put.output.hasPrefix("published"))
    #expect(put.output.contains("without latest.json") == (mode != "nodelete"))
    let verify = try await program.succeeds(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08"] + at("honest"))
    #expect(!verify.output.contains("foreign_object"), "\(verify.output)")
    #expect(!verify.output.contains(".probe"), "\(verify.output)")
  }

  @Test func `R28: doctor warns where the probe's objects stay`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let doctor = try await program.run(
      ["doctor", "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("nodelete")])
    #expect(doctor.exitCode == 1, "\(doctor.output)")
    #expect(doctor.output.contains("what the probe wrote could not be removed"), "\(doctor.output)")
    #expect(doctor.output.contains("below p/health/v0/.probe/ (s3:DeleteObject)"))
    #expect(doctor.output.contains("It works, with a warning: conditional writes."))
  }

  @Test func `R48: a sync whose probe is denied is E005 and names the right`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let points = """
      {"timestamp":"2026-02-08T07:00:00.000Z","latitude":52.5,"longitude":13.4,"altitude":34,\
      "speed":1.3,"horizontal_accuracy":5,"vertical_accuracy":3}
      """
    let add = ["raw", "add", "--stream", "location", "--input", "-"]
    try await program.succeeds(add, input: Array(points.utf8))
    let sync = try await program.run(
      ["raw", "sync", "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("probedenied")])
    #expect(sync.exitCode == 77, "\(sync.errors)")
    #expect(sync.errors.contains("E005: "), "\(sync.errors)")
    #expect(sync.errors.contains("  do:     allow s3:PutObject"), "\(sync.errors)")
    #expect(sync.errors.contains("p/health/v0/.probe/*; nothing is lost"), "\(sync.errors)")
  }

  @Test func `R38: a repair says that the probe is denied, and doctor says it once`()
    async throws
  {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let store = ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint("probedenied")]
    try await program.succeeds(["put", "--input", "-"] + store, input: payload())
    let repair = try await program.run(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08", "--repair", "--yes"] + store)
    #expect(repair.output.contains("can't move latest.json safely"), "\(repair.output)")
    #expect(!repair.output.contains("no compare-and-swap"), "\(repair.output)")
    #expect(repair.errors.contains("latest.json was not moved: these credentials are not allowed"))
    #expect(repair.errors.contains("s3:GetObject"), "\(repair.errors)")
    #expect(repair.errors.contains("below p/health/v0/.probe/ as well"), "\(repair.errors)")
    let doctor = try await program.run(["doctor"] + store)
    let said = doctor.output.ranges(of: "is not allowed for these credentials")
    #expect(said.count == 1, "\(doctor.output)")
  }

  @Test(arguments: TestServer.one)
  func `a prefix that begins with a combining character works`(server: TestServer) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let store = server.arguments(prefix: "\u{301}\(UInt32.random(in: 0 ... .max))")
    try await program.succeeds(["put", "--input", "-"] + store, input: payload())
    let get = try await program.succeeds(["get", "2026-02-08"] + store)
    #expect(get.output.contains("8,432"))
    try await program.succeeds(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08"] + store)
  }
}
