import Foundation
import TestSupport
import Testing

/// Long and old requests (R49, R54).
extension IngestEndpointTests {
  @Test func `R54: a long queue in one request is stored in parts, each once`() async throws {
    let trial = try await HubTrial()
    let body = points(6_000)
    for _ in 0..<2 {
      let answer = try await trial.ask("/api/ingest", token: trial.token, body: body)
      #expect((answer.status, answer.json["received"] as? Int) == (200, 6_000))
      #expect(answer.json["refused"] == nil)
      // A batch has at most 5,000 entries.
      #expect(try trial.batches().count == 2)
    }
    #expect(try await entries(trial, "--stream", "location").count == 6_000)
    // What follows in a longer queue is stored beside it.
    #expect(
      try await trial.ask("/api/ingest", token: trial.token, body: points(6_001)).status == 200)
    #expect(try await entries(trial, "--stream", "location").count == 6_001)
    let tooLong = points(1) + String(repeating: " ", count: 64 << 20)
    #expect(try await trial.ask("/api/ingest", token: trial.token, body: tooLong).status == 413)
  }

  @Test func `R54: years of samples in one request are taken, a bad one set aside`() async throws {
    let trial = try await HubTrial()
    let data = (0..<400).map { number in
      let date =
        "\(2000 + number / 300)-\(Self.two(number / 25 % 12 + 1))-\(Self.two(number % 25 + 1))"
      return """
        {"sample_type":"HKQuantityTypeIdentifierStepCount","value":1,"unit":"count",\
        "timestamp":"\(date)T10:00:00Z"}
        """
    }
    let body = HubTrial.body(of: data + ["{}"])
    let strict = try await trial.ask(
      "/api/ingest", token: trial.token, body: body, arguments: ["-H", "Prefer: handling=strict"])
    #expect(strict.status == 400)
    #expect(try trial.batches() == [])
    let answer = try await trial.ask("/api/ingest", token: trial.token, body: body)
    #expect(answer.status == 200 && answer.json["received"] as? Int == 401)
    #expect((answer.json["refused"] as? [[String: Any]])?.map { $0["index"] as? Int } == [400])
    #expect(try trial.batches().filter { $0.contains("healthkit") }.count == 400)
  }

  @Test func `R49: after a new zone each row counts once, a correction moves it`() async throws {
    let program = try Program()
    let store = try program.folder("store")
    let token = try await HubProgram.token(
      "phone", program, arguments: ["--device", HubTrial.device])
    /// A server in a zone takes one sample, makes its days and ends.
    func post(_ steps: Int, at moment: String, zone: String) async throws -> String {
      let hub = try await HubProgram(
        program, store: store.path, environment: ["S3HEALTH_TIMEZONE": zone])
      let sample = """
        {"uuid":"\(UUID())","sample_type":"HKQuantityTypeIdentifierStepCount","value":\(steps),\
        "unit":"count","timestamp":"\(moment)","end_timestamp":"\(moment)"}
        """
      let body = HubTrial.body(of: [sample], session: moment)
      let answer = try await CurlAnswer(
        hub.url + "/api/ingest", token: token, body: Array(body.utf8))
      #expect(answer.status == 200, "\(answer)")
      #expect(try await hub.end(by: SIGTERM) == 0)
      return hub.log
    }
    func steps(_ date: String) async throws -> Double? {
      let day = try await program.run("get", date, "--store", store.path, "-o", "json")
      guard day.exitCode == 0 else { return nil }
      return (try day.json()["metrics"] as? [String: Any])?["steps"] as? Double
    }
    // 07:00 of the next date in Singapore.
    _ = try await post(100, at: "2026-02-08T23:00:00Z", zone: "Asia/Singapore")
    #expect(try await steps("2026-02-09") == 100)
    let log = try await post(7, at: "2026-02-09T23:00:00Z", zone: "Etc/UTC")
    #expect(log.contains("s3health raw zones --store \(store.path) Etc/UTC`"))
    for (date, value) in [("2026-02-08", nil), ("2026-02-09", 100.0), ("2026-02-10", 7)] {
      #expect(try await steps(date) == value, "\(date)")
    }
    let corrected = try await program.run("raw", "zones", "Etc/UTC", "--store", store.path)
    #expect(corrected.exitCode == 0, "\(corrected.errors)")
    for (date, value) in [("2026-02-08", 100.0), ("2026-02-09", 7), ("2026-02-10", nil)] {
      #expect(try await steps(date) == value, "\(date)")
    }
    let shown = try await program.run("raw", "zones", "--store", store.path, "-o", "json")
    #expect(try shown.json()["zones"] as? String == "Etc/UTC")
    let unknown = try await program.run("raw", "zones", "Mars/Phobos", "--store", store.path)
    #expect(unknown.exitCode == 64 && unknown.errors.contains("NAME@YYYY-MM-DD"))
  }
}
