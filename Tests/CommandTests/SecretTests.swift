import Foundation
import TestSupport
import Testing

/// Secrets appear in no output, log, error, file or process list.
@Suite(.server) struct SecretTests {
  static let token = "FwoGZXIvYXdzEBYaDHNlc3Npb24tdG9rZW4tb2YtdGVzdHM"

  /// Runs a command as chatty as can be and expects none of the secrets anywhere.
  func expectHidden(
    _ secrets: [String], _ program: Program, _ arguments: [String], exit: [Int],
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    for form in [["--verbose"], ["--verbose", "--output", "json"]] {
      let run = try await program.run(
        arguments + form, input: payload(steps: .random(in: 1...99_999)))
      #expect(exit.contains(run.exitCode), "\(run.errors)", sourceLocation: location)
      for secret in secrets {
        #expect(!run.output.contains(secret), sourceLocation: location)
        #expect(!run.errors.contains(secret), sourceLocation: location)
      }
    }
    // The cache, the data folder and whatever else the program wrote in its home.
    let names = FileManager.default.enumerator(atPath: program.home.path)
    while let name = names?.nextObject() as? String {
      if name.hasPrefix(".aws") || name.hasSuffix(".sh") { continue }
      let file = program.home.appending(path: name)
      guard let data = FileManager.default.contents(atPath: file.path) else { continue }
      for secret in secrets {
        #expect(
          data.range(of: Data(secret.utf8)) == nil, "\(name) holds a secret",
          sourceLocation: location)
      }
    }
  }

  static let commands = [
    ["put", "--input", "-"], ["get", "2026-02-08"], ["doctor"],
    ["verify", "2026-02-08"],
  ]

  @Test(arguments: TestServer.one)
  func `no run on a real server shows the secret key or the session token`(server: TestServer)
    async throws
  {
    let program = try Program().on(server)
    let secrets = [server.secretKey, Self.token]
    let store = server.arguments()
    // A store that looks at no key is open to everybody, of which doctor warns.
    let fit = server.checksSignatures ? [0] : [0, 1]
    for command in Self.commands {
      try await expectHidden(secrets, program, command + store, exit: fit)
      try await expectHidden(
        secrets, program, command + server.arguments(bucket: "s3health-absent"), exit: [69])
    }
    // With a token that the server does not know: MinIO refuses it, others do not look at it.
    var session = program
    session.environment["AWS_SESSION_TOKEN"] = Self.token
    for command in Self.commands {
      try await expectHidden(secrets, session, command + store, exit: fit + [77])
    }
  }

  @Test(arguments: ["echo", "refusesall"])
  func `a server that sends back what it was sent gives nothing away`(mode: String) async throws {
    let server = try HostileStore()
    var program = try Program().onHostile().sendingOnce()
    let secret = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
    program.environment["AWS_SECRET_ACCESS_KEY"] = secret
    program.environment["AWS_SESSION_TOKEN"] = Self.token
    for command in Self.commands {
      try await expectHidden(
        [secret, Self.token], program,
        command + [
          "--store", "s3://403-SignatureDoesNotMatch/p", "--endpoint-url", server.endpoint(mode),
        ], exit: [69, 77])
    }
  }

  @Test func `the process list shows no secret while a run waits for its server`() async throws {
    let server = try HostileStore()
    var program = try Program().onHostile()
    let secret = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
    program.environment["AWS_SECRET_ACCESS_KEY"] = secret
    program.environment["AWS_SESSION_TOKEN"] = Self.token
    let run = try await program.interrupted(by: server, at: "GET", "").run(
      "get", "2026-02-08", "--store", "s3://bucket", "--endpoint-url", server.endpoint("mute"))
    #expect(run.errors.contains("shown: ") && run.errors.contains("s3://bucket"))
    #expect(!run.errors.contains(secret) && !run.errors.contains(Self.token))
    #expect(run.exitCode == 130)
  }
}
