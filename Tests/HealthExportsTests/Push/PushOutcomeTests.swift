import HTTPClient
import Testing

@testable import HealthExports

/// The attempts of a push, and what answers mean (R57).
@Suite(.unit) struct PushOutcomeTests {
  @Test func `R57: only passing failures are tried again, after 2 and 8 s, and then given up`() {
    let kinds: [PushFailure.Kind] = [
      .offline, .timeout, .server, .redirected, .refused, .unauthorized, .untrusted,
    ]
    for (place, kind) in kinds.enumerated() {
      let failure = PushFailure(kind, "no")
      #expect((1...4).map(failure.wait) == (place < 3 ? [2, 8, nil, nil] : [nil, nil, nil, nil]))
    }
  }

  @Test(
    arguments: [
      (200, nil), (202, nil), (301, .redirected), (308, .redirected), (400, .refused),
      (401, .unauthorized), (403, .unauthorized), (404, .refused), (407, .unauthorized),
      (413, .refused), (429, .server), (500, .server), (503, .server), (100, .server),
    ] as [(Int, PushFailure.Kind?)])
  func `R57: only a 2xx is a success`(status: Int, kind: PushFailure.Kind?) {
    let response = HTTPResponse(
      status: status, headers: [HTTPField("Location", "https://x/\u{1B}[31m")],
      body: kind == nil ? [] : Array("pushed metrics are \"invalid\"\n\u{1B}[31m".utf8))
    let failure = PushFailure(response, hasCredentials: true)
    #expect(failure?.kind == kind)
    #expect(failure.map { $0.message.utf8.allSatisfy { (0x20..<0x7F).contains($0) } } ?? true)
    if status == 400 { #expect(failure?.message.contains("pushed metrics are invalid") == true) }
  }

  @Test func `R57: a 2xx with a page is not a success, because a gateway answers with nothing`() {
    func failure(_ status: Int, _ body: String) -> PushFailure? {
      PushFailure(
        HTTPResponse(status: status, headers: [], body: Array(body.utf8)), hasCredentials: false)
    }
    #expect(failure(200, "<html><title>Sign in</title>")?.kind == .refused)
    #expect(failure(200, "\r\n") == nil)
    #expect(failure(202, "") == nil)
  }

  @Test func `R57: a 401 says whether a user and a password were given at all`() {
    let response = HTTPResponse(status: 401, headers: [], body: [])
    #expect(PushFailure(response, hasCredentials: true)?.message.contains("refused") == true)
    #expect(PushFailure(response, hasCredentials: false)?.message.contains("asks for") == true)
  }

  @Test func `R57: a connection in plain http that breaks may be one to a gateway with TLS`() {
    let error = HTTPError(.connectionLost, "the connection broke", mayHaveBeenApplied: true)
    #expect(PushFailure(error, isPlain: true).message.contains("https"))
    #expect(!PushFailure(error, isPlain: false).message.contains("https"))
  }

  @Test func `R57: a PUT takes away what is pushed no more, or may be there`() throws {
    func method(
      _ names: Set<String>, _ before: Set<String>, _ replaces: Bool = false, succeeded: Int? = 1
    ) throws -> String {
      var record = PushRecord(
        try GatewayAddress("https://host:9091", job: "j", instance: "i"), at: 0)
      (record.lastSuccess, record.families) = (succeeded, before)
      return PushRequest.Method(pushing: names, after: record, replaces: replaces).rawValue
    }
    #expect(try method(["a", "b"], []) == "POST")
    #expect(try method(["a", "b"], ["a"]) == "POST")
    #expect(try method(["b"], ["a", "b"]) == "PUT")
    #expect(try method(["a"], ["a"], true) == "PUT")
    // Until a push has succeeded nobody knows what another machine has left.
    #expect(try method(["a", "b"], ["a"], succeeded: nil) == "PUT")
  }
}
