import HealthModel
import Testing

@testable import MCPServer

/// Input that is not a request, and what is answered (R53).
@Suite(.unit) struct MalformedMessageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    let code: Int
    var id: JSONValue = .null
    var testDescription: String { "\(line.prefix(60)) → \(code)" }
  }

  static let cases: [Case] = [
    // No JSON, or none that the server reads.
    Case(line: "{", code: -32700), Case(line: "hello", code: -32700),
    Case(line: #"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#, code: -32700),
    Case(line: #"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, code: -32700),
    Case(line: #"{"jsonrpc":"2.0","id":1e999,"method":"ping"}"#, code: -32700),
    Case(line: #"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#, code: -32700),
    Case(line: "\u{FEFF}" + request("1", "ping"), code: -32700),
    Case(line: String(repeating: "[", count: 65), code: -32700),
    Case(line: String(repeating: "[", count: 100_000), code: -32700),
    // JSON, and no request.
    Case(line: "1", code: -32600), Case(line: "null", code: -32600),
    Case(line: #""ping""#, code: -32600), Case(line: "{}", code: -32600),
    Case(line: "[]", code: -32600), Case(line: "[1]", code: -32600),
    Case(line: "[\(request("1", "ping"))]", code: -32600),
    Case(line: #"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, code: -32600, id: 1),
    Case(line: #"{"id":1,"method":"ping"}"#, code: -32600, id: 1),
    Case(line: #"{"jsonrpc":2.0,"id":"a","method":"ping"}"#, code: -32600, id: "a"),
    Case(line: #"{"jsonrpc":"2.0","id":1}"#, code: -32600, id: 1),
    Case(line: #"{"jsonrpc":"2.0","id":1,"method":7}"#, code: -32600, id: 1),
    Case(line: request("null", "ping"), code: -32600),
    Case(line: request("1.5", "ping"), code: -32600),
    Case(line: request("true", "ping"), code: -32600),
    Case(line: request("[1]", "ping"), code: -32600),
    Case(line: request("9007199254740993", "ping"), code: -32600),
    // Requests for what is not there.
    Case(line: request("1", "resources/subscribe"), code: -32601, id: 1),
    Case(line: request("1", "completion/complete"), code: -32601, id: 1),
    Case(line: request("1", "logging/setLevel"), code: -32601, id: 1),
    Case(line: request("1", "subscriptions/listen", "{\(meta())}"), code: -32601, id: 1),
    Case(line: request("1", "Tools/list"), code: -32601, id: 1),
    Case(line: request("1", ""), code: -32601, id: 1),
    // Requests with wrong parameters.
    Case(line: request("1", "ping", "[]"), code: -32602, id: 1),
    Case(line: request("1", "tools/list", "7"), code: -32602, id: 1),
    Case(line: request("1", "tools/list", #"{"cursor":"2"}"#), code: -32602, id: 1),
    Case(line: request("1", "initialize"), code: -32602, id: 1),
    Case(line: request("1", "initialize", #"{"protocolVersion":1}"#), code: -32602, id: 1),
    Case(line: request("1", "tools/call"), code: -32602, id: 1),
    Case(line: request("1", "tools/call", #"{"name":7}"#), code: -32602, id: 1),
    Case(line: request("1", "tools/call", #"{"name":"health.write"}"#), code: -32602, id: 1),
    Case(
      line: request("1", "tools/call", #"{"name":"health.read_daily_metrics","arguments":[]}"#),
      code: -32602, id: 1),
    Case(
      line: request("1", "tools/call", #"{"name":"health.read_daily_metrics","arguments":"x"}"#),
      code: -32602, id: 1),
  ]

  @Test(arguments: cases)
  func `a message that is not valid gets its code and, where it can be read, its id`(_ wrong: Case)
  {
    var client = Client(.november2025)
    let answers = client.say(wrong.line)
    #expect(answers.count == 1)
    #expect(answers.first?.code == wrong.code, "\(answers)")
    #expect(answers.first?["id"] == wrong.id)
    // And the conversation goes on.
    #expect(client.say(request("\"next\"", "ping")).first?["id"] == "next")
    #expect(client.running.isEmpty)
  }

  @Test(arguments: ProtocolVersion.allCases)
  func `R53: no revision takes a batch, and the refusal says what to do`(version: ProtocolVersion) {
    var client = Client(version)
    let ones = "[" + Array(repeating: "1", count: 100_000).joined(separator: ",") + "]"
    for line in [ones, "[\(request("1", "ping")),\(call("2"))]"] {
      let answer = client.say(line).first
      let words = answer?["error"]?["message"]?.stringValue
      #expect(answer?.code == -32600 && answer?["id"] == .null)
      #expect(words?.contains("send each message alone") == true)
      #expect(answer?.canonicalBytes.count ?? .max < 200)
    }
    #expect(client.running.isEmpty)
  }

  @Test func `bytes that are not UTF-8 are a parse error`() {
    var client = Client(.november2025)
    for bytes: [UInt8] in [[0xFF, 0xFE], Array("\"".utf8) + [0xC3] + Array("\"".utf8), [0x00]] {
      #expect(client.say(bytes).first?.code == -32700)
    }
  }

  @Test func `a line beyond the bound is a parse error`() {
    var client = Client()
    let answers = client.take(client.machine.handle(.oversizedLine))
    #expect(answers.first?.code == -32700)
    #expect(answers.first?["id"] == .null)
  }

  @Test(arguments: [
    "", "   ", "\r", #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    #"{"jsonrpc":"2.0","method":"notifications/unheard-of","params":[1]}"#,
    #"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"health.read_daily_metrics"}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}"#,
    cancellation("7"), cancellation("[]"),
    #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
  ])
  func `blank lines, notifications and answers get no answer`(line: String) {
    var client = Client(.november2025)
    #expect(client.say(line).isEmpty)
    #expect(client.running.isEmpty)
  }

  @Test func `texts of the client come back in part only`() {
    var client = Client(.november2025)
    let long = String(repeating: "x", count: 50_000)
    for line in [
      request("1", long), request("1", "tools/call", #"{"name":"\#(long)"}"#),
      request("1", "tools/list", "{\(meta(long))}"),
    ] {
      let answer = client.say(line).first
      #expect((answer?.canonicalBytes.count ?? .max) < 1000)
    }
  }

  @Test func `an id comes back as it came`() {
    var client = Client(.november2025)
    for id: JSONValue in [0, -7, "", "7", "é", "e\u{301}", .number(9_007_199_254_740_991)] {
      let text = String(decoding: id.canonicalBytes, as: UTF8.self)
      let answer = client.say(request(text, "ping")).first
      #expect(answer?["id"]?.canonicalBytes == id.canonicalBytes)
    }
  }
}
