import Foundation
import TestSupport
import Testing

/// Buckets and servers that are there and refuse, or are not there at all.
@Suite(.server) struct UnfitBucketTests {
  static let signing = TestServer.one.filter(\.checksSignatures)

  /// All commands that touch a store.
  static let commands = [
    ["put", "--input", "-"], ["get", "2026-02-08"], ["verify", "2026-02-08"],
  ]

  @Test func `there are servers that check signatures`() { #expect(!Self.signing.isEmpty) }

  @Test(arguments: signing)
  func `wrong credentials or keys leave the store as it was`(server: TestServer) async throws {
    let owner = try Program().on(server)
    let store = server.arguments()
    try await owner.put(payload(), store)

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
    try await wrongSecret.run(["doctor"] + store, ends: 77, printing: "signature does not match")

    let history = try await owner.succeeds(["get", "2026-02-08", "--history"] + store)
    #expect(history.output.split(separator: "\n").count == 1)
  }

  @Test(arguments: TestServer.one)
  func `a bucket that does not exist is named`(server: TestServer) async throws {
    let program = try Program().on(server)
    let bucket = "s3health-absent-\(UInt32.random(in: 0 ... .max))"
    for command in Self.commands {
      try await program.fails(
        command + server.arguments(bucket: bucket), input: payload(), as: .storageUnavailable,
        saying: "the bucket \(bucket) does not exist at \(server.endpoint)", "NoSuchBucket",
        "check the name")
    }
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
    let at = server.store
    try await program.put(payload(), at("honest"))
    for input in [payload(steps: 9), payload("2026-02-09")] {
      try await program.fails(
        ["put", "--input", "-"] + at(mode), input: input, as: code,
        saying: message, remedy, "nothing was stored")
    }
    try await program.succeeds(["get", "2026-02-08"] + at(mode), printing: "8,432")
    let doctor = try await program.run(["doctor"] + at(mode))
    #expect(doctor.exitCode == code.exitCode)
    #expect(doctor.output.contains(message))
    let history = try await program.succeeds(["get", "2026-02-08", "--history"] + at("honest"))
    #expect(history.output.split(separator: "\n").count == 1)
  }

  @Test func `plain http to another machine is refused unless it is allowed`() async throws {
    let program = try Program().onHostile().sendingOnce()
    let far = ["--store", "s3://bucket", "--endpoint-url", "http://minio.invalid:9000"]
    for command in Self.commands {
      try await program.refuses(
        command + far, input: payload(), saying: "unencrypted", "--allow-plaintext")
    }
    try await program.fails(
      ["get", "--allow-plaintext"] + far, as: .storageUnavailable,
      saying: "minio.invalid")
  }

  @Test(arguments: TestServer.overTLS.filter { $0.caBundle != nil })
  func `an unknown authority and a missing bundle are refused`(server: TestServer) async throws {
    let program = try Program().on(server)
    let store = ["--store", "s3://\(server.bucket)/x"]
    for command in Self.commands {
      try await program.fails(
        command + store, input: payload(), as: .storageUnavailable, saying: "no trusted TLS",
        "--ca-bundle")
    }
    try await program.refuses(
      ["get"] + store + ["--ca-bundle", "/nonexistent/ca.pem"],
      saying: "/nonexistent/ca.pem can't be read", "PEM")
    let noBundle = try program.file("ca.pem", "no certificate\n")
    try await program.refuses(["get"] + store + ["--ca-bundle", noBundle], saying: noBundle)
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
