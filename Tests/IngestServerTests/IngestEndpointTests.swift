import Foundation
import Gzip
import HealthModel
import TestSupport
import Testing

/// `/api/ingest` of the real program.
@Suite(.server) struct IngestEndpointTests {
  @Test func `R54: what is acknowledged is stored and published, no marker left`() async throws {
    let trial = try await HubTrial()
    for (session, values) in [("a", [100, 200]), ("b", [50])] {
      let answer = try await trial.ask(
        "/api/ingest", token: trial.token, body: HubTrial.body(values, session: session))
      #expect(answer.status == 200, "\(answer)")
      #expect(answer.json["received"] as? Int == values.count)
      let key = try #require(answer.json["stream_key"] as? String)
      // The moment that it is acknowledged, it is there.
      #expect(try trial.batches().contains(key))
      for name in ["signal_id", "signalIds", "activatedSignals"] {
        #expect(!answer.body.contains(name))
      }
    }
    #expect(try await until { try await trial.steps() == 350 && trial.markers().isEmpty })
    #expect(trial.hub.log.contains("POST /api/ingest 200 device=phone received=2"))
  }

  @Test func `R54: a batch sent again, also after kill -9, is stored once`() async throws {
    var trial = try await HubTrial()
    let body = HubTrial.body([1000, 234])
    for _ in 0..<2 {
      #expect(try await trial.ask("/api/ingest", token: trial.token, body: body).status == 200)
    }
    try await trial.hub.end(by: SIGKILL)
    trial = try await trial.restarted()
    #expect(try await trial.ask("/api/ingest", token: trial.token, body: body).status == 200)
    #expect(try trial.batches().count == 1)
    #expect(try await trial.hub.end(by: SIGTERM) == 0)
    #expect(try await trial.steps() == 1234)
  }

  @Test func `R46: each device of a person has runs of its own`() async throws {
    let trial = try await HubTrial()
    let other = "0b1e6b0c-2f7d-4c54-9d0b-3c7a1f2e8d90"
    let token = try await HubProgram.token(
      "tablet", trial.program, arguments: ["--device", other])
    for (token, device, session) in [
      (trial.token, HubTrial.device, "a"), (token, other, "b"), (trial.token, HubTrial.device, "c"),
    ] {
      let body = HubTrial.body([100], session: session, device: device)
      #expect(try await trial.ask("/api/ingest", token: token, body: body).status == 200)
    }
    let runs = try trial.batches().map { key in
      let bytes = try Data(contentsOf: trial.store.appending(path: key))
      let object = try JSONValue(
        parsing: try ZlibCompression().gunzip(Array(bytes), limit: 1_000_000))
      return (device: object["device_id"]?.stringValue, run: object["run"]?.stringValue)
    }
    #expect(runs.count == 3)
    let own = Set(runs.filter { $0.device == HubTrial.device }.map(\.run))
    let others = Set(runs.filter { $0.device == other }.map(\.run))
    #expect(own.count == 1 && others.count == 1 && own != others, "\(runs)")
  }

