import Foundation
import TestSupport
import Testing

/// Further manners of a server, and what `doctor` says of them.
extension DoctorOnHostileServersTests {
  @Test func `a server that handles one connection at a time is slow, and works`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let store = [
      "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("honest", isSerial: true),
    ]
    try await DoctorAgreement.check(program, store)
  }

  @Test(arguments: [
    ("r2region", "--region", "InvalidRegionName"), ("plainrefusal", "operator", "InvalidRequest"),
    ("foreign404", "NoSuchKey", "not S3's"), ("nowrite501", "another store", "not implemented"),
  ])
  func `a refusal gets the advice of its fault, and none of encryption that was not asked for`(
    manner: String, remedy: String, words: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let store = server.store(manner)
    let put = try await program.run(["put", "--input", "-"] + store, input: payload())
    let doctor = try await program.run(["doctor"] + store)
    for text in [put.errors, doctor.output] {
      #expect(text.contains(words) && text.contains(remedy), "\(text)")
      #expect(!text.contains("sse"))
    }
    #expect(doctor.output.contains("Not ready"))
    #expect(!put.errors.contains("run `s3health doctor`"))
  }
}

/// Credentials that reach the ledger's data and no more (R24, R28).
@Suite(.server) struct DeniedProbeTests {
  @Test(arguments: TestServer.one.filter { $0.checksSignatures })
  func `R28: days are published without a pointer where a policy keeps the probe out`(
    server: TestServer
  ) async throws {
    var program = try Program().on(server)
    let bucket = "s3health-noprobe-\(UInt32.random(in: 0 ... .max))"
    var question = server.question(bucket: bucket)
    _ = try await server.deny(question)
    question["denied"] = "p/health/v0/.probe/"
    question["actions"] = ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"]
    program.environment.merge(try await server.deny(question)) { $1 }
    let store = server.arguments(bucket: bucket, prefix: "p")
    try await program.put(
      payload(), store, saying: "latest.json was not written", "allow s3:PutObject",
      "p/health/v0/.probe/", printing: "without latest.json")
    try await program.succeeds(["get", "2026-02-08"] + store, printing: "8,432")
    let doctor = try await program.run(["doctor"] + store)
    // Days are published all the same, so it is ready.
    #expect(doctor.exitCode == 1)
    #expect(doctor.output.contains("not allowed"))
    #expect(doctor.output.contains("below p/health/v0/.probe/"))

    question["denied"] = "p/nothing"
    program.environment.merge(try await server.deny(question)) { $1 }
    let later = try await program.put(payload(steps: 9), store, printing: "published  ")
    #expect(later.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("run ") })
  }

  @Test(arguments: ["probedenied", "nodelete"])
  func `R28: verify knows the probe's place, and finds nothing in it`(mode: String) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let at = server.store
    let put = try await program.put(payload(), at(mode))
    #expect(put.output.hasPrefix("published"))
    #expect(put.output.contains("without latest.json") == (mode != "nodelete"))
    let verify = try await program.succeeds(["verify", "2026-02-08"] + at("honest"))
    #expect(!verify.output.contains("foreign_object"))
    #expect(!verify.output.contains(".probe"))
  }

  @Test func `R28: doctor warns where the probe's objects stay`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    try await program.run(
      ["doctor", "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("nodelete")],
      ends: 1, printing: "what the probe wrote could not be removed",
      "below p/health/v0/.probe/ (s3:DeleteObject)",
      "It works, with warnings: conditional writes, privacy."
    )
  }

  @Test func `R48: a sync whose probe is denied is E005 and names the right`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let points = """
      {"timestamp":"2026-02-08T07:00:00.000Z","latitude":52.5,"longitude":13.4,"altitude":34,\
      "speed":1.3,"horizontal_accuracy":5,"vertical_accuracy":3}
      """
    let add = ["raw", "add", "--stream", "location", "--input", "-"]
    try await program.succeeds(add, input: points)
    try await program.run(
      [
        "raw", "sync", "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("probedenied"),
      ], ends: 77, saying: "E005: ", "  do:     allow s3:PutObject",
      "p/health/v0/.probe/*; nothing is lost")
  }

  @Test func `R38: a repair says that the probe is denied, and doctor says it once`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let store = server.store("probedenied")
    try await program.put(payload(), store)
    let repair = try await program.run(["verify", "2026-02-08", "--repair", "--yes"] + store)
    #expect(repair.output.contains("can't move latest.json safely"))
    #expect(!repair.output.contains("no compare-and-swap"))
    #expect(repair.errors.contains("latest.json was not moved: these credentials are not allowed"))
    #expect(repair.errors.contains("s3:GetObject"))
    #expect(repair.errors.contains("below p/health/v0/.probe/ as well"))
    let doctor = try await program.run(["doctor"] + store)
    let said = doctor.output.ranges(of: "is not allowed for these credentials")
    #expect(said.count == 1, "\(doctor.output)")
  }
}

/// What else a server is asked for.
extension MainJobOnServersTests {
  @Test(arguments: TestServer.all.filter { $0.checksSignatures })
  func `doctor finds the store fit and leaves nothing behind`(server: TestServer) async throws {
    let program = try Program().on(server)
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
    let store = server.arguments()
    let put = ["put", "--input", "-"] + store
    var encrypting = program
    encrypting.environment["S3HEALTH_SSE"] = "AES256"
    let run = try await encrypting.run(put, input: payload())
    if run.exitCode == 0 {
      try await program.succeeds(["get"] + Self.day + store, printing: "8,432")
    } else {
      #expect(run.exitCode == 69)
      #expect(run.errors.contains("check the setting sse"))
      #expect(run.errors.contains("nothing was stored"))
      #expect(!server.product.contains("MinIO") || run.errors.contains("no key management"))
      #expect(try await program.run(["get"] + Self.day + store).exitCode == 66)
    }
    // A store that can't encrypt may do all else.
    let plain = try await program.succeeds(put, input: payload(steps: 77))
    #expect(plain.output.hasPrefix("published"))
  }

