import Foundation
import HealthModel
import Subprocess
import TestSupport
import Testing

/// A server with a folder as its store and one token, for a test.
struct HubTrial {
  static let device = "7a1e6b0c-2f7d-4c54-9d0b-3c7a1f2e8d90"

  var program: Program
  let store: URL
  let token: String
  let hub: HubProgram

  /// - Parameter other: the folder of another server, where it is not one of its own.
  init(
    arguments: [String] = [], environment: [String: String] = [:], store other: URL? = nil
  ) async throws {
    program = try Program()
    store = other ?? program.home.appending(path: "store")
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    token = try await HubProgram.token("phone", program, arguments: ["--device", Self.device])
    hub = try await HubProgram(
      program, store: store.path, arguments: arguments, environment: environment)
  }

  /// Ends the server and removes what it left.
  func clear() async throws {
    if hub.isRunning { try await hub.end(by: SIGKILL) }
  }

  /// Another token, called `me`.
  func token(for endpoint: String) async throws -> String {
    try await HubProgram.token("me", program, arguments: ["--endpoint", endpoint])
  }

  /// A body of samples of steps, one a minute.
  static func body(
    _ values: [Int], on date: String = "2026-02-08", session: String = "s-1",
    device: String = device
  ) -> String {
    let data = values.enumerated().map { index, value in
      let minute = (index % 60 < 10 ? "0" : "") + "\(index % 60)"
      return """
        {"uuid":"\(uuid(date, session, index))","sample_type":"HKQuantityTypeIdentifierStepCount",\
        "value":\(value),"unit":"count","timestamp":"\(date)T10:\(minute):00Z",\
        "end_timestamp":"\(date)T10:\(minute):30Z","source":"watch"}
        """
    }
    return body(of: data, session: session, device: device)
  }

  /// A body of entries of HealthKit.
  static func body(
    of entries: [String], session: String? = "s-1", device: String = device
  ) -> String {
    """
    {"stream_name":"apple_ios_healthkit","device_id":"\(device)","batch_metadata":\
    {"app_version":"1.0",\(session.map { "\"session\":\"\($0)\"," } ?? "")\
    "total_records":\(entries.count)},"data":[\(entries.joined(separator: ","))]}
    """
  }

  private static func uuid(_ date: String, _ session: String, _ index: Int) -> String {
    let digits = String(index, radix: 16)
    let tail = String(repeating: "0", count: 8 - digits.count) + digits
    let day = date.filter(\.isNumber)
    let sum = session.utf8.reduce(0) { ($0 * 31 + Int($1)) % 65_536 }
    let middle = String(sum + 65_536, radix: 16).dropFirst()
    return "\(day)-\(middle)-4000-8000-0000\(tail)"
  }

  /// The batches in the store.
  func batches() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: store.path)
      .filter { $0.hasSuffix(".json.gz") }.sorted()
  }

  /// The markers in the store.
  func markers() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: store.path)
      .filter { $0.hasPrefix("streams/v0/.pending/") }
  }

  /// The steps of a day in the store; nil where it has none yet.
  func steps(_ date: String = "2026-02-08") async throws -> Double? {
    let day = try await program.run("get", date, "--store", store.path, "-o", "json")
    return (try? day.json()["metrics"] as? [String: Any])?["steps"] as? Double
  }

  /// Sends a request with curl.
  func ask(
    _ path: String, token: String? = nil, body: String? = nil, arguments: [String] = []
  ) async throws -> CurlAnswer {
    try await CurlAnswer(hub.url + path, token: token, body: body.map { Array($0.utf8) }, arguments)
  }

  /// Sends bytes as they are, and reads until the server closes.
  func raw(_ request: String) async throws -> String {
    let connection = try RawConnection(port: hub.port)
    try await connection.send(request)
    return try await connection.read { text in
      // One whole answer with a known length.
      guard let end = text.range(of: "\r\n\r\n"),
        let length = text.firstMatch(of: #/(?i)content-length: (\d+)/#).flatMap({ Int($0.1) })
      else { return false }
      return text[end.upperBound...].utf8.count >= length
    }.text
  }
}

extension PeerPython {
  /// What a script prints, which is JSON.
  static func report(
    _ script: String, _ arguments: [String] = [], in venv: Venv = .peers
  ) async throws -> JSONValue {
    try JSONValue(parsing: try await run(script, arguments: arguments, in: venv))
  }
}

/// Asks until it is so, for at most a minute.
func until(_ condition: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<600 {
    if try await condition() { return true }
    try await Task.sleep(for: .milliseconds(100))
  }
  return false
}

/// What curl got.
struct CurlAnswer {
  let status: Int
  /// The header fields, by their names in lower case.
  let headers: [String: String]
  let body: String

  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
  }

  /// The key of the page's forms.
  var formKey: String {
    get throws {
      String(try #require(body.firstMatch(of: #/name="form_key" value="([0-9a-f]+)"/#)).1)
    }
  }

  /// `error.code` of the body.
  var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
  /// `error.faults`, each as `code at pointer`.
  var faults: [String] {
    let faults = (json["error"] as? [String: Any])?["faults"] as? [[String: String]] ?? []
    return faults.map { "\($0["code"] ?? "") at \($0["pointer"] ?? "")" }
  }

  init(
    _ url: String, token: String? = nil, body: [UInt8]? = nil, _ more: [String] = []
  ) async throws {
    var arguments = ["--silent", "--show-error", "--include", "--max-time", "60"] + more
    if let token { arguments += ["--header", "X-Device-Token: \(token)"] }
    if body != nil { arguments += ["--data-binary", "@-"] }
    let result = try await Subprocess.run(
      .name("curl"), arguments: .init(arguments + [url]), input: .array(body ?? []),
      output: .string(limit: 1 << 22), error: .string(limit: 4096))
    // 100 Continue comes before the answer.
    var text = result.standardOutput.replacing("\r\n", with: "\n")
    while text.hasPrefix("HTTP/1.1 100"), let end = text.range(of: "\n\n") {
      text = String(text[end.upperBound...])
    }
    let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = (parts.first ?? "").split(separator: "\n")
    status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    headers = Dictionary(
      lines.dropFirst().compactMap { line in
        let pair = line.split(separator: ":", maxSplits: 1)
        guard pair.count == 2 else { return nil }
        return (pair[0].lowercased(), pair[1].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { $0 + ", " + $1 })
    self.body = parts.count > 1 ? String(parts[1]) : ""
  }
}
