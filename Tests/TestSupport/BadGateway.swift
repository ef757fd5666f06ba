import Foundation

/// A server that answers pushes as its path asks: Tests/Peers/bad_gateway.py, one for the whole run.
package struct BadGateway: Sendable {
  private struct Greeting: Codable {
    let http: Int
    let https: Int
    let certificate: String
  }

  /// A push that arrived.
  package struct Request: Decodable, Sendable {
    package let method: String
    package let path: String
    package let body: String
    package let authorization: String
  }

  private static let started = Result {
    try PeerServer.start("bad_gateway.py", saying: Greeting.self)
  }

  private let greeting: Greeting
  /// Distinguishes what one test sent from what others did.
  private let world = "\(UUID())"

  package init() throws { greeting = try Self.started.get() }

  /// The address of a gateway that answers like this: `ok`, `301`, `400`, `slow`, `close`, ...
  package func url(_ mode: String) -> String {
    "http://127.0.0.1:\(greeting.http)/\(mode)/\(world)"
  }
  package func secureURL(_ mode: String) -> String {
    "https://127.0.0.1:\(greeting.https)/\(mode)/\(world)"
  }

  /// The PEM file of the certificate of https.
  package var certificate: String { greeting.certificate }

  /// What arrived, in the order of arrival.
  package func requests() async throws -> [Request] {
    let log = try await PeerServer.get("http://127.0.0.1:\(greeting.http)/log/\(world)")
    return try JSONDecoder().decode([Request].self, from: log)
  }
}
