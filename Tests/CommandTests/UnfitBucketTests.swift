import Foundation
import TestSupport
import Testing

/// Buckets and servers that are there and refuse, or are not there at all.
@Suite(.server) struct UnfitBucketTests {
  private static let signing = TestServer.one.filter(\.checksSignatures)

  /// All commands that touch a store.
  private static let commands = [
    ["put", "--input", "-"], ["get", "2026-02-08"],
    ["verify", "--from", "2026-02-08", "--to", "2026-02-08"],
  ]

  @Test func `there are servers that check signatures`() { #expect(!Self.signing.isEmpty) }

  @Test(arguments: signing)
  func `wrong credentials are distinguished from a wrong key and leave the store as it was`(
    server: TestServer
  ) async throws {
    let owner = try Program().on(server)
    defer { owner.removeHome() }
    let store = server.arguments()
    try await owner.succeeds(["put", "--input", "-"] + store, input: payload())

    var wrongSecret = owner
    wrongSecret.environment["AWS_SECRET_ACCESS_KEY"] = "not-the-secret-key-of-this-test"
    var wrongKey = owner
    wrongKey.environment["AWS_ACCESS_KEY_ID"] = "AKIANOSUCHEXAMPLEKEY"
    for command in Self.commands {
      try await wrongSecret.fails(
        command + store, input: payload(steps: 9), as: .notAuthorized,
        saying: "the signature does not match", server.bucket, server.endpoint,
        "AWS_ACCESS_KEY_ID", "check the secret key")
      try await wrongKey.fails(
        command + store, input: payload(steps: 9), as: .notAuthorized,
        saying: "does not accept the access key", "InvalidAccessKeyId", "belong to this endpoint")
    }
    let doctor = try await wrongSecret.run(["doctor"] + store)
    #expect(doctor.exitCode == 77)
    #expect(doctor.output.contains("signature does not match"))

    let history = try await owner.succeeds(["get", "2026-02-08", "--history"] + store)
    #expect(history.output.split(separator: "\n").count == 1)
  }

  @Test func `without credentials the error names the places that were searched`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    for command in Self.commands {
      try await program.fails(
        command + ["--store", "s3://bucket", "--endpoint-url", "http://127.0.0.1:1"],
        input: payload(), as: .notAuthorized, saying: "credentials", "AWS_ACCESS_KEY_ID")
    }
  }

