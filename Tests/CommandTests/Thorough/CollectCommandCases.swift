import Foundation
import TestSupport
import Testing

/// Further runs of a collector, with the outbox and with settings (R49).
extension CollectCommandTests {
  private func pending(_ program: Program) async throws -> Int? {
    let status = try await program.run(["status", "-o", "json"]).json()
    return (status["upload_stats"] as? [String: Int])?["pending"]
  }

  /// Queues a point of a location.
  private func queuePoint(_ program: Program) async throws {
    let point = #"""
      {"timestamp":"2025-01-30T10:00:00Z","latitude":1,"longitude":2,"altitude":0,"speed":0,\
      "horizontal_accuracy":1,"vertical_accuracy":1}
      """#.replacing("\\\n", with: "")
    try await program.succeeds(["raw", "add", "--stream", "location"], input: point)
  }

  @Test func `the window is an option, a setting, or seven days (R49)`() async throws {
    var program = try program()
    program.environment["S3HEALTH_SOURCE"] = try program.file(
      "in.json", watchSteps([0: 1, 1: 2, 7: 3, 9: 4]))
    // Days that the store lacks are published by any window.
    let first = try await program.succeeds(["collect", "--catch-up", "0", "-o", "json"])
    #expect(try outcomes(first).count == 4)
    func dates(_ arguments: String...) async throws -> Int {
      try outcomes(
        try await program.succeeds(["collect", "--dry-run", "-o", "json"] + arguments)
      ).count
    }
    #expect(try await dates() == 3)
    #expect(try await dates("--catch-up", "0") == 1)
    #expect(try await dates("--catch-up", "9") == 4)
    program.environment["S3HEALTH_CATCH_UP_DAYS"] = "1"
    #expect(try await dates() == 2)
    #expect(try await dates("--catch-up", "9") == 4)
    program.environment["S3HEALTH_CATCH_UP_DAYS"] = "many"
    try await program.refuses(
      ["collect"], saying: "S3HEALTH_CATCH_UP_DAYS", "\"many\"", "0 to 3660")
  }

  @Test func `collect --queue prints one document, whatever can't be queued`() async throws {
    let program = try program()
    let folder = program.home.appending(path: "payloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(watchSteps([1: 1000])).write(to: folder.appending(path: "1.json"))
    let broken = folder.appending(path: "2.json")
    try Data("{\"data\":".utf8).write(to: broken)
    try Data("{\"steps\":1}".utf8).write(to: folder.appending(path: "3.json"))
    let queue = ["collect", "--queue", "--input", folder.path, "-o", "json"]
    let first = try await program.succeeds(queue).json()
    #expect(first["queued"] as? Int == 1)
    #expect((first["notes"] as? [String])?.first?.contains("may still be arriving") == true)
    #expect((first["left_out"] as? [String])?.first?.hasSuffix("3.json") == true)
    try setModified(broken.path, Date(timeIntervalSinceNow: -3700))
    let result = try await program.run(queue, ends: 64, saying: "2.json")
    let document = try result.json()
    #expect((document["errors"] as? [[String: Any]])?.first?["code"] as? String != nil)
  }

  @Test func `today is that of the store's zones, wherever the run is (R49)`() async throws {
    var program = try program()
    _ = try await program.succeeds(["raw", "zones", "Pacific/Kiritimati"])
    // Pago Pago is 25 hours behind, so its date is always an earlier one.
    program.environment["S3HEALTH_TIMEZONE"] = nil
    program.environment["TZ"] = "Pacific/Pago_Pago"
    func today() -> String { "\(Date().addingTimeInterval(14 * 3600).ISO8601Format().prefix(10))" }
    let before = today()
    let run = try await program.run(["collect", "--from-streams"])
    #expect([before, today()].contains { run.errors.contains(" to \($0)") }, "\(run.errors)")
  }

  @Test func `samples that do not count are reported, even if all are such (R49)`() async throws {
    let program = try program()
    for sample in [
      #""sample_type":"HKQuantityTypeIdentifierNoSuchThing""#,
      #""sample_type":"HKQuantityTypeIdentifierStepCount","end_timestamp":"\#(date(0))T10:00:00Z""#,
    ] {
      let line =
        #"{"timestamp":"\#(date(2))T10:00:00Z","unit":"count","source":"phone","value":5,\#(sample)}"#
      _ = try await program.succeeds(
        ["raw", "add", "--stream", "healthkit"], input: Array((line + "\n").utf8))
    }
    _ = try await program.succeeds(["raw", "sync"])
    let run = try await program.run(["collect", "--from-streams"])
    #expect(run.errors.contains("hold no samples that count"))
    #expect(run.errors.contains("1 sample of types that no metric is made of"))
    #expect(run.errors.contains("1 sample longer than 28 hours not counted"))
  }

  @Test func `a loop of syncs queues the configured folder before it uploads`() async throws {
    var program = try program()
    let folder = try program.folder("payloads").path
    for age in 1...2 { _ = try program.file("payloads/\(age).json", watchSteps([age: age * 1000])) }
    let streams = program.home.appending(path: ".local/share/s3health/store/streams/v0").path
    program.environment["S3HEALTH_SOURCE"] = folder
    let run = try await program.killed("SIGINT", at: 1, of: streams + "/health_auto_export").run(
      ["raw", "sync", "--interval", "1s"])
    #expect(run.errors.contains("queued 2 payloads from \(folder)"))
    // The rest of what the first upload had begun.
    _ = try await program.succeeds(["raw", "sync"])
    let derived = try await program.succeeds(["collect", "--from-streams", "-o", "json"])
    #expect(try outcomes(derived) == [2, 1].map { "\(date($0)) published" })
    // A payload that can't be read is reported, and what is queued is uploaded all the same.
    let unread = try program.file("payloads/3.json", "{\"data\":")
    try setModified(unread, Date(timeIntervalSinceNow: -3700))
    try await queuePoint(program)
    let broken = try await program.killed("SIGINT", at: 1, of: streams + "/apple_ios_core_location")
      .run(["raw", "sync", "--interval", "1s"])
    #expect(broken.errors.contains("3.json"))
    #expect(!broken.errors.contains("payloads from"))
    #expect(try await pending(program) == 0)
  }

  @Test func `a single sync queues or publishes what is new before it uploads`() async throws {
    var program = try program()
    let file = try program.file("payload.json", watchSteps([1: 1000]))
    program.environment["S3HEALTH_SOURCE"] = file
    let queued = try await program.succeeds(["raw", "sync", "--queue"])
    #expect(queued.output.hasPrefix("queued 1 payload;"))
    #expect(try await pending(program) == 0)
    // With samples as the source, the days are made of what was just uploaded.
    program.environment["S3HEALTH_SOURCE"] = "streams"
    try await program.succeeds(["raw", "sync", "--collect"], printing: "published  \(date(1))")
    // A source that is gone is an error, and what is queued is uploaded all the same.
    program.environment["S3HEALTH_SOURCE"] = file + ".gone"
    try await queuePoint(program)
    let run = try await program.run("raw", "sync", "--collect")
    #expect(run.exitCode == 64 && run.errors.contains(".gone"), "\(run.errors)")
    #expect(try await pending(program) == 0)
  }

  @Test func `an export can't be queued, and the error names import`() async throws {
    var program = try program()
    let export = try program.export(
      made: "\(date(0)) 00:00:00 +0000",
      [SmallExport.record("StepCount", 100, from: "\(date(1)) 10:00:00 +0000")])
    try await program.refuses(
      ["collect", "--queue", "--input", export], saying: "can't be queued",
      "s3health import \(export)")
    program.environment["S3HEALTH_SOURCE"] = export
    try await queuePoint(program)
    let run = try await program.run("raw", "sync", "--queue")
    #expect(run.exitCode == 64 && run.errors.contains("s3health import"), "\(run.errors)")
    // What is queued is uploaded all the same, and nothing else.
    #expect(try await pending(program) == 0)
    let listed = try await program.succeeds(["raw", "ls", "-o", "json"]).json()
    #expect(listed["batches"] as? Int == 1, "\(listed)")
  }

  @Test func `a tiny sample hides others by streams as in an import (R18, R44)`() async throws {
    let program = try program()
    let lines = [("Ann’s Apple Watch", 0.04), ("Ann’s iPhone", 27.2)].map { source, value in
      #"{"sample_type":"HKQuantityTypeIdentifierActiveEnergyBurned","timestamp":"\#(date(2))T10:00:00Z","#
        + #""end_timestamp":"\#(date(2))T11:00:00Z","value":\#(value),"unit":"kcal","source":"\#(source)"}"#
    }
    try await program.succeeds(
      ["raw", "add", "--stream", "healthkit"],
      input: Array(lines.joined(separator: "\n").utf8))
    _ = try await program.succeeds(["raw", "sync"])
    _ = try await program.succeeds(["collect", "--from-streams"])
    #expect(try await program.number("active_energy_kcal", date(2)) == 0.04)
  }
}