  @Test func `R54: samples of which no day is made are told to the sender and counted in the log`()
    async throws
  {
    let trial = try await HubTrial()
    func sample(
      _ type: String, _ value: Int = 1, unit: String = "", at year: Int = 2026
    ) -> String {
      """
      {"value":\(value),"sample_type":"HK\(type)","unit":"\(unit)",
      "timestamp":"\(year)-02-08T10:00:00Z","end_timestamp":"\(year)-02-08T10:05:00Z"}
      """
    }
    let body = HubTrial.body(of: [
      sample("QuantityTypeIdentifierStepCount", unit: "count"),
      sample("CategoryTypeIdentifierSleepAnalysis", 9),
      sample("QuantityTypeIdentifierBodyMass", unit: "stone"),
      sample("QuantityTypeIdentifierSecret4711", unit: "ms"),
      sample("QuantityTypeIdentifierStepCount", unit: "count", at: 2569),
    ])
    let answer = try await trial.ask("/api/ingest", token: trial.token, body: body)
    #expect(answer.status == 200 && answer.json["received"] as? Int == 5)
    #expect(
      answer.json["left_out"] as? [String] == [
        "1 sample of types that no metric is made of: HKQuantityTypeIdentifierSecret4711",
        "1 sample dated before 2000 or after their receipt not counted",
        "1 sample with an unknown category value",
        "1 sample in a unit that can't be converted: 'stone' of weight, which is counted in kg (1); "
          + "give it in a unit that measures the same",
      ])
    #expect(
      trial.hub.log.contains(
        #"received=5 left_out="sleep_asleep_minutes 1, steps 1, unknown metrics 1, weight 1""#),
      "\(trial.hub.log)")
    #expect(!trial.hub.log.contains("4711") && !trial.hub.log.contains("stone"))
    let good = HubTrial.body([100], session: "b")
    #expect(
      try await trial.ask("/api/ingest", token: trial.token, body: good).json["left_out"] == nil)
  }

  /// A body of points, one every ten seconds.
  func points(_ count: Int, _ change: (Int, String) -> String = { $1 }) -> String {
    let data = (0..<count).map { index in
      let (minute, second) = (index / 6 % 60, index % 6 * 10)
      let time = [index / 360 % 24, minute, second].map { ($0 < 10 ? "0" : "") + "\($0)" }
      return change(
        index,
        """
        {"timestamp":"2025-01-\(20 + index / 8640)T\(time.joined(separator: ":")).000Z",\
        "latitude":37.7749,"longitude":-122.4194,"altitude":10.5,"speed":1.2,\
        "horizontal_accuracy":5.0,"vertical_accuracy":3.0}
        """)
    }
    return """
      {"stream_name":"apple_ios_core_location","device_id":"\(HubTrial.device)",\
      "data":[\(data.joined(separator: ","))],\
      "batch_metadata":{"total_records":\(count),"app_version":"1.0"}}
      """
  }

  func entries(_ trial: HubTrial, _ arguments: String...) async throws -> [String] {
    let cat = try await trial.program.run(["raw", "cat", "--store", trial.store.path] + arguments)
    return cat.output.split(separator: "\n").map(String.init)
  }

  @Test func `R54: what can't be used is kept aside and told, and the rest counts`() async throws {
    let trial = try await HubTrial()
    let body = points(360) { index, point in
      switch index {
      case 7: point.replacing("10.5", with: "null")
      case 9: point.replacing("37.7749", with: "137.7749")
      case 11: "17"
      default: point
      }
    }.replacing(#""app_version""#, with: #""platform":"ios","app_version""#)
    let answer = try await trial.ask("/api/ingest", token: trial.token, body: body)
    #expect((answer.status, answer.json["received"] as? Int) == (200, 360))
    let refused = try #require(answer.json["refused"] as? [[String: Any]])
    #expect(refused.map { $0["index"] as? Int } == [9, 11])
    #expect(refused.map { $0["pointer"] as? String } == ["/data/9/latitude", "/data/11"])
    #expect(trial.hub.log.contains(" refused=2 "))
    #expect(try await entries(trial, "--stream", "location").count == 358)
    let aside = try await entries(trial, "--refused")
    #expect(aside.count == 2)
    #expect(aside.contains { $0.contains("137.7749") && $0.contains("/data/9/latitude") })
    let messages = try await entries(trial, "--stream", "messages")
    #expect(messages.contains { $0.contains(#""platform":"ios""#) && !$0.contains("fault") })
  }

  @Test
  func
    `R45, R46: of two servers of a machine the last acknowledged counts`()
    async throws
  {
    var trials = [try await HubTrial()]
    trials.append(try await trials[0].restarted())
    func body(_ value: Int) -> String {
      let sample = """
        {"value":\(value),"sample_type":"HKQuantityTypeIdentifierStepCount","unit":"count",
        "timestamp":"2026-02-08T10:00:00Z","end_timestamp":"2026-02-08T10:05:00Z"}
        """
      return HubTrial.body(of: [sample], session: nil)
    }
    // Without a session and a key: what comes is news.
    for (number, value) in [70, 80, 70, 90, 60].enumerated() {
      let trial = trials[number % 2]
      #expect(
        try await trial.ask("/api/ingest", token: trial.token, body: body(value)).status == 200)
      let cat = try await trial.program.run(
        "raw", "cat", "--stream", "healthkit", "--store", trial.store.path)
      #expect(cat.output.contains("\"value\":\(value)}"))
      if number == 2 {
        try await trial.hub.end(by: SIGKILL)
        trials[number % 2] = try await trial.restarted()
      }
    }
    #expect(try trials[0].batches().count == 5)
    try await trials[1].hub.end(by: SIGKILL)
  }

  @Test func `R54: each fault of a body is reported at its place, nothing stored`() async throws {
    let trial = try await HubTrial()
    let body = HubTrial.body([1, 2, 3])
      .replacing(#""value":2"#, with: #""value":"two""#)
      .replacing(#""total_records":3"#, with: #""total_records":4"#)
    let answer = try await trial.ask("/api/ingest", token: trial.token, body: body)
    #expect(answer.status == 400)
    #expect(answer.code == "invalid_batch")
    #expect(answer.faults == ["wrong_total at /batch_metadata/total_records"])
    // A client that keeps a queue of its own wants all of it taken, or nothing.
    let strict = try await trial.ask(
      "/api/ingest", token: trial.token,
      body: body.replacing(#""total_records":4"#, with: #""total_records":3"#),
      arguments: ["--header", "Prefer: handling=strict"])
    #expect((strict.status, strict.faults) == (400, ["invalid_member at /data/1/value"]))
    let nested = String(repeating: "[", count: 100_000)
    let deep = try await trial.ask("/api/ingest", token: trial.token, body: nested)
    #expect((deep.status, deep.faults) == (400, ["not_json at "]))
    #expect(try trial.batches() == [])
    #expect(!trial.hub.log.contains("two"), "the log has no values")
  }

  static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  @Test func `R54: while the bucket is down nothing is acknowledged, which is said`() async throws {
    let program = try Program()
    let token = try await HubProgram.token(
      "phone", program, arguments: ["--device", HubTrial.device])
    let hub = try await HubProgram(
      program, store: "s3://bucket/me",
      arguments: ["--endpoint-url", "http://127.0.0.1:1", "--timeout", "2"],
      environment: [
        "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "r",
        "AWS_MAX_ATTEMPTS": "1",
      ])
    let answer = try await CurlAnswer(
      hub.url + "/api/ingest", token: token, body: Array(HubTrial.body([1]).utf8))
    #expect((answer.status, answer.code) == (503, "unavailable"))
    #expect(answer.headers["retry-after"] == "30")
    #expect(!answer.body.contains("127.0.0.1"), "what stands behind the server is not shown")
    #expect(hub.log.contains("cause="))
    let ready = try await CurlAnswer(hub.url + "/readyz")
    #expect((ready.status, ready.json["store"] as? String) == (503, "unreachable"))
    #expect(try await CurlAnswer(hub.url + "/healthz").status == 200)
    try await hub.end(by: SIGKILL)
  }

  @Test(arguments: TestServer.all.prefix(1))
  func `R54: a server with a bucket stores, derives and is ready`(server: TestServer) async throws {
    var program = try Program()
    program.environment = [
      "AWS_ACCESS_KEY_ID": server.accessKey, "AWS_SECRET_ACCESS_KEY": server.secretKey,
      "AWS_ENDPOINT_URL": server.endpoint, "AWS_REGION": server.region,
    ]
    if let bundle = server.caBundle { program.environment["AWS_CA_BUNDLE"] = bundle }
    let store = "s3://\(server.bucket)/hub/\(UUID())"
    let token = try await HubProgram.token(
      "phone", program, arguments: ["--device", HubTrial.device])
    let hub = try await HubProgram(program, store: store)
    #expect(try await CurlAnswer(hub.url + "/readyz").status == 200)
    for _ in 0..<2 {
      let answer = try await CurlAnswer(
        hub.url + "/api/ingest", token: token, body: Array(HubTrial.body([70, 7]).utf8))
      #expect(answer.status == 200, "\(answer)")
    }
    // What waits is made before the end.
    #expect(try await hub.end(by: SIGTERM) == 0)
    let day = try await program.run("get", "2026-02-08", "--store", store, "-o", "json")
    #expect((try day.json()["metrics"] as? [String: Any])?["steps"] as? Double == 77)
  }

  @Test func `R46, R54: s3health verifies the server and syncs its queue to it`() async throws {
    var trial = try await HubTrial()
    trial.program.environment["S3HEALTH_DEVICE_TOKEN"] = trial.token
    let to = trial.hub.url + "/api/ingest"
    let setup = try await trial.program.run("init", "--server", to)
    #expect(setup.exitCode == 0, "\(setup.errors)")
    let sample = """
      {"sample_type":"HKQuantityTypeIdentifierStepCount","value":4321,"unit":"count",\
      "timestamp":"2026-02-08T10:00:00Z","end_timestamp":"2026-02-08T11:00:00Z"}
      """
    trial.program.environment["S3HEALTH_DEVICE_ID"] = HubTrial.device
    let added = try await trial.program.run(["raw", "add", "--stream", "healthkit"], input: sample)
    #expect(added.exitCode == 0, "\(added.errors)")
    let synced = try await trial.program.run("raw", "sync", "--server", to)
    #expect(synced.exitCode == 0, "\(synced.errors)")
    #expect(try await trial.hub.end(by: SIGTERM) == 0)
    #expect(try await trial.steps() == 4321)
  }
}

extension HubTrial {
  private init(_ old: HubTrial, _ hub: HubProgram) {
    (program, store, token, self.hub) = (old.program, old.store, old.token, hub)
  }

  /// The same store and tokens with another server.
  func restarted(environment: [String: String] = [:]) async throws -> HubTrial {
    HubTrial(self, try await HubProgram(program, store: store.path, environment: environment))
  }
}
