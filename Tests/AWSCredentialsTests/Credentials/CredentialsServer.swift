import CurlTransport
import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import AWSCredentials
@testable import S3Store

/// `Tests/Peers/credentials_server.py`, running.
final class CredentialsServer: Sendable {
  struct Expectation: Encodable {
    var webToken = "web-identity-token-eyJhbGciOi"
    var authorization: String?
    var accessKey = "AKBASE"
    var secretKey = "base/secret/key"
    var region = "us-east-1"
    var failures = 0
    var expiration = "2099-01-01T00:00:00Z"
  }

  struct NotStarted: Error {}

  let port: Int
  private let process: Process
  private let input: Pipe

  var url: String { "http://127.0.0.1:\(port)" }

  /// Runs `body` while a server of its own answers.
  static func with(
    _ expectation: Expectation = Expectation(),
    _ body: (CredentialsServer) async throws -> Void
  ) async throws {
    let server = try CredentialsServer(expectation)
    defer { server.stop() }
    try await body(server)
  }

  private init(_ expectation: Expectation) throws {
    guard let python = ProcessInfo.processInfo.environment["S3HEALTH_PEER_PYTHON"] else {
      throw NotStarted()
    }
    (process, input) = (Process(), Pipe())
    let output = Pipe()
    process.executableURL = URL(filePath: python)
    process.arguments = [
      ProjectTree.root.appending(path: "Tests/Peers/credentials_server.py").path,
      String(decoding: try JSONEncoder().encode(expectation), as: UTF8.self),
    ]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    guard
      let line = String(data: output.fileHandleForReading.availableData, encoding: .utf8),
      let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines))
    else { throw NotStarted() }
    self.port = port
  }

  /// It ends with its input, also where this process dies.
  private func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The requests so far, as `METHOD path`.
  func log() async throws -> [String] {
    let transport = CurlTransport()
    defer { transport.shutdown() }
    let response = try await transport.send(HTTPRequest(.get, url + "/log"))
    return String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
