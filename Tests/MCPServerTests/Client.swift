import HealthModel
import Testing

@testable import MCPServer

/// A client of the machine: speaks in lines, keeps what is sent and what is to be run.
struct Client {
  var machine: ProtocolMachine
  private(set) var sent: [JSONValue] = []
  private(set) var running: [Int: ToolCall] = [:]
  private(set) var cancelled: [Int] = []
  private(set) var hasEnded = false

  init(_ version: ProtocolVersion? = nil, running: Int = 8, waiting: Int = 4096) {
    var limits = ProtocolMachine.Limits()
    (limits.running, limits.waiting) = (running, waiting)
    self.init(version, limits)
  }

  init(_ version: ProtocolVersion?, _ limits: ProtocolMachine.Limits) {
    machine = ProtocolMachine(MessageHandler(version: "1.2.3", naming: .dotted), limits)
    guard let version else { return }
    say(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(version.rawValue)"}}"#
    )
    sent = []
  }

  /// What is sent in answer to a line.
  @discardableResult
  mutating func say(_ line: String) -> [JSONValue] { say(Array(line.utf8)) }

  @discardableResult
  mutating func say(_ line: [UInt8]) -> [JSONValue] { take(machine.handle(.line(line))) }

  /// Ends a call that runs.
  @discardableResult
  mutating func end(_ ticket: Int, _ content: JSONValue = ["found": true]) -> [JSONValue] {
    running[ticket] = nil
    return take(machine.handle(.answered(ticket: ticket, ToolAnswer(content))))
  }

  /// Ends a call that runs with a tool's own error.
  mutating func fail(_ ticket: Int, code: String) -> [JSONValue] {
    running[ticket] = nil
    let content: JSONValue = [
      "error": ["code": .string(code), "message": "no", "retryable": false]
    ]
    let answer = ToolAnswer(content, isError: true)
    return take(machine.handle(.answered(ticket: ticket, answer)))
  }

  @discardableResult
  mutating func close() -> [JSONValue] { take(machine.handle(.endOfInput)) }

  mutating func take(_ actions: [ProtocolMachine.Action]) -> [JSONValue] {
    var answers: [JSONValue] = []
    for action in actions {
      #expect(!hasEnded, "nothing comes after the end")
      switch action {
      case .send(let message): answers.append(message)
      case .run(let ticket, let call):
        #expect(running.updateValue(call, forKey: ticket) == nil)
      case .cancel(let ticket): cancelled.append(ticket)
      case .note: break
      case .end: hasEnded = true
      }
    }
    sent += answers
    return answers
  }

  /// The tickets that run, oldest first.
  var tickets: [Int] { running.keys.sorted() }
}

/// A request in JSON; `id` and `params` as they appear in it.
func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
}

/// A call of the daily tool.
func call(_ id: String, _ date: String = "2026-02-08") -> String {
  let arguments = #"{"date":"\#(date)"}"#
  return request(
    id, "tools/call", #"{"name":"health.read_daily_metrics","arguments":\#(arguments)}"#)
}

func cancellation(_ id: String) -> String {
  #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#
}

/// `_meta` of a request in the revision that has no handshake.
func meta(_ version: String = "2026-07-28", capabilities: String? = "{}") -> String {
  let more = capabilities.map { #","io.modelcontextprotocol/clientCapabilities":\#($0)"# } ?? ""
  return #""_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)"\#(more)}"#
}

extension JSONValue {
  /// The error's code.
  var code: Int? { self["error"]?["code"]?.numberValue.flatMap(Int.init(exactly:)) }
}
