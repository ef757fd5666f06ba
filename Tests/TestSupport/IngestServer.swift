import Foundation

/// A server that takes batches as R46 says, or misbehaves as asked:
/// Tests/Peers/ingest_receiver.py, one for the whole run, with a world of its own for each value.
package struct IngestServer: Sendable {
  /// What arrived.
  package struct Log: Decodable, Sendable {
    package struct Batch: Decodable, Sendable {
      package let stream: String
      package let records: Int
      package let sent: Int
    }

    /// By id.
    package let batches: [String: Batch]
    package let posts: Int
    package let gets: Int
    /// The tokens of GET requests.
    package let tokens: [String]
  }

  /// The only token that it takes.
  package static let token = "token-of-the-tests"

  private struct Ports: Decodable { let port: Int }

  private static let started = Result {
    try PeerServer.start("ingest_receiver.py", saying: Ports.self)
  }

  private let world = UUID().uuidString
  private let port: Int

  package init() throws { port = try Self.started.get().port }

  /// The address at which the server behaves so; all modes share this value's batches.
  package func url(_ mode: String = "ok") -> String {
    "http://127.0.0.1:\(port)/\(mode)/\(world)/api/ingest"
  }

  /// What arrived so far.
  package func log() async throws -> Log {
    let log = try await PeerServer.get("http://127.0.0.1:\(port)/log/\(world)")
    return try JSONDecoder().decode(Log.self, from: log)
  }
}
