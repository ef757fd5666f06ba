import HealthModel
import TestSupport
import Testing

@testable import MCPServer

/// JSON-RPC batches, which the revision 2025-03-26 has and no other (R53).
@Suite(.unit) struct BatchTests {
  @Test(arguments: ProtocolVersion.allCases.filter { $0 != .march2025 })
  func `no other revision takes an array`(version: ProtocolVersion) {
    var client = Client(version)
    let answers = client.say("[\(request("1", "ping"))]")
    #expect(answers.count == 1)
    #expect(answers.first?.code == -32600)
    #expect(answers.first?["id"] == .null)
    var new = Client()
    #expect(new.say("[\(request("1", "ping"))]").first?.code == -32600)
  }

  @Test func `a batch is answered by one array once all its requests are answered`() throws {
    var client = Client(.march2025)
    let lines = [
      request("1", "ping"), call("2"), cancellation("77"), "7", call("3"), request("4", "no"),
    ]
    #expect(client.say("[\(lines.joined(separator: ","))]").isEmpty)
    #expect(client.tickets == [1, 2])
    #expect(client.end(2).isEmpty)
    let answers = try #require(client.end(1).first?.arrayValue)
    #expect(answers.map { $0["id"] } == [1, .null, 4, 3, 2])
    #expect(answers.map(\.code) == [nil, -32600, -32601, nil, nil])
    #expect(client.sent.count == 1)
  }

  @Test func `a batch that needs no call is answered at once`() {
    var client = Client(.march2025)
    let answers = client.say("[\(request("1", "ping")),\(request("2", "tools/list"))]")
    #expect(answers.first?.arrayValue?.count == 2)
  }

  @Test func `a batch of notifications, or of cancelled calls, gets no answer`() {
    var client = Client(.march2025)
    #expect(client.say("[\(cancellation("1"))]").isEmpty)
    client.say("[\(call("1")),\(call("2"))]")
    client.say(cancellation("1"))
    client.say(cancellation("2"))
    client.end(1)
    client.end(2)
    #expect(client.sent.isEmpty)
  }

  @Test func `the cancellation of the last call completes a batch`() {
    var client = Client(.march2025)
    client.say("[\(request("1", "ping")),\(call("2"))]")
    #expect(client.sent.isEmpty)
    #expect(client.say(cancellation("2")).first?.arrayValue?.map { $0["id"] } == [1])
    #expect(client.end(1).isEmpty)
  }

  @Test func `an empty batch is not a request, and initialize stands in none`() {
    var client = Client(.march2025)
    #expect(client.say("[]").first?.code == -32600)
    let initialize = request("1", "initialize", #"{"protocolVersion":"2025-03-26"}"#)
    let answers = client.say("[\(initialize)]").first?.arrayValue
    #expect(answers?.first?.code == -32600)
    #expect(answers?.first?["id"] == 1)
  }

  @Test func `R53: a batch of too many messages is refused whole, in few bytes`() {
    var client = Client(.march2025)
    let ones = "[" + Array(repeating: "1", count: 100_000).joined(separator: ",") + "]"
    let answers = client.say(ones)
    #expect(answers.map(\.code) == [-32600])
    #expect(answers.first?.canonicalBytes.count ?? .max < 200)
    let allowed = "[" + Array(repeating: "1", count: 1024).joined(separator: ",") + "]"
    #expect(client.say(allowed).first?.arrayValue?.count == 1024)
  }

  @Test func `R53: answers that a batch can't keep are errors, and no batch begins beside them`() {
    var limits = ProtocolMachine.Limits()
    limits.batchBytes = 600
    var client = Client(.march2025, limits)
    client.say("[\(call("1")),\(call("2")),\(call("3"))]")
    let large: JSONValue = .string(String(repeating: "x", count: 450))
    #expect(client.end(1, large).isEmpty)
    #expect(client.end(2, large).isEmpty)
    // The batch would now be over its bound.
    #expect(client.say("[\(request("4", "ping"))]").first?.code == -32600)
    let answers = client.end(3).first?.arrayValue
    #expect(answers?.map { $0["id"] } == [1, 2, 3])
    #expect(answers?.map(\.code) == [nil, -32603, -32603])
    // What was kept is free again.
    #expect(client.say("[\(request("5", "ping"))]").first?.arrayValue?.first?["id"] == 5)
  }
}
