import HealthModel
import Testing

@testable import MCPServer

/// How the two eras of the protocol begin (R53).
@Suite(.unit) struct HandshakeTests {
  private static let handshaking = ProtocolVersion.allCases.filter { !$0.isPerRequest }

  private func initialize(_ version: String) -> String {
    request("1", "initialize", #"{"protocolVersion":"\#(version)","capabilities":{}}"#)
  }

  @Test(arguments: handshaking)
  func `initialize echoes a version that begins with a handshake`(version: ProtocolVersion) throws {
    var client = Client()
    let answer = try #require(client.say(initialize(version.rawValue)).first)
    #expect(answer["result"]?["protocolVersion"]?.stringValue == version.rawValue)
    #expect(answer["result"]?["serverInfo"] == ["name": "s3health", "version": "1.2.3"])
    #expect(answer["result"]?["capabilities"] == ["tools": [:], "resources": [:], "prompts": [:]])
    #expect(answer["result"]?["resultType"] == nil)
    #expect(client.machine.agreed == version)
  }

  @Test(arguments: ["2026-07-28", "2030-01-01", "1.0", ""])
  func `initialize for another version offers the newest that has a handshake`(version: String) {
    var client = Client()
    let answer = client.say(initialize(version)).first
    #expect(answer?["result"]?["protocolVersion"] == "2025-11-25")
  }

  @Test func `before initialize there is ping, and nothing else without a version`() {
    var client = Client()
    #expect(client.say(request("1", "ping")) == [["jsonrpc": "2.0", "id": 1, "result": [:]]])
    #expect(client.say(request("2", "tools/list")).first?.code == -32602)
    #expect(client.say(call("3")).first?.code == -32602)
    #expect(client.say(request("4", "no/such")).first?.code == -32601)
    #expect(client.running.isEmpty)
    client.say(initialize("2025-06-18"))
    #expect(client.say(request("5", "tools/list")).first?["result"]?["tools"] != nil)
    #expect(client.say(request("6", "ping")).first?["result"] == [:])
  }

  @Test func `a request that names its version needs no handshake, and each stands for itself`() {
    var client = Client()
    let list = client.say(request("1", "tools/list", "{\(meta())}")).first?["result"]
    #expect(list?["resultType"] == "complete")
    #expect(list?["cacheScope"] == "private")
    #expect((list?["ttlMs"]?.numberValue ?? -1) >= 0)
    let key = "io.modelcontextprotocol/serverInfo"
    #expect(list?["_meta"]?[key] == ["name": "s3health", "version": "1.2.3"])
    // The next client does not name itself, and nothing is remembered.
    #expect(client.say(request("2", "tools/list")).first?.code == -32602)
  }

  @Test func `server-discover lists the versions, newest first`() {
    var client = Client()
    let answer = client.say(request("\"d\"", "server/discover", "{\(meta())}")).first
    let versions: JSONValue = [
      "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05",
    ]
    #expect(answer?["result"]?["supportedVersions"] == versions)
    #expect(answer?["result"]?["capabilities"] == ["tools": [:], "resources": [:], "prompts": [:]])
    #expect(answer?["result"]?["resultType"] == "complete")
    #expect(client.say(request("2", "server/discover")).first?.code == -32602)
  }

  @Test(arguments: ["initialized", "ping"])
  func `what the newest revision dropped is an unknown method there`(method: String) {
    var client = Client()
    #expect(client.say(request("1", method, "{\(meta())}")).first?.code == -32601)
  }

  @Test func `the answer to a version that is not served names those that are`() {
    var client = Client()
    let error = client.say(request("1", "tools/list", "{\(meta("2031-05-05"))}")).first?["error"]
    #expect(error?["code"] == -32022)
    #expect(error?["data"]?["requested"] == "2031-05-05")
    #expect(error?["data"]?["supported"]?.arrayValue?.count == 5)
    // A version that begins with a handshake does not do without.
    let legacy = client.say(request("2", "tools/list", "{\(meta("2025-11-25"))}")).first?["error"]
    #expect(legacy?["code"] == -32022)
    #expect(legacy?["data"]?["supported"] == ["2026-07-28"])
  }

  @Test func `what must stand in _meta and does not is named`() {
    var client = Client()
    for params in [
      "{\(meta(capabilities: nil))}", "{\(meta(capabilities: "[]"))}", #"{"_meta":[]}"#,
      #"{"_meta":{"io.modelcontextprotocol/protocolVersion":7}}"#,
      #"{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}"#,
    ] {
      let answer = client.say(request("1", "tools/list", params)).first
      #expect(answer?.code == -32602, "\(params)")
      #expect(answer?["error"]?["message"]?.stringValue?.contains("_meta") == true, "\(params)")
    }
  }

  @Test func `both eras are served side by side`() {
    var client = Client(.march2025)
    let modern = client.say(request("1", "tools/list", "{\(meta())}")).first?["result"]
    let legacy = client.say(request("2", "tools/list")).first?["result"]
    #expect(modern?["resultType"] == "complete")
    #expect(legacy?["resultType"] == nil)
    #expect(legacy?["ttlMs"] == nil)
  }

  @Test(arguments: ProtocolVersion.allCases)
  func `a tool is described with the members that its revision has`(version: ProtocolVersion) throws
  {
    var client = Client(version.isPerRequest ? nil : version)
    let params = version.isPerRequest ? "{\(meta())}" : "{}"
    let result = client.say(request("1", "tools/list", params)).first?["result"]
    let tools = try #require(result?["tools"]?.arrayValue)
    #expect(
      tools.map { $0["name"] } == [
        "health.read_daily_metrics", "health.read_range_metrics", "health.list_metrics",
        "health.summarize_range",
      ])
    // Many clients pass the whole list to a model with every question (R50).
    #expect(try #require(result).canonicalBytes.count < 15_950)
    for tool in tools {
      #expect((tool["annotations"] != nil) == (version >= .march2025))
      #expect((tool["outputSchema"] != nil) == (version >= .june2025))
      #expect((tool["title"] != nil) == (version >= .june2025))
    }
    client.say(
      request(
        "2", "tools/call",
        #"{"name":"health.read_daily_metrics"\#(version.isPerRequest ? "," + meta() : "")}"#))
    let ticket = try #require(client.tickets.first)
    let called = client.end(ticket).first?["result"]
    #expect(called?["content"] == [["type": "text", "text": #"{"found":true}"#]])
    #expect(called?["structuredContent"] == (version >= .june2025 ? ["found": true] : nil))
    #expect(called?["isError"] == false)
  }

  @Test func `names are listed in the spelling asked for`() {
    for naming in ToolNaming.allCases {
      for tool in Tool.allCases {
        let name = tool.definition(.november2025, naming)["name"]?.stringValue ?? ""
        #expect(name.contains(".") == (naming == .dotted))
        #expect(Tool(name: name) != nil)
      }
    }
    #expect(Tool(name: "health-read_daily_metrics") == nil)
  }
}
