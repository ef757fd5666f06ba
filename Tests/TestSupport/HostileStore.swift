import Foundation

/// An S3 server that misbehaves as asked: Tests/Peers/s3_hostile.py, one for the whole run, with
/// a world of its own (objects, counters, log) for each value of this type.
package struct HostileStore: Sendable {
  /// What the server saw of a request.
  package struct Request: Codable, Sendable {
    package let method: String
    package let path: String
    package let headers: [String: String]
  }

  private struct Ports: Codable {
    let hostile: Int
    let serial: Int
  }

  private static let started = Result {
    try PeerServer.start("s3_hostile.py", saying: Ports.self)
  }

  private let world = UUID().uuidString
  private let port: Int
  private let serialPort: Int

  /// A server without objects.
  package init() throws {
    let ports = try Self.started.get()
    (port, serialPort) = (ports.hostile, ports.serial)
  }

  /// The endpoint at which the server behaves so; all modes share this value's objects.
  ///
  /// - Parameter isSerial: whether it handles one connection at a time.
  package func endpoint(_ mode: String, isSerial: Bool = false) -> String {
    "http://127.0.0.1:\(isSerial ? serialPort : port)/\(mode)/\(world)"
  }

  /// The arguments that name it as a store.
  package func store(_ mode: String) -> [String] {
    ["--store", "s3://bucket/p", "--endpoint-url", endpoint(mode)]
  }

  /// The address of the log.
  package var log: String { "http://127.0.0.1:\(port)/log/\(world)" }

  /// All requests so far.
  package func requests() async throws -> [Request] {
    try JSONDecoder().decode([Request].self, from: try await PeerServer.get(log))
  }

  /// The keys of all objects, at most 1,000.
  package func keys() async throws -> [String] {
    let page = try await PeerServer.get("\(endpoint("honest"))/bucket?list-type=2")
    return String(decoding: page, as: UTF8.self).matches(of: /<Key>([^<]*)<\/Key>/).map {
      String($0.1)
    }
  }

  /// Lets copies that lag show what was written until now.
  package func settle() async throws {
    _ = try await PeerServer.get("http://127.0.0.1:\(port)/settle/\(world)")
  }

  /// The keys of the ledger that were written to, whatever the answer was.
  package func writes() async throws -> [String] {
    try await requests().filter { request in
      request.method == "PUT" && !["/.probe/", "/.check/"].contains(where: request.path.contains)
    }.map(\.path)
  }
}