  @Test func `a profile that does not exist is named`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.fails(
      ["get", "--store", "s3://bucket", "--profile", "nobody"], as: .invalidArguments,
      saying: "nobody", ".aws/")
  }

  @Test(arguments: TestServer.one)
  func `a bucket that does not exist is named`(server: TestServer) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let bucket = "s3health-absent-\(UInt32.random(in: 0 ... .max))"
    for command in Self.commands {
      try await program.fails(
        command + server.arguments(bucket: bucket), input: payload(), as: .storageUnavailable,
        saying: "there is no bucket \(bucket) at \(server.endpoint)", "NoSuchBucket",
        "check the name")
    }
  }

  @Test(arguments: ["region400", "region301"])
  func `a server that names the right region is asked there`(mode: String) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let store = ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint(mode)]
    try await program.succeeds(
      ["put", "--input", "-", "--region", "us-wrong-1"] + store, input: payload())
    let get = try await program.succeeds(["get", "2026-02-08"] + store)
    #expect(get.output.contains("8,432"))
    let refused = try await server.requests().filter {
      $0.headers["host"]?.contains("evil") == true
    }
    #expect(refused.isEmpty)
  }

  @Test(arguments: ["circle", "hops", "redirect", "hostileregion"])
  func `regions and redirects that lead round in a circle are left after a few steps`(
    mode: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let store = ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint(mode)]
    for command in Self.commands {
      try await program.fails(
        command + store, input: payload(), as: .storageUnavailable,
        saying: mode == "redirect" ? "not followed" : "sent on to another region", "--region",
        "--endpoint-url")
    }
    #expect(try await server.writes().isEmpty)
    #expect(try await server.requests().count < 60)
  }

  @Test(arguments: [
    ("readonly", FailureCode.notAuthorized, "not allowed", "s3:PutObject"),
    ("full", .storageUnavailable, "the store is full", "make room"),
  ])
  func `a bucket that takes no write keeps what it has, and can be read`(
    mode: String, code: FailureCode, message: String, remedy: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    func at(_ mode: String) -> [String] {
      ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint(mode)]
    }
    try await program.succeeds(["put", "--input", "-"] + at("honest"), input: payload())
    for input in [payload(steps: 9), payload("2026-02-09")] {
      try await program.fails(
        ["put", "--input", "-"] + at(mode), input: input, as: code,
        saying: message, remedy, "nothing was stored")
    }
    let get = try await program.succeeds(["get", "2026-02-08"] + at(mode))
    #expect(get.output.contains("8,432"))
    let doctor = try await program.run(["doctor"] + at(mode))
    #expect(doctor.exitCode == code.exitCode)
    #expect(doctor.output.contains(message), "\(doctor.output)")
    let history = try await program.succeeds(
      ["get", "2026-02-08", "--history"] + at("honest"))
    #expect(history.output.split(separator: "\n").count == 1)
  }

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
    defer { program.removeHome() }
    for command in Self.commands {
      try await program.fails(
        command + [
          "--store", "s3://\(answer)", "--endpoint-url", server.endpoint("refusesall"),
        ], input: payload(), as: code, saying: message, remedy,
        String(answer.split(separator: "-")[1]), "as asked", "request id REQ")
    }
  }

  @Test func `a port where nobody listens is named`() async throws {
    let program = try Program().onHostile().sendingOnce()
    defer { program.removeHome() }
    for command in Self.commands {
      let error = try await program.fails(
        command + [
          "--store", "s3://bucket", "--endpoint-url", "http://127.0.0.1:1",
        ], input: payload(), as: .storageUnavailable, saying: "127.0.0.1:1 can't be reached",
        "--endpoint-url")
      #expect(error["retryable"] as? Bool == true)
    }
  }

  @Test(arguments: signing)
  func `http to a port for https and the reverse are distinguished from a server that is away`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server).sendingOnce()
    defer { program.removeHome() }
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
    defer { program.removeHome() }
    for command in Self.commands {
      try await program.fails(
        command + server.arguments()
          + ["--endpoint-url", "\(server.endpoint)/\(server.bucket)"], input: payload(),
        as: .storageUnavailable, saying: "\(server.bucket) twice",
        "leave the bucket's name out of the endpoint's address")
    }
  }

  @Test func `a proxy that fails is named without its password, and doctor shows it`() async throws
  {
    var program = try Program().onHostile().sendingOnce()
    defer { program.removeHome() }
    let secret = "s3cret-of-the-proxy"
    for (proxy, words) in [
      ("http://me:\(secret)@127.0.0.1:1", "http://127.0.0.1:1 (HTTPS_PROXY)"),
      ("http://me:\(secret)@proxy.invalid:1", "its name could not be resolved"),
      ("ftp://me:\(secret)@127.0.0.1:1", "HTTPS_PROXY, which is not a proxy's address"),
      ("http://me:\(secret)/@127.0.0.1:1", "HTTPS_PROXY"),
    ] {
      program.environment["HTTPS_PROXY"] = proxy
      let store = [
        "--store", "s3://bucket", "--endpoint-url", "https://store.invalid",
      ]
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

  @Test func `a host that has no address is named`() async throws {
    let program = try Program().onHostile().sendingOnce()
    defer { program.removeHome() }
    try await program.fails(
      [
        "get", "--store", "s3://bucket", "--endpoint-url", "https://nowhere.invalid",
      ], as: .storageUnavailable, saying: "nowhere.invalid", "--endpoint-url")
  }

  @Test func `plain http to another machine is refused unless it is allowed`() async throws {
    let program = try Program().onHostile().sendingOnce()
    defer { program.removeHome() }
    let far = ["--store", "s3://bucket", "--endpoint-url", "http://minio.invalid:9000"]
    for command in Self.commands {
      try await program.fails(
        command + far, input: payload(), as: .invalidArguments, saying: "unencrypted",
        "--allow-plaintext")
    }
    try await program.fails(
      ["get", "--allow-plaintext"] + far, as: .storageUnavailable,
      saying: "minio.invalid")
  }

  @Test(arguments: TestServer.overTLS.filter { $0.caBundle != nil })
  func `a certificate of an unknown authority is refused, and so is a missing bundle`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let store = ["--store", "s3://\(server.bucket)/x"]
    for command in Self.commands {
      try await program.fails(
        command + store, input: payload(), as: .storageUnavailable, saying: "no trusted TLS",
        "--ca-bundle")
    }
    try await program.fails(
      ["get"] + store + ["--ca-bundle", "/nonexistent/ca.pem"], as: .invalidArguments,
      saying: "/nonexistent/ca.pem can't be read", "PEM")
    let noBundle = try program.file("ca.pem", Array("no certificate\n".utf8))
    try await program.fails(
      ["get"] + store + ["--ca-bundle", noBundle], as: .invalidArguments, saying: noBundle)
  }
}

extension Program {
  /// The program with the keys of no real server.
  func onHostile() -> Program {
    var program = self
    program.environment["AWS_ACCESS_KEY_ID"] = "AKIATESTTESTTEST"
    program.environment["AWS_SECRET_ACCESS_KEY"] = "not-a-secret"
    program.environment["AWS_REGION"] = "us-east-1"
    return program
  }

  /// Sends each request once, so that a store that fails is reported at once.
  func sendingOnce() -> Program {
    var program = self
    program.environment["AWS_MAX_ATTEMPTS"] = "1"
    return program
  }
}
