import Foundation
import TestSupport
import Testing

@testable import IngestServer

/// What one request and one client may take up.
@Suite(.process) struct HubLimitTests {
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

  @Test(arguments: [366, 367, 800])
  func `R54: entries of more than 366 dates are sealed in several batches, and all are stored`(
    dates: Int
  ) async throws {
    let trial = try await HubTrial()
    let taken = try await trial.ask("/api/ingest", token: trial.token, body: body(dates: dates))
    #expect(taken.status == 200 && taken.json["received"] as? Int == dates)
    let names = try trial.batches()
    #expect(names.count == dates)
    // The same again is stored once.
    let again = try await trial.ask("/api/ingest", token: trial.token, body: body(dates: dates))
    #expect(again.status == 200)
    #expect(try trial.batches() == names)
    try await trial.clear()
  }

  @Test func `R54: idle connections make room for a further one, the longest idle first`()
    async throws
  {
    // Three of one address.
    let trial = try await HubTrial(arguments: ["--max-connections", "4"])
    var held: [RawConnection] = []
    for _ in 0..<3 {
      let connection = try RawConnection(port: trial.hub.port)
      try await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await connection.read { $0.contains("ok") }.text.hasPrefix("HTTP/1.1 200"))
      held.append(connection)
    }
    #expect(try await trial.ask("/healthz").status == 200)
    #expect(try await held[0].read { _ in false }.isClosed)
    for connection in held.dropFirst() {
      try await connection.send("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await connection.read { $0.contains("\"store\"") }.text.contains("\"store\""))
    }
    try await trial.clear()
  }

  @Test func `R54: where all connections have requests, a further one is answered 503`()
    async throws
  {
    let trial = try await HubTrial(arguments: ["--max-connections", "2"])
    var held: [RawConnection] = []
    for _ in 0..<2 {
      let connection = try RawConnection(port: trial.hub.port)
      try await connection.send(
        "POST /api/ingest HTTP/1.1\r\nHost: a\r\nX-Device-Token: \(trial.token)\r\n"
          + "Content-Length: 9\r\n\r\n{")
      held.append(connection)
    }
    var answer = try await trial.ask("/healthz")
    #expect(
      try await until {
        answer = try await trial.ask("/healthz")
        return answer.status != 200
      })
    #expect((answer.status, answer.code) == (503, "unavailable"))
    #expect(answer.headers["retry-after"] == "1" && answer.headers["connection"] == "close")
    let body = [UInt8](repeating: 0x20, count: 1 << 20)
    let posted = try await CurlAnswer(trial.hub.url + "/api/ingest", token: trial.token, body: body)
    #expect(posted.status == 503)
    held.removeLast()
    #expect(try await until { try await trial.ask("/healthz").status == 200 })
    _ = held
    try await trial.clear()
  }

  @Test func `R54: one network has three quarters of the places, and takes those of no other`() {
    var places = ConnectionPlaces(most: 4, mostOfOne: 3)
    for connection in 1...3 { #expect(places.enter(connection, of: "a") == .admitted) }
    places.set(1, isIdle: false)
    #expect(places.enter(4, of: "a") == .admittedInsteadOf(2))
    #expect(places.enter(5, of: "b") == .admitted)
    // All are taken: the longest idle of any network goes.
    #expect(places.enter(6, of: "c") == .admittedInsteadOf(3))
    for connection in [4, 5, 6] { places.set(connection, isIdle: false) }
    #expect(places.enter(7, of: "c") == .refused)
    places.set(5, isIdle: true)
    places.set(4, isIdle: true)
    #expect(places.enter(7, of: "c") == .admittedInsteadOf(5))
    // What was cut leaves once more when it closes.
    for connection in [1, 2, 3, 4, 5, 6, 7] { places.leave(connection) }
    for connection in 8...10 { #expect(places.enter(connection, of: "a") == .admitted) }
  }

  @Test
  func `R54: a client of HTTP/1.0 gets its answer and the end, a coding that nobody reads 501`()
    async throws
  {
    let trial = try await HubTrial()
    let answer = try RawConnection(port: trial.hub.port)
    try await answer.send("GET /healthz HTTP/1.0\r\nHost: a\r\n\r\n")
    #expect(try await answer.read { _ in false }.text.contains("200 OK"))
    let coded = try await trial.raw(
      "POST /api/ingest HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
    #expect(coded.contains(" 501 "), "\(coded)")
    try await trial.clear()
  }
}
