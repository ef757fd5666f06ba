import CurlTransport
import HTTPClient
import TestSupport
import Testing

@testable import FaultProxy

/// What our transport makes of each fault, on a connection that is new.
@Suite(.server) struct TransportOutcomeTests {
  /// A fault with the status, or the error and a part of its message, that it comes to.
  struct Outcome: Sendable, CustomStringConvertible {
    let fault: ProxyFault
    var status: Int?
    var code: HTTPError.Code?
    var message = ""
    var description: String { fault.rawValue }

    static let all: [Outcome] = [
      .init(fault: .drop, code: .connectionLost, message: "Empty reply"),
      .init(fault: .lose, code: .connectionLost, message: "Empty reply"),
      .init(fault: .reset, code: .connectionLost, message: "reset by peer"),
      .init(fault: .truncateHead, code: .connectionLost, message: "within the response's header"),
      .init(fault: .truncateBody, code: .connectionLost, message: " bytes "),
      .init(fault: .stall, code: .timedOut, message: "did not answer in time"),
      .init(fault: .delay, code: .timedOut, message: "did not answer in time"),
      .init(fault: .conflict, status: 409), .init(fault: .conflictAfter, status: 409),
      .init(fault: .preconditionFailed, status: 412),
      .init(fault: .preconditionFailedAfter, status: 412),
      .init(fault: .internalError, status: 500), .init(fault: .internalErrorAfter, status: 500),
      .init(fault: .slowDown, status: 503), .init(fault: .slowDownAfter, status: 503),
      .init(fault: .okWithError, status: 200), .init(fault: .okWithErrorAfter, status: 200),
      .init(fault: .duplicate, status: 403), .init(fault: .resend, status: 403),
      .init(fault: .strip, status: 403), .init(fault: .slow, status: 403),
    ]
  }

  @Test func `every fault that can be drawn has its outcome here`() {
    #expect(Set(Outcome.all.map(\.fault)) == Set(ProxyFault.drawn))
  }

  /// Unsigned, so that a server which checks signatures says 403 with a body.
  @Test(arguments: TestServer.one.filter(\.checksSignatures), Outcome.all)
  func `a fault is the error that it is, or the answer in its place`(
    server: TestServer, outcome: Outcome
  ) async throws {
    let plan = ProxyPlan(positions: [1: outcome.fault])
    try await FaultProxy.during(try server.proxy(plan)) { proxy in
      let transport = CurlTransport()
      defer { transport.shutdown() }
      let request = HTTPRequest(
        .get, proxy.endpoint + "/\(server.bucket)/object",
        timeout: outcome.code == .timedOut ? .seconds(2) : .seconds(30),
        sendsAtMostOnce: true)
      do {
        let response = try await transport.send(request)
        #expect(response.status == outcome.status)
        #expect(response.body.isEmpty == false)
        let isMadeUp = response.header("x-amz-request-id")?.hasPrefix("fault-proxy-") == true
        #expect(isMadeUp == (response.status != 403))
      } catch let error as HTTPError {
        #expect(error.code == outcome.code)
        #expect(error.mayHaveBeenApplied)
        #expect(error.message.contains(outcome.message), "\(error)")
      }
      while proxy.tally.totalRequests == 0 { try await Task.sleep(for: .milliseconds(5)) }
      await proxy.settle()
      let sends = proxy.events.flatMap(\.server)
      let expected =
        switch Treatment(outcome.fault).sending {
        case .never: 0
        case .twice, .onceAndAgainLater: 2
        default: 1
        }
      #expect(sends == Array(repeating: "403", count: expected))
      #expect(proxy.tally.totalRequests == 1)
    }
  }
}

/// How often our transport sends, when a connection that it reuses dies under a request.
@Suite(.server) struct ResendTests {
  @Test(arguments: TestServer.one, [ProxyFault.drop, .lose, .reset])
  func `what may be sent once is sent once, and what may be repeated is, by libcurl itself`(
    server: TestServer, fault: ProxyFault
  ) async throws {
    // Request 1 opens the connection; requests 2 and 3 die on it or on its successor.
    let plan = ProxyPlan(positions: [2: fault, 4: fault])
    try await FaultProxy.during(try server.proxy(plan)) { proxy async throws in
      let transport = CurlTransport()
      defer { transport.shutdown() }
      let url = proxy.endpoint + "/\(server.bucket)/absent"
      func get(once: Bool) async -> Result<HTTPResponse, HTTPError> {
        do throws(HTTPError) {
          return .success(
            try await transport.send(HTTPRequest(.get, url, sendsAtMostOnce: once)))
        } catch {
          return .failure(error)
        }
      }
      #expect(try await get(once: true).get().sends == 1)
      guard case .failure(let error) = await get(once: true) else {
        Issue.record("answered")
        return
      }
      #expect(error.mayHaveBeenApplied)
      #expect([.wouldResend, .connectionLost].contains(error.code))
      #expect(proxy.tally.totalRequests == 2)
      #expect(try await get(once: false).get().sends == 1)
      #expect(try await get(once: false).get().sends == 2)
      #expect(proxy.tally.totalRequests == 5)
    }
  }
}
