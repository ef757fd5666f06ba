import HealthModel
import TestSupport
import Testing

@testable import MCPServer

/// POSTs of MCP's streamable HTTP, without a server.
@Suite(.unit) struct PostedExchangeTests {
  private func post(
    _ body: String, version: String? = nil, method: String? = nil, name: String? = nil
  ) -> PostedExchange {
    PostedExchange(
      Array(body.utf8), RoutingFields(version: version, method: method, name: name),
      MessageHandler(version: "1.2.3", naming: .dotted))
  }

  private func answer(
    _ body: String, version: String? = nil, method: String? = nil, name: String? = nil
  ) -> (status: Int, code: Int?) {
    let answer = post(body, version: version, method: method, name: name).answer
    return (answer.status, answer.message?.code)
  }

  private static let params = #"{"name":"health.read_daily_metrics",\#(meta())}"#

  @Test func `R53: each POST is answered by itself, in the version that it names`() throws {
    let versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    for version in versions {
      let list = post(request("1", "tools/list"), version: version).answer
      #expect(list.status == 200)
      let tool = list.message?["result"]?["tools"]?.arrayValue?.first
      #expect((tool?["outputSchema"] != nil) == (version >= "2025-06-18"))
    }
    // A client that names none speaks the revision that had no such field.
    let unnamed = post(request("1", "tools/list")).answer.message
    let tool = unnamed?["result"]?["tools"]?.arrayValue?.first
    #expect(tool?["annotations"] != nil && tool?["outputSchema"] == nil)
    let hello = post(request("1", "initialize", #"{"protocolVersion":"2025-11-25"}"#)).answer
    #expect(hello.message?["result"]?["protocolVersion"] == "2025-11-25")
    let modern = post(
      request("1", "tools/list", "{\(meta())}"), version: "2026-07-28", method: "tools/list")
    #expect(modern.answer.message?["result"]?["resultType"] == "complete")
  }

  @Test func `R53: an answer has the status that its revision asks for`() {
    #expect(answer("{") == (400, -32700))
    #expect(answer("7") == (400, -32600))
    #expect(answer(request("1", "no/such")) == (200, -32601))
    #expect(answer(request("1", "tools/call")) == (200, -32602))
    #expect(answer(request("1", "ping"), version: "2027-01-01") == (400, -32022))
    func modern(_ method: String, _ params: String) -> (status: Int, code: Int?) {
      answer(request("1", method, params), version: "2026-07-28", method: method)
    }
    #expect(modern("no/such", "{\(meta())}") == (404, -32601))
    #expect(modern("initialize", "{\(meta())}") == (404, -32601))
    #expect(modern("tools/call", "{\(meta())}") == (400, -32602))
    #expect(modern("tools/list", "{}") == (400, -32602))
    #expect(modern("tools/list", "{\(meta(capabilities: nil))}") == (400, -32602))
    let batch = "[\(request("1", "ping"))]"
    #expect(answer(batch, version: "2026-07-28") == (400, -32600))
    #expect(answer(batch, version: "2025-11-25") == (400, -32600))
    #expect(answer(batch, version: "2025-03-26") == (400, -32600))
  }

  @Test func `R53: since 2026-07-28 a header that differs from the body is refused`() {
    let body = request("1", "tools/call", Self.params)
    let tool = "health.read_daily_metrics"
    func sent(
      _ name: String?, _ version: String? = "2026-07-28", _ method: String? = "tools/call"
    ) -> PostedExchange {
      post(body, version: version, method: method, name: name)
    }
    #expect(sent(tool).call != nil)
    #expect(sent("=?base64?aGVhbHRoLnJlYWRfZGFpbHlfbWV0cmljcw==?=").call != nil)
    for exchange in [
      sent(tool, nil), sent("other", "2025-11-25"), sent(tool, "2025-11-25", "tools/list"),
      sent(tool, "2025-11-25", nil), sent(nil, "2025-11-25"), sent(tool, "2027-01-01"),
      sent(tool, "2026-07-28, 2026-07-28"),
      sent(tool, "2026-07-28", nil), sent(tool, "2026-07-28", "tools/list"),
      sent(tool, "2026-07-28", "tools/call, tools/call"),
      sent(nil), sent("health_read_daily_metrics"), sent("\(tool), \(tool)"),
      // Broken, and not canonical.
      sent("=?base64?!?="), sent("=?base64?aGVhbHRoLnJlYWRfZGFpbHlfbWV0cmljcw?="),
      sent("=?base64??="),
    ] {
      #expect(exchange.call == nil)
      #expect(exchange.answer.status == 400)
      #expect(exchange.answer.message?.code == -32020)
      #expect(exchange.answer.message?["id"] == 1)
    }
  }

  @Test func `R53: a gateway's older version in the header hides no version of the body`() {
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
      #expect(post(request("1", "tools/call", Self.params), version: version).call != nil)
      let list = post(request("1", "tools/list", "{\(meta())}"), version: version).answer
      #expect(list.message?["result"]?["resultType"] == "complete")
      let found = post(request("1", "server/discover", "{\(meta())}"), version: version).answer
      #expect(found.message?["result"]?["supportedVersions"] != nil)
      #expect(answer(request("1", "no/such", "{\(meta())}"), version: version) == (404, -32601))
    }
    // The other way round the body says nothing that could count.
    let older = #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}"#
    #expect(answer(request("1", "tools/list", older), version: "2025-06-18") == (400, -32020))
  }

  @Test func `R53: what needs no answer gets 202 and no body`() {
    for (body, version) in [
      (#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "2025-11-25"),
      (#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, nil),
      (cancellation("1"), "2026-07-28"), (cancellation("1"), "2025-06-18"),
      (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "2025-11-25"),
    ] as [(String, String?)] {
      let answer = post(body, version: version).answer
      #expect((answer.status, answer.message) == (202, nil))
    }
  }

  @Test func `R53: a call is answered once it has ended, or by what kept it from that`() {
    let exchange = post(call("7"))
    #expect(exchange.call == ToolCall(.daily, ["date": "2026-02-08"]))
    let found = exchange.answer(ToolAnswer(["found": true]))
    #expect(found.status == 200 && found.message?["id"] == 7)
    #expect((exchange.overloaded.status, exchange.overloaded.message?.code) == (503, -32603))
    #expect((exchange.late.status, exchange.late.message?["id"]) == (503, 7))
  }

  @Test func `R53: progress is told 20 times at most, with the token of the request`() throws {
    func asking(_ token: String) -> PostedExchange {
      post(
        request(
          "1", "tools/call",
          #"{"name":"health.list_metrics","_meta":{"progressToken":\#(token)}}"#))
    }
    #expect(asking("null").progress == nil)
    #expect(asking("{}").progress == nil)
    #expect(post(call("1")).progress == nil)
    let notice = try #require(asking(#""t""#).progress)
    let told = (1...366).compactMap { notice.message($0, of: 366) }
    #expect(told.count == 20)
    #expect(
      told.last == [
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": ["progressToken": "t", "progress": 366, "total": 366],
      ])
    #expect(notice.message(1, of: 1) == nil)
  }
}
