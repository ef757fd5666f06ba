import HTTPMessage
import HTTPTransport
import TestSupport
import Testing

@testable import FaultProxy

/// How often our transport sends, when a connection that it reuses dies under a request.
@Suite struct ResendTests {
  @Test(arguments: TestServer.all, [ProxyFault.drop, .lose, .reset])
  func `what may be sent once is sent once, and what may be repeated is, by libcurl itself`(
    server: TestServer, fault: ProxyFault
  ) async throws {
    // Request 1 opens the connection; requests 2 and 3 die on it or on its successor.
    let plan = ProxyPlan(positions: [2: fault, 4: fault])
    try await FaultProxy.during(try server.proxy(plan)) { proxy async throws in
      let transport = HTTPTransport()
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
