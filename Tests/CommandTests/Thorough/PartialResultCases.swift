import Foundation
import TestSupport
import Testing

/// The same with a server that denies a part (R33, R35).
extension PartialResultTests {
  @Test func `a server that denies some days, or dies half-way, gives no verdict`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile().sendingOnce()
    func at(_ mode: String, _ bucket: String) -> [String] {
      ["--store", "s3://\(bucket)/p", "--endpoint-url", server.endpoint(mode)]
    }
    try await program.publishFebruary(at("honest", "bucket"))
    try await program.succeeds(Self.range + at("honest", "bucket"))
    try await expectFailure(program, at("deniesfives", "bucket"), .notAuthorized)
    for reads in ["00", "01", "14", "27"] {
      // Each run begins with a server that is alive.
      for format in Self.formats {
        let fresh = try HostileStore()
        let alive = ["--store", "s3://n\(reads)/p", "--endpoint-url"]
        try await program.publishFebruary(alive + [fresh.endpoint("honest")])
        let run = try await program.run(
          Self.range + alive + [fresh.endpoint("diesreading"), "--output", format, "--deep"])
        #expect(run.exitCode == 69, "\(reads) \(format): \(run.output)\(run.errors)")
        #expect(!run.output.contains("ok_days") && !run.output.contains("complete"))
        #expect(format == "text" ? run.output.isEmpty : !run.output.isEmpty)
      }
    }
  }

  @Test(arguments: TestServer.one.filter { $0.checksSignatures })
  func `a policy that denies half of the range gives no verdict`(server: TestServer) async throws {
    var program = try Program().on(server)
    let bucket = "s3health-denied-\(UInt32.random(in: 0 ... .max))"
    var question = server.question(bucket: bucket)
    _ = try await server.deny(question)
    // A copy of what was read before may answer for what is denied now (R39).
    let store = server.arguments(bucket: bucket, prefix: "p") + ["--no-cache"]
    try await program.publishFebruary(store)
    try await program.succeeds(Self.range + store)
    question["denied"] = "p/health/v0/data/2026/02/2"
    program.environment.merge(try await server.deny(question)) { $1 }
    try await expectFailure(program, store, .notAuthorized)
    try await program.succeeds(
      ["verify", "2026-02-01..2026-02-19"] + store, printing: "19 days: 19 complete")
  }
}
