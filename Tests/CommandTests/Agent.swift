import Foundation
import TestSupport
import Testing

/// What `s3health mcp` wrote while its stdin held certain lines.
struct AgentRun {
  let run: Program.Run
  let input: [UInt8]
  /// Every line of stdout, parsed, in its order.
  let messages: [Any]

  /// The messages that are not arrays.
  var answers: [[String: Any]] { messages.compactMap { $0 as? [String: Any] } }

  /// The answer with an id that is a number.
  func answer(_ id: Int) throws -> [String: Any] {
    try #require(answers.first { $0["id"] as? Int == id }, "no answer to \(id): \(run.output)")
  }

  /// What a tool answered, in the revisions that have it apart from the text.
  func content(_ id: Int) throws -> [String: Any] {
    let answer = try answer(id)
    let result = try #require(answer["result"] as? [String: Any], "\(answer)")
    return try #require(result["structuredContent"] as? [String: Any])
  }

  /// The error of a tool: its code, its words, whether to try again.
  func toolError(_ id: Int) throws -> (code: String, message: String, retryable: Bool) {
    let content = try content(id)
    let error = try #require(content["error"] as? [String: Any], "\(content)")
    #expect(Set(error.keys) == ["code", "message", "retryable"])
    let result = try #require(try answer(id)["result"] as? [String: Any])
    #expect(result["isError"] as? Bool == true)
    return (
      try #require(error["code"] as? String), try #require(error["message"] as? String),
      try #require(error["retryable"] as? Bool)
    )
  }

  /// The code of an answer that is a fault of the message.
  func code(_ id: Int) throws -> Int? {
    (try answer(id)["error"] as? [String: Any])?["code"] as? Int
  }

  /// Holds every byte of stdout against the public shapes, by Python's jsonschema.
  @discardableResult
  func fitsTheProtocol() async throws -> [String: Int] {
    func entry(_ side: String, _ bytes: [UInt8]) -> String {
      #"{"from":"\#(side)","bytes":"\#(Data(bytes).base64EncodedString())"}"#
    }
    // The input may end without a newline, and its last line is one all the same.
    let record = [
      entry("client", input + [UInt8(ascii: "\n")]), entry("server", Array(run.output.utf8)),
    ]
    return try await Self.shapes(of: Data(record.joined(separator: "\n").utf8))
  }

  /// Counts of the messages in a record of Tests/Peers/mcp_tap.py; throws where one has no such shape.
  static func shapes(of record: Data) async throws -> [String: Int] {
    let counts = try await PeerPython.run("mcp_shapes.py", input: Array(record))
    return try JSONDecoder().decode([String: Int].self, from: Data(counts))
  }
}

extension Program {
  /// Runs `mcp` with lines on its stdin, which then ends.
  func agent(_ lines: [String], _ arguments: [String] = []) async throws -> AgentRun {
    try await agent(bytes: Array((lines.joined(separator: "\n") + "\n").utf8), arguments)
  }

  func agent(bytes: [UInt8], _ arguments: [String] = []) async throws -> AgentRun {
    let run = try await run(["mcp"] + arguments, input: bytes)
    #expect(run.output.isEmpty || run.output.hasSuffix("\n"), "\(run.output)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let messages = try lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
    }
    return AgentRun(run: run, input: bytes, messages: messages)
  }

  /// The program as the server of a client: of a script that drives it, through a tap that records.
  func driven(
    by script: String, _ arguments: [String] = [], in venv: PeerPython.Venv, record: String
  ) throws -> Program {
    func peer(_ name: String) -> String {
      ProjectTree.root.appending(path: "Tests/Peers/\(name)").path
    }
    var program = self
    program.wrapper =
      [try PeerPython.interpreter(of: venv), peer(script)] + arguments
      + [try PeerPython.interpreter(), peer("mcp_tap.py"), record]
    return program
  }

  /// Publishes the days of February 2026, with the day of the month as the steps.
  @discardableResult
  func publishFebruary(_ store: [String] = []) async throws -> Run {
    let days = (1...28).map { day in
      #"{"date": "2026-02-\#(day < 10 ? "0" : "")\#(day)", "metrics": {"steps": \#(day)}}"#
    }
    return try await put(
      #"{"days": [\#(days.joined(separator: ","))]}"#, ["--date", "all"] + store)
  }
}

/// Lines as clients send them.
enum AgentLine {
  static let hello = request(
    0, "initialize",
    #"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}"#
  )
  static let tools = request(1, "tools/list")

  static func request(_ id: Int, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  static func daily(_ id: Int, _ date: String, tool: String = "health.read_daily_metrics") -> String
  {
    request(id, "tools/call", #"{"name":"\#(tool)","arguments":{"date":"\#(date)"}}"#)
  }

  static func range(_ id: Int, _ start: String, _ end: String, _ more: String = "") -> String {
    let arguments = #"{"start_date":"\#(start)","end_date":"\#(end)"\#(more)}"#
    return request(
      id, "tools/call", #"{"name":"health.read_range_metrics","arguments":\#(arguments)}"#)
  }

  static func cancel(_ id: Int) -> String {
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#
  }
}
