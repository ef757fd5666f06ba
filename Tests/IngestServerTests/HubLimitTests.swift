import Foundation
import TestSupport
import Testing

/// What one request and one client may take up.
@Suite(.tags(.server)) struct HubLimitTests {
  /// A body with a sample on each of so many dates.
  private func body(dates count: Int) -> String {
    let data = (0..<count).map { number in
      let moment = Date(timeIntervalSince1970: 1_600_000_000 + 86_400 * Double(number))
      return """
        {"sample_type":"HKQuantityTypeIdentifierStepCount","value":\(number),"unit":"count",\
        "timestamp":"\(moment.formatted(.iso8601))"}
        """
    }
    return """
      {"stream_name":"apple_ios_healthkit","device_id":"\(HubTrial.device)","batch_metadata":\
      {"app_version":"1.0","session":"s","total_records":\(count)},\
      "data":[\(data.joined(separator: ","))]}
      """
  }

  @Test func `R54: a batch has entries of at most 366 dates, and stores nothing beyond`()
    async throws
  {
    let trial = try await HubTrial()
    let refused = try await trial.ask("/api/ingest", token: trial.token, body: body(dates: 367))
    #expect((refused.status, refused.code) == (413, "too_many_dates"))
    #expect(try trial.batches() == [] && trial.markers() == [])
    let taken = try await trial.ask("/api/ingest", token: trial.token, body: body(dates: 366))
    #expect(taken.status == 200)
    #expect(try trial.batches().count == 366)
    try await trial.clear()
  }

  @Test func `R54: one address can't take the places of all, and one of its own is served again`()
    async throws
  {
    let trial = try await HubTrial(arguments: ["--max-connections", "4"])
    var held: [RawConnection] = []
    for _ in 0..<3 { held.append(try RawConnection(port: trial.hub.port)) }
    // Connections are counted as they are accepted.
    #expect(try await until { try await trial.ask("/healthz").status == 0 })
    held.removeLast()
    #expect(try await until { try await trial.ask("/healthz").status == 200 })
    _ = held
    let answer = try RawConnection(port: trial.hub.port)
    held.removeAll()
    try await answer.send("GET /healthz HTTP/1.0\r\nHost: a\r\n\r\n")
    #expect(try await answer.read { _ in false }.text.contains("200 OK"))
    let coded = try await trial.raw(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
    #expect(coded.contains(" 501 "), "\(coded)")
    try await trial.clear()
  }

  @Test func `R54: beyond the most connections one waits, and is served when another has left`()
    async throws
  {
    let trial = try await HubTrial(arguments: ["--max-connections", "2"])
    let request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    var held: [RawConnection] = []
    for _ in 0..<2 {
      let connection = try RawConnection(port: trial.hub.port)
      try await connection.send(request)
      #expect(try await connection.read { $0.contains("ok") }.text.hasPrefix("HTTP/1.1 200"))
      held.append(connection)
    }
    let third = try RawConnection(port: trial.hub.port)
    try await third.send(request)
    let answered = Task { try await third.read { $0.contains("ok") }.text }
    // It is not in the log of requests that were answered.
    try await Task.sleep(for: .seconds(1))
    #expect(trial.hub.log.split(separator: "\n").count { $0.contains("/healthz 200") } == 2)
    held.removeAll()
    #expect(try await answered.value.hasPrefix("HTTP/1.1 200"))
    try await trial.clear()
  }
}
