import Foundation
import HTTPClient
import TestSupport
import Testing
import URLSessionTransport

#if !PHONE
  import CurlTransport
#endif

/// Tests/Peers/http_hostile.py, started once for the whole run; it ends with this process.
struct HostileServer: Sendable {
  struct Ports: Codable, Sendable {
    let http: Int
    /// Accepts connections and never says a word.
    let mute: Int
    let muteToo: Int
    let muteThird: Int
    /// A proxy that tunnels to this machine, and to no host named refused.*.
    let tunnel: Int
    let tls: Int
    let tlsWrongHost: Int
    let tlsExpired: Int
    /// TLS 1.1 at most.
    let tlsOld: Int
    /// Offers HTTP/2 alone.
    let tlsTwo: Int
    /// PEM file of the authority that signed the certificates.
    let ca: String
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  let ports: Ports

  static func running() throws -> HostileServer { try started.get() }

  private static let started = Result { try HostileServer() }

  private init() throws {
    ports = try PeerServer.start("http_hostile.py", saying: Ports.self)
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(ports.http)/\(path)" }

  /// What was logged under an id so far.
  func log(_ id: String) async throws -> [String] {
    let response = try await Self.observer.send(HTTPRequest(.get, url("log/\(id)")))
    return String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The log, once it has such a line: the server may still be about to write it.
  func log(_ id: String, having prefix: String) async throws -> [String] {
    for _ in 0..<3000 {
      let lines = try await log(id)
      if lines.contains(where: { $0.hasPrefix(prefix) }) { return lines }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Failure("the server never logged '\(prefix)' for \(id)")
  }

  /// A transport beside the tested ones.
  private static let observer = Transport.all[0].make()
}

/// An id for the server's log that no other test has.
func freshID() -> String { UUID().uuidString }

/// The transports, which must behave alike. Each sends over one that all tests share.
enum Transport: Sendable, CaseIterable {
  #if !PHONE
    case curl
  #endif
  case urlSession

  static let all = Array(allCases)
  private static let shared = all.map { $0.make() }

  func make(_ configuration: TransportConfiguration = TransportConfiguration()) -> any HTTPTransport
  {
    #if !PHONE
      if self == .curl { return CurlTransport(configuration) }
    #endif
    return URLSessionTransport(configuration)
  }

  /// It tells and can do less (URLSessionTransport).
  var isURLSession: Bool { self == .urlSession }

  /// Whether Foundation on Linux ends the process where an answer has no complete head, or trailers.
  func endsProcess(of scenario: String) -> Bool {
    #if canImport(FoundationNetworking)
      isURLSession && ["cut-head", "chunked"].contains(scenario)
    #else
      false
    #endif
  }

  private var transport: any HTTPTransport { Self.shared[Self.all.firstIndex(of: self) ?? 0] }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await transport.send(request)
  }

  func failure(of request: HTTPRequest) async -> HTTPError? {
    await transport.failure(of: request)
  }
}

extension HTTPTransport {
  /// The error that a request must give; nil, and a recorded issue, if it gives a response.
  func failure(of request: HTTPRequest) async -> HTTPError? {
    do {
      let response = try await send(request)
      Issue.record("answered \(response.status)")
      return nil
    } catch {
      return error
    }
  }
}
