import HealthModel
import Testing

@testable import MCPServer

/// Clients that write null, or an empty text, for what they leave out, and JSON where a list is wanted (R50, R53).
@Suite(.unit) struct LenientClientTests {
  static let lists = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]

  @Test(arguments: ProtocolVersion.allCases.filter { !$0.isPerRequest }, lists)
  func `R53: null parameters are absent ones`(version: ProtocolVersion, method: String) {
    var client = Client(version)
    let usual = client.say(request("1", method)).first?["result"]
    #expect(usual != nil)
    for params in [
      "null", #"{"cursor":null}"#, #"{"_meta":null}"#,
      #"{"cursor":null,"_meta":{"progressToken":null}}"#,
    ] {
      #expect(client.say(request("1", method, params)).first?["result"] == usual, "\(params)")
    }
    #expect(client.say(request("2", method, #"{"cursor":"x"}"#)).first?.code == -32602)
  }

  @Test func `R53: a call, a prompt and a notification may have nulls as well`() throws {
    var client = Client(.november2025)
    client.say(
      request("1", "tools/call", #"{"name":"health.list_metrics","arguments":null,"_meta":null}"#))
    #expect(client.running.values.first?.arguments == [:])
    client.say(request("2", "prompts/get", #"{"name":"weekly_review","arguments":null}"#))
    client.say(
      request("3", "prompts/get", #"{"name":"before_appointment","arguments":{"reason":null}}"#))
    client.say(
      request("4", "prompts/get", #"{"name":"before_appointment","arguments":{"reason":""}}"#))
    #expect(client.running.count == 4)
    #expect(
      client.say(#"{"jsonrpc":"2.0","id":null,"method":"notifications/initialized","params":null}"#)
        .isEmpty)
    #expect(client.say(#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#).first?.code == -32600)
  }

  @Test func `R53: null parameters over HTTP are absent ones`() async {
    let server = MessageHandler(version: "1.2.3", naming: .dotted)
    for params in [
      "null", #"{"cursor":null,"_meta":null}"#,
      #"{"_meta":{"io.modelcontextprotocol/protocolVersion":null}}"#,
    ] {
      let fields = RoutingFields(version: "2025-06-18", method: nil, name: nil)
      let posted = PostedExchange(
        Array(request("1", "tools/list", params).utf8), fields, server)
      #expect(posted.answer.message?["result"]?["tools"] != nil, "\(params)")
    }
  }

  private static let dates: [String: JSONValue] = [
    "start_date": "2026-02-01", "end_date": "2026-02-02",
  ]

  @Test(arguments: [
    (#"["steps","sleep_asleep_minutes"]"#, true),
    (#" [ "steps" , "sleep_asleep_minutes" ] "#, true),
    (#"["steps""#, false), (#"{"steps":1}"#, false), (#"[]"#, false), ("steps", false),
    (#"["mood"]"#, false), (#""steps""#, false),
  ])
  func `R50: a list that is written as a text of JSON is read as the list`(
    text: String, isRead: Bool
  ) async {
    let sample = SampleLedger()
    let arguments = Self.dates.merging(["metrics": .string(text)]) { $1 }
    let found = await sample.answer(.range, arguments)
    #expect(found.isError == !isRead, "\(found.content)")
    guard isRead else { return }
    let wanted = Self.dates.merging(["metrics": ["steps", "sleep_asleep_minutes"]]) { $1 }
    #expect(found == (await sample.answer(.range, wanted)))
  }

  @Test func `R50: all arguments as one text, and each as a text of its own, are read`() async {
    var client = Client(.november2025)
    let arguments = #"{\"start_date\":\"2026-02-01\",\"end_date\":\"2026-02-02\"}"#
    client.say(
      request(
        "1", "tools/call", #"{"name":"health.read_range_metrics","arguments":"\#(arguments)"}"#))
    #expect(client.running.values.first?.arguments == Self.dates)
    #expect(
      client.say(request("2", "tools/call", #"{"name":"health.list_metrics","arguments":"[1]"}"#))
        .first?.code == -32602)
    let sample = SampleLedger()
    let once = await sample.answer(
      .range, Self.dates.merging(["format": "compact", "timezone": "Europe/Berlin"]) { $1 })
    let twice = await sample.answer(
      .range,
      [
        "start_date": #""2026-02-01""#, "end_date": #""2026-02-02""#, "format": #""compact""#,
        "timezone": #""Europe/Berlin""#, "metrics": .null,
      ])
    #expect(!once.isError && once == twice, "\(twice.content)")
  }
}
