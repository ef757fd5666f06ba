import Foundation
import TestSupport
import Testing

/// Further buckets and servers that refuse, or are not there.
extension UnfitBucketTests {
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
}
