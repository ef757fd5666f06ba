import Testing

@testable import FaultProxy

/// What a proxy reports of itself.
@Suite(.unit) struct RecordTests {
  private func event(
    _ number: Int, _ fault: ProxyFault?, late: Bool = false, applied: ProxyEvent.Applied = .yes
  ) -> ProxyEvent {
    ProxyEvent(
      number: number, milliseconds: 7, operation: .put, path: "/b/k", condition: "if-match",
      fault: fault, late: late, server: ["200"], client: "closed", applied: applied)
  }

  @Test func `the newest events are kept, up to the bound, oldest first`() {
    var record = ProxyRecord(capacity: 3)
    #expect(record.events.isEmpty)
    for number in 1...8 {
      record.add(event(number, nil), unanswered: 0)
      #expect(record.events.map(\.number) == Array(max(1, number - 2)...number))
    }
  }

  @Test func `whether a write was applied is counted once for each request`() {
    var record = ProxyRecord(capacity: 3)
    record.add(event(1, .lose), unanswered: 0)
    record.add(event(2, .delay, applied: .unknown), unanswered: 0)
    record.add(event(2, .delay, late: true, applied: .no), unanswered: 0)
    record.add(event(3, .duplicate), unanswered: 0)
    record.add(event(3, .duplicate, late: true, applied: .no), unanswered: 1)
    #expect(
      record.tally.applied == ["lose": ["yes": 1], "delay": ["no": 1], "duplicate": ["yes": 1]])
    #expect(record.tally.lateSends == 2)
    #expect(record.tally.unanswered == 1)
  }

  @Test func `no signature gets into the log`() async throws {
    let proxy = try FaultProxy(to: "http://127.0.0.1:9", plan: ProxyPlan(positions: [1: .slowDown]))
    try await FaultProxy.during(proxy) { proxy in
      let client = try RawClient(proxy)
      client.say(
        "GET /b/k?X-Amz-Signature=abcdef HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
          + "Authorization: abcdef\r\nx-amz-security-token: abcdef\r\n\r\n")
      #expect(try #require(await client.rest()).hasPrefix("HTTP/1.1 503 "))
      await proxy.settle()
      let event = try #require(proxy.events.first)
      #expect(event.path == "/b/k" && !"\(event)".contains("abcdef"))
    }
  }
}