  @Test(arguments: TestServer.every)
  func `a month is published at once, and nothing is missing`(server: TestServer) async throws {
    let program = try Program().on(server)
    let store = server.arguments()
    let put = try await program.publishFebruary(store)
    let lines = put.output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("published  2026-02-") }.count == 28)
    let pointers = server.conditions == .full ? "" : ", 28 of them published without a pointer"
    #expect(lines.last == "28 days: 28 published new\(pointers)", "\(put.output)")
    try await program.succeeds(
      ["verify", "2026-02-01..2026-02-28"] + store, printing: "28 days: 28 complete")
  }

  @Test(arguments: TestServer.one.filter { $0.checksSignatures })
  func `a bucket can be named whole in the configuration file`(server: TestServer) async throws {
    var program = try Program().on(server)
    program.environment["AWS_ENDPOINT_URL"] = nil
    program.environment["AWS_REGION"] = nil
    var lines = [
      "store = s3://\(server.bucket)/commands/\(UUID())", "endpoint_url = \(server.endpoint)",
      "region = \(server.region)", "timezone = Asia/Kolkata", "addressing_style = path",
    ]
    if let caBundle = server.caBundle { lines.append("ca_bundle = \(caBundle)") }
    program.environment["S3HEALTH_TIMEZONE"] = ""
    let file = try program.file("mine.conf", lines.joined(separator: "\n"))
    program.environment["S3HEALTH_CONFIG"] = file
    try await program.put(payload())
    try await program.succeeds(["get", "2026-02-08"], printing: "Asia/Kolkata")
    let doctor = try await program.succeeds(["doctor", "--output", "json"])
    let settings = try #require(try doctor.json()["settings"] as? [[String: String]])
    for name in ["store", "timezone"] {
      #expect(settings.first { $0["setting"] == name }?["origin"] == file)
    }
  }
}

/// Further buckets and servers that refuse, or are not there.
extension UnfitBucketTests {
  @Test(arguments: [
    ("400-ExpiredToken", FailureCode.notAuthorized, "session has expired", "sign in again"),
    ("403-AccessDenied", .notAuthorized, "not allowed", "s3:ListBucket"),
    ("403-QuotaExceeded", .storageUnavailable, "the store is full", "quota"),
    ("500-InternalError", .storageUnavailable, "on the side of the store", "later"),
  ])
  func `what a server refuses with is said in our words and its own`(
    answer: String, code: FailureCode, message: String, remedy: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile().sendingOnce()
    for command in Self.commands {
      try await program.fails(
        command + [
          "--store", "s3://\(answer)", "--endpoint-url", server.endpoint("refusesall"),
        ], input: payload(), as: code, saying: message, remedy,
        String(answer.split(separator: "-")[1]), "as asked", "request id REQ")
    }
  }

  @Test(arguments: signing)
  func `http to a port for https and the reverse are distinguished from a server that is away`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server).sendingOnce()
    let isTLS = server.endpoint.hasPrefix("https:")
    let other =
      isTLS
      ? server.endpoint.replacing("https:", with: "http:")
      : server.endpoint.replacing("http:", with: "https:")
    try await program.fails(
      [
        "get", "2026-02-08", "--store", "s3://\(server.bucket)", "--endpoint-url", other,
      ], as: .storageUnavailable,
      saying: isTLS ? "use https:// in the endpoint's address" : "does not answer in TLS",
      "in the endpoint's address")
  }

  @Test(arguments: TestServer.one)
  func `a bucket in the endpoint's path is named`(server: TestServer) async throws {
    let program = try Program().on(server)
    for command in Self.commands {
      try await program.fails(
        command + server.arguments()
          + ["--endpoint-url", "\(server.endpoint)/\(server.bucket)"], input: payload(),
        as: .storageUnavailable, saying: "\(server.bucket) twice",
        "leave the bucket's name out of the endpoint's address")
    }
  }

  @Test func `a failing proxy is named without its password; doctor shows it`() async throws {
    var program = try Program().onHostile().sendingOnce()
    let secret = "s3cret-of-the-proxy"
    for (proxy, words) in [
      ("http://me:\(secret)@127.0.0.1:1", "http://127.0.0.1:1 (HTTPS_PROXY)"),
      ("http://me:\(secret)@proxy.invalid:1", "its name could not be resolved"),
      ("ftp://me:\(secret)@127.0.0.1:1", "HTTPS_PROXY, which is not a proxy's address"),
      ("http://me:\(secret)/@127.0.0.1:1", "HTTPS_PROXY"),
    ] {
      program.environment["HTTPS_PROXY"] = proxy
      let store = ["--store", "s3://bucket", "--endpoint-url", "https://store.invalid"]
      try await program.fails(
        ["get"] + store, as: .storageUnavailable, saying: "at the proxy for store.invalid", words,
        "set HTTPS_PROXY", "NO_PROXY")
      let doctor = try await program.run(["doctor", "--verbose"] + store)
      #expect(doctor.output.contains("proxy") && doctor.output.contains("HTTPS_PROXY"))
      #expect(!(doctor.output + doctor.errors).contains(secret), "\(doctor)")
      let get = try await program.run(["get", "--verbose"] + store)
      #expect(!(get.output + get.errors).contains(secret), "\(get)")
    }
  }
}
