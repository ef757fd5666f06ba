import FaultProxy
import Foundation
import HealthModel
import TestSupport
import Testing

/// Samples that arrive while a day is made (R49).
extension OvertakenPutTests {
  /// Sends a batch each time the pointer is about to be written.
  private func keepSending(_ server: TestServer, _ proxy: FaultProxy) async throws {
    var program = try Program().on(server)
    program.environment["S3HEALTH_TIMEZONE"] = "UTC"
    let store = server.arguments(prefix: "busy/\(UUID())")
    let hour = Timestamp(secondsSince1970: Int(Date().timeIntervalSince1970) / 3600 * 3600 - 86_400)
    let ready = program
    func send(_ number: Int) async throws {
      let (start, end) = (hour.adding(seconds: 60 * number), hour.adding(seconds: 60 * number + 59))
      let line =
        #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"\#(start)","end_timestamp":"\#(end)","value":\#(number + 1),"unit":"count"}"#
      let file = try ready.file("\(number).json", line)
      _ = try await ready.succeeds(["raw", "add", "--stream", "healthkit", "--input", file])
      _ = try await ready.succeeds(["raw", "sync"] + store)
    }
    try await send(0)
    let arguments = ["collect", "--from-streams", "--catch-up", "1", "-o", "json"] + store
    async let run = ready.run(arguments + ["--endpoint-url", proxy.endpoint])
    let feeding = Task {
      var sent = 1
      while !Task.isCancelled {
        guard proxy.holding > 0 else {
          try? await Task.sleep(for: .milliseconds(10))
          continue
        }
        try await send(sent)
        sent += 1
        proxy.release()
      }
      return sent
    }
    defer { feeding.cancel() }
    let collect = try await run
    feeding.cancel()
    let sent = try await feeding.value
    #expect(collect.exitCode == 0, "\(collect.errors)")
    let first = try collect.json()
    let result = try #require((first["results"] as? [[String: Any]])?.first)
    #expect(result["outcome"] as? String == "published")
    let notes = try #require(first["notes"] as? [String])
    #expect(
      notes.contains {
        $0.hasSuffix("more samples arrived meanwhile; the next run or the hub counts them")
      }, "\(notes)")

    // The next run counts everything that was sent.
    _ = try await program.succeeds(arguments)
    let date = try #require(result["date"] as? String)
    let day = try await program.succeeds(["get", date, "-o", "json"] + store).json()
    let steps = (day["metrics"] as? [String: Any])?["steps"] as? Int
    #expect(steps == sent * (sent + 1) / 2, "\(sent)")
  }

  @Test(arguments: TestServer.all)
  func `if samples keep arriving, collect says so (R49)`(server: TestServer) async throws {
    try await holding(which: nil, on: server) { proxy in try await keepSending(server, proxy) }
  }
}
