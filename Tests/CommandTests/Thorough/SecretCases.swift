import Foundation
import TestSupport
import Testing

/// Further places where a secret may not appear.
extension SecretTests {
  @Test func `keys from a profile and from another program are hidden as well`() async throws {
    let server = try HostileStore()
    var program = try Program().sendingOnce()
    program.environment["AWS_REGION"] = "us-east-1"
    let secret = "kept-in-a-file-0123456789"
    _ = try program.file(
      ".aws/credentials",
      """
      [default]
      aws_access_key_id = AKIAFILE
      aws_secret_access_key = \(secret)
      aws_session_token = \(Self.token)
      """)
    let script = try program.file(
      "keys.sh", "echo '{\"Version\": 1, \"SecretAccessKey\": \"\(secret)\", oops'")
    _ = try program.file(".aws/config", "[profile made]\ncredential_process = sh \(script)\n")
    let store = server.store("echo")
    for command in Self.commands {
      try await expectHidden([secret, Self.token], program, command + store, exit: [69, 77])
      try await expectHidden(
        [secret], program, command + store + ["--profile", "made"], exit: [64, 69, 77])
    }
  }

  @Test func `an endpoint with a password in it is refused without showing it`() async throws {
    let program = try Program().onHostile()
    let run = try await program.run(
      "get", "--verbose", "--store", "s3://bucket", "--endpoint-url",
      "https://me:hunter2hunter2@127.0.0.1:1")
    #expect(run.exitCode == 64)
    #expect(!(run.output + run.errors).contains("hunter2"), "\(run.errors)")
  }

  @Test func `a crash shows no secret and leaves no image of the memory`() async throws {
    let server = try HostileStore()
    var program = try Program().onHostile()
    let secret = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
    program.environment["AWS_SECRET_ACCESS_KEY"] = secret
    program.workingDirectory = program.home.path
    // A signal that dumps memory and that Swift's own crash reporter, where it is on, leaves alone.
    let run = try await program.interrupted(by: server, at: "GET", "", with: "SIGXCPU").run(
      "get", "2026-02-08", "--store", "s3://bucket", "--endpoint-url", server.endpoint("mute"))
    #expect(run.exitCode == 128 + Int(SIGXCPU))
    #expect(!run.errors.contains(secret))
    let files = try FileManager.default.contentsOfDirectory(atPath: program.home.path)
    #expect(!files.contains { $0.hasPrefix("core") }, "\(files)")
  }
}
