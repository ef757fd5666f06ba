import HealthModel
import Testing

@testable import MCPServer

/// Days and the catalogue by address, and prompts (R62).
@Suite(.unit) struct ResourceTests {
  /// A client of a version, and what it adds to each request's parameters.
  private static func client(_ version: ProtocolVersion) -> (client: Client, meta: String) {
    version.isPerRequest ? (Client(), "," + meta()) : (Client(version), "")
  }

  @Test(arguments: ProtocolVersion.allCases)
  func `R62: a day and the catalogue have addresses, in every revision`(version: ProtocolVersion)
    throws
  {
    var (client, meta) = Self.client(version)
    let empty = version.isPerRequest ? "{\(meta.dropFirst())}" : "{}"
    let list = client.say(request("1", "resources/list", empty)).first?["result"]
    let resource = list?["resources"]?.arrayValue?.first
    #expect(resource?["uri"] == "health://metrics")
    #expect((resource?["title"] != nil) == (version >= .june2025))
    let templates = client.say(request("2", "resources/templates/list", empty)).first?["result"]
    #expect(
      templates?["resourceTemplates"]?.arrayValue?.first?["uriTemplate"]
        == "health://days/{date}")
    let all = client.say(
      request("3", "resources/read", #"{"uri":"health://metrics"\#(meta)}"#)
    ).first?["result"]
    let text = try #require(all?["contents"]?.arrayValue?.first?["text"]?.stringValue)
    let catalogue = try JSONValue(parsing: Array(text.utf8))
    #expect(catalogue.objectValue?.count == DailyMetric.allCases.count)
    #expect(catalogue["weight"]?["unit"] == "kg")
    // Agents read "latest" of latest values alone.
    let latest = DailyMetric.allCases.filter { metric in
      let words = catalogue[metric.rawValue]?.objectValue?.values.compactMap(\.stringValue) ?? []
      return words.contains { $0.contains("latest") }
    }
    #expect(Set(latest) == Set(DailyMetric.allCases.filter { $0.latestOf != nil }))
    for result in [list, templates, all] {
      #expect((result?["ttlMs"] != nil) == version.isPerRequest)
    }
    let line = request("4", "resources/read", #"{"uri":"health://days/2026-02-08"\#(meta)}"#)
    #expect(client.say(line).isEmpty)
    #expect(client.running[1] == ToolCall(.daily, ["date": "2026-02-08"]))
    let day = client.end(1, ["date": "2026-02-08"]).first?["result"]
    #expect(
      day?["contents"] == [
        [
          "uri": "health://days/2026-02-08", "mimeType": "application/json",
          "text": #"{"date":"2026-02-08"}"#,
        ]
      ])
    #expect(day?["ttlMs"] == (version.isPerRequest ? 0 : nil))
  }

  @Test(arguments: ProtocolVersion.allCases)
  func `R62: what is not there has the code of the revision`(version: ProtocolVersion) {
    var (client, meta) = Self.client(version)
    let code = version.isPerRequest ? -32602 : -32002
    for uri in [
      "health://days/2026-02-30", "health://days/", "health://day/2026-02-08", "file:///etc/passwd",
      "health://days/2026-02-08/../..", "",
    ] {
      let answer = client.say(request("1", "resources/read", #"{"uri":"\#(uri)"\#(meta)}"#)).first
      #expect(answer?.code == code, "\(uri)")
      #expect(answer?["error"]?["data"]?["uri"] == .string(uri))
    }
    for (fault, expected) in [("DATA_NOT_FOUND", code), ("STORAGE_UNAVAILABLE", -32603)] {
      client.say(request("2", "resources/read", #"{"uri":"health://days/-1d"\#(meta)}"#))
      let ticket = client.tickets.first ?? 0
      let answer = client.fail(ticket, code: fault).first
      #expect(answer?.code == expected)
      #expect(answer?["result"] == nil)
    }
    #expect(client.say(request("3", "resources/read", #"{"uri":7\#(meta)}"#)).first?.code == -32602)
  }

  @Test func `R62: a prompt names the metrics that have data, and no others`() async throws {
    let sample = SampleLedger()
    try await sample.publish("2026-02-08", [.steps: .value(8)], optional: [.weight: 80.5])
    var client = Client(.november2025)
    let list = client.say(request("1", "prompts/list")).first?["result"]?["prompts"]?.arrayValue
    #expect(list?.map { $0["name"] } == ["weekly_review", "before_appointment"])
    for (name, arguments, phrase) in [
      ("weekly_review", "{}", "compare_start_date -14d"),
      ("before_appointment", #"{"reason":"my knee"}"#, "doctor: my knee."),
    ] {
      client.say(
        request("2", "prompts/get", #"{"name":"\#(name)","arguments":\#(arguments)}"#))
      let ticket = try #require(client.tickets.first)
      let call = try #require(client.running[ticket])
      let answer = await sample.answer(call.tool, call.arguments)
      let result = client.end(ticket, answer.content).first?["result"]
      let message = try #require(result?["messages"]?.arrayValue?.first)
      #expect(message["role"] == "user")
      let text = try #require(message["content"]?["text"]?.stringValue)
      #expect(text.contains("- steps: steps, in count, on 1 days"), "\(text)")
      #expect(text.contains("- weight: weight, in kg, on 1 days"))
      #expect(text.contains("health.summarize_range"))
      #expect(text.contains(phrase))
      #expect(!text.contains("resting_hr_avg"))
    }
  }

  @Test func `R62: where there is no data a prompt says so`() async throws {
    let sample = SampleLedger()
    try await sample.publish("2021-02-08", [.steps: .value(8)])
    var client = Client(.november2025)
    client.say(request("2", "prompts/get", #"{"name":"weekly_review"}"#))
    let call = try #require(client.running[1])
    let answer = await sample.answer(call.tool, call.arguments)
    let result = client.end(1, answer.content).first?["result"]
    let text = result?["messages"]?.arrayValue?.first?["content"]?["text"]?.stringValue ?? ""
    #expect(text.contains("there is none of the last 14 days"), "\(text)")
    #expect(text.contains("2021-02-08"))
    #expect(!text.contains("steps"))
  }

  @Test(arguments: [
    "{}", #"{"name":"no_such"}"#, #"{"name":"weekly_review","arguments":{"reason":"x"}}"#,
    #"{"name":"before_appointment","arguments":{"reason":7}}"#,
    #"{"name":"before_appointment","arguments":{"reason":"x","more":"y"}}"#,
    #"{"name":"before_appointment","arguments":[]}"#,
  ])
  func `R62: a prompt that can't be is refused before anything is read`(params: String) {
    var client = Client(.november2025)
    #expect(client.say(request("1", "prompts/get", params)).first?.code == -32602)
    #expect(client.running.isEmpty)
  }
}
