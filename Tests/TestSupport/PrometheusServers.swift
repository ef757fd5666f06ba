import Foundation

/// A Pushgateway and a Prometheus that scrapes it: Tests/Peers/prometheus_server.py, which ends with
/// the test process.
package final class PrometheusServers: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private struct Greeting: Decodable {
    let gateway: Int
    let prometheus: Int
    let folder: String
  }

  /// Those that most tests share; each test has an instance of its own.
  package static func shared() throws -> PrometheusServers { try started.get() }

  private static let started = Result { try PrometheusServers() }

  /// The gateway's address.
  package let gateway: String
  private let prometheus: String
  private let server: PeerServer

  /// Servers of a test's own.
  ///
  /// - Parameter history: a file in OpenMetrics that Prometheus's data begins with.
  package init(history: String? = nil) throws {
    server = try PeerServer(
      "prometheus_server.py", arguments: [history].compactMap(\.self))
    let greeting = try server.said(Greeting.self)
    gateway = "http://127.0.0.1:\(greeting.gateway)"
    prometheus = "http://127.0.0.1:\(greeting.prometheus)"
  }

  /// Ends the gateway as a crash does.
  package func stopGateway() throws { try server.order("stop") }
  package func startGateway() throws { try server.order("start") }

  /// Ends both.
  package func end() { server.end() }

  // MARK: - What they know

  /// What the gateway has, line by line.
  package func pushed() async throws -> [String] {
    try await Self.get(gateway + "/metrics").split(separator: "\n").map(String.init)
  }

  /// The samples of an instance that the gateway has: lines without the labels of the group.
  package func pushed(instance: String) async throws -> [String] {
    let escaped = instance.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return try await pushed().filter { $0.contains("instance=\"\(escaped)\"") }.map {
      $0.replacing("instance=\"\(escaped)\",", with: "").replacing(
        "instance=\"\(escaped)\"", with: ""
      )
      .replacing("job=\"my_health_data\",", with: "").replacing(",job=\"my_health_data\"", with: "")
      .replacing("job=\"my_health_data\"", with: "").replacing(",}", with: "}")
      .replacing("{}", with: "")
    }
  }

  /// One series of an answer.
  package struct Series: Hashable, Sendable {
    package let labels: [String: String]
    package let value: Double
  }

  /// The answer of Prometheus to a query.
  ///
  /// - Parameter time: seconds since 1970; nil for now.
  package func query(_ promQL: String, at time: Int? = nil) async throws -> [Series] {
    var arguments = ["--data-urlencode", "query=\(promQL)"]
    if let time { arguments += ["--data-urlencode", "time=\(time)"] }
    let text = try await Self.get(prometheus + "/api/v1/query", arguments)
    let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    guard answer?["status"] as? String == "success", let data = answer?["data"] as? [String: Any]
    else { throw Failure(description: "\(promQL): \(text)") }
    func number(_ pair: Any?) throws -> Double {
      guard let text = (pair as? [Any])?.last as? String, let number = Double(text) else {
        throw Failure(description: "\(promQL): \(text)")
      }
      return number
    }
    if data["resultType"] as? String == "scalar" {
      return [Series(labels: [:], value: try number(data["result"]))]
    }
    return try ((data["result"] as? [[String: Any]]) ?? []).map { series in
      Series(
        labels: series["metric"] as? [String: String] ?? [:], value: try number(series["value"]))
    }
  }

  /// Asks until the answer is as expected, for a minute at most; the last answer.
  package func query(
    _ promQL: String, until isExpected: ([Series]) -> Bool
  ) async throws -> [Series] {
    for _ in 0..<300 {
      let answer = try await query(promQL)
      if isExpected(answer) { return answer }
      try await Task.sleep(for: .milliseconds(200))
    }
    return try await query(promQL)
  }

  /// The alert rules that Prometheus has loaded, with the state of each: `inactive`, `firing`, ...
  package func rules() async throws -> [String: (health: String, state: String)] {
    let text = try await Self.get(prometheus + "/api/v1/rules")
    let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let groups = (answer?["data"] as? [String: Any])?["groups"] as? [[String: Any]] ?? []
    var found: [String: (health: String, state: String)] = [:]
    for rule in groups.flatMap({ $0["rules"] as? [[String: Any]] ?? [] }) {
      found[rule["name"] as? String ?? ""] = (
        rule["health"] as? String ?? "", rule["state"] as? String ?? ""
      )
    }
    return found
  }

  /// Pushes a text to a group, as another program would.
  package func push(_ text: String, to group: String) async throws {
    _ = try await Self.get(
      "\(gateway)/metrics/\(group)", ["--fail-with-body", "--data-binary", text])
  }

  private static func get(_ url: String, _ arguments: [String] = []) async throws -> String {
    String(decoding: try await PeerServer.get(url, arguments), as: UTF8.self)
  }
}
