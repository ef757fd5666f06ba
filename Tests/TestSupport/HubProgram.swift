package import Foundation
import Subprocess

/// A running s3healthd: the real binary, as a user starts it, on a free port of loopback.
package final class HubProgram: @unchecked Sendable {  // used by one test, in its order
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Where the program lies: S3HEALTHD_BINARY, else in the build folder with the tests that run.
  package static let path =
    ProcessInfo.processInfo.environment["S3HEALTHD_BINARY"] ?? BuiltProgram.path("s3healthd")

  private let process: Process
  private let logFile: URL
  /// Its home is there as long as the server.
  private let program: Program
  package let port: Int
  /// The port of `/metrics`; nil without `--metrics-listen`.
  package let metricsPort: Int?

  /// Starts a server in the home of a program, and waits until it listens.
  ///
  /// - Parameters:
  ///   - environment: added to that of the program.
  ///   - arguments: further arguments of `serve`.
  ///   - hasStarted: called with the id of the process before it listens.
  package init(
    _ program: Program, store: String, arguments: [String] = [],
    environment: [String: String] = [:], hasStarted: (Int32) async throws -> Void = { _ in }
  ) async throws {
    self.program = program
    process = Process()
    logFile = program.home.appending(path: "serve-\(UUID()).log")
    process.executableURL = URL(filePath: Self.path)
    process.arguments =
      ["serve", "--store", store, "--listen", "127.0.0.1:0"] + arguments
    process.environment = program.environment.merging([
      "HOME": program.home.path, "PATH": "/usr/bin:/bin", "AWS_EC2_METADATA_DISABLED": "true",
      "S3HEALTH_TIMEZONE": "Europe/Berlin",
    ]) { given, _ in given }.merging(environment) { _, new in new }
    _ = FileManager.default.createFile(atPath: logFile.path, contents: nil)
    process.standardError = try FileHandle(forWritingTo: logFile)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try await hasStarted(process.processIdentifier)
    let wantsMetrics = arguments.contains("--metrics-listen")
    var (port, metricsPort): (Int?, Int?)
    for _ in 0..<600 where process.isRunning {
      let log = try String(contentsOf: logFile, encoding: .utf8)
      port = log.firstMatch(of: #/listening on https?://[^ ]*:(\d+) /#).flatMap { Int($0.1) }
      metricsPort = log.firstMatch(of: #/metrics on http://[^ ]*:(\d+)//#).flatMap { Int($0.1) }
      if port != nil, !wantsMetrics || metricsPort != nil { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    guard let port else {
      process.terminate()
      let log = (try? String(contentsOf: logFile, encoding: .utf8)) ?? ""
      throw Failure(description: "s3healthd does not listen: \(log)")
    }
    (self.port, self.metricsPort) = (port, metricsPort)
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  package var isRunning: Bool { process.isRunning }
  package var processID: Int32 { process.processIdentifier }

  /// Everything that it has said so far.
  package var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

  /// The resident memory in megabytes; nil where the system has no /proc.
  package var megabytes: Int? {
    let status = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
    return status?.firstMatch(of: #/VmRSS:\s+(\d+) kB/#).flatMap { Int($0.1) }.map { $0 / 1024 }
  }

  /// Sends a signal, and waits for the end.
  ///
  /// - Returns: the exit code, as shells see it.
  @discardableResult
  package func end(by signal: Int32) async throws -> Int {
    kill(process.processIdentifier, signal)
    return try await ended()
  }

  /// Waits for the end.
  package func ended() async throws -> Int {
    for _ in 0..<2400 where process.isRunning { try await Task.sleep(for: .milliseconds(50)) }
    guard !process.isRunning else { throw Failure(description: "s3healthd did not end") }
    return process.terminationReason == .exit
      ? Int(process.terminationStatus) : 128 + Int(process.terminationStatus)
  }

  /// Makes a token in the program's home.
  ///
  /// - Returns: the secret.
  package static func token(
    _ name: String, _ program: Program, arguments: [String] = []
  ) async throws -> String {
    let output = try await run(program, ["token", "add", name, "-o", "json"] + arguments)
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    guard let token = value?["token"] as? String else { throw Failure(description: output) }
    return token
  }

  /// Runs a command to its end, and returns its stdout.
  @discardableResult
  package static func run(_ program: Program, _ arguments: [String]) async throws -> String {
    let result = try await Subprocess.run(
      .path(.init(path)), arguments: .init(arguments),
      environment: .custom(
        ["HOME": program.home.path, "PATH": "/usr/bin:/bin"].merging(program.environment) {
          given, _ in given
        }.asKeys),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    guard result.terminationStatus.isSuccess else {
      throw Failure(
        description: "\(arguments): \(result.terminationStatus) \(result.standardError)")
    }
    return result.standardOutput
  }

  /// A home with an empty store and a database that has the hub's tables.
  package static func withTables() async throws -> (
    program: Program, store: URL, database: PostgresServer.Database
  ) {
    var program = try Program()
    let database = try await PostgresServer.shared().database()
    program.environment["S3HEALTH_POSTGRES"] = database.url
    try await run(program, ["db", "create"])
    let store = program.home.appending(path: "store")
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    return (program, store, database)
  }

  /// A certificate of this machine that is its own authority, and its key, as files in a home.
  package static func certificate(
    in program: Program
  ) async throws -> (certificate: String, key: String) {
    let (certificate, key) = (
      program.home.appending(path: "cert.pem").path, program.home.appending(path: "key.pem").path
    )
    let made = try await Subprocess.run(
      .name("openssl"),
      arguments: [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=hub",
        "-addext", "subjectAltName=IP:127.0.0.1",
      ], output: .discarded, error: .string(limit: 65_536))
    guard made.terminationStatus.isSuccess else {
      throw Failure(description: "openssl: \(made.standardError)")
    }
    return (certificate, key)
  }
}

extension [String: String] {
  fileprivate var asKeys: [Subprocess.Environment.Key: String] {
    Dictionary<Subprocess.Environment.Key, String>(
      uniqueKeysWithValues: map { (.init(stringLiteral: $0.key), $0.value) })
  }
}
