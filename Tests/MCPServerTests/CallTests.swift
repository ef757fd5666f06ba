import HealthModel
import StoreTesting
import Testing

@testable import MCPServer

/// Calls that run together, wait, and are cancelled (R53).
@Suite(.unit) struct CallTests {
  @Test func `calls run together up to the bound; the others follow in their order`() {
    var client = Client(.november2025, running: 2)
    for id in 1...5 { client.say(call("\(id)")) }
    #expect(client.tickets == [1, 2])
    #expect(client.sent.isEmpty)
    #expect(client.end(2).first?["id"] == 2)
    #expect(client.tickets == [1, 3])
    #expect(client.end(1).first?["id"] == 1)
    #expect(client.end(4).first?["id"] == 4)
    #expect(client.end(3).first?["id"] == 3)
    #expect(client.end(5).first?["id"] == 5)
    #expect(client.running.isEmpty)
  }

  @Test func `other requests are answered while calls run`() {
    var client = Client(.november2025, running: 1)
    client.say(call("1"))
    client.say(call("2"))
    #expect(client.say(request("3", "ping")).first?["id"] == 3)
    #expect(client.say(request("4", "tools/list")).first?["id"] == 4)
  }

  @Test func `a cancelled call that runs is stopped, and its answer goes nowhere`() {
    var client = Client(.november2025, running: 1)
    client.say(call("1"))
    client.say(call("2"))
    client.say(cancellation("1"))
    #expect(client.cancelled == [1])
    // Its place is taken until it has ended, so that the bound holds.
    #expect(client.tickets == [1])
    #expect(client.end(1).isEmpty)
    #expect(client.tickets == [2])
    #expect(client.end(2).first?["id"] == 2)
  }

  @Test func `a cancelled call that waits never runs`() {
    var client = Client(.november2025, running: 1)
    for id in 1...3 { client.say(call("\(id)")) }
    client.say(cancellation("2"))
    #expect(client.cancelled.isEmpty)
    client.end(1)
    #expect(client.tickets == [3])
    client.end(3)
    #expect(client.running.isEmpty)
    #expect(client.sent.compactMap { $0["id"] } == [1, 3])
  }

  @Test func `cancelling twice, too late or another's id changes nothing`() {
    var client = Client(.november2025)
    client.say(call("1"))
    client.say(call("\"2\""))
    client.say(cancellation("2"))
    client.say(cancellation("99"))
    #expect(client.cancelled.isEmpty)
    client.say(cancellation("1"))
    client.say(cancellation("1"))
    #expect(client.cancelled == [1])
    #expect(client.end(2).first?["id"] == "2")
    client.say(cancellation("\"2\""))
    #expect(client.cancelled == [1])
  }

  @Test func `an id in use is refused at once, and the call that has it is answered`() {
    var client = Client(.november2025)
    client.say(call("1"))
    #expect(client.say(call("1")).first?.code == -32600)
    #expect(client.tickets == [1])
    #expect(client.end(1).first?["result"] != nil)
  }

  @Test func `an id is free again once its call was answered or cancelled`() {
    var client = Client(.november2025)
    client.say(call("1"))
    client.end(1)
    client.say(call("1"))
    client.say(cancellation("1"))
    client.say(call("1", "2026-02-09"))
    #expect(client.tickets == [2, 3])
    // The cancelled one ends late: its answer must not pass for that of the new one.
    #expect(client.end(2).isEmpty)
    #expect(client.end(3).first?["id"] == 1)
  }

  @Test func `calls beyond the bound of those that wait are refused, not kept`() {
    var client = Client(.november2025, running: 1, waiting: 2)
    for id in 1...3 { #expect(client.say(call("\(id)")).isEmpty) }
    let refused = client.say(call("4")).first
    #expect(refused?.code == -32603)
    #expect(refused?["id"] == 4)
    client.end(1)
    #expect(client.say(call("4")).isEmpty)
  }

  @Test func `calls that wait are kept up to a bound of bytes, ids and arguments together`() {
    var limits = ProtocolMachine.Limits()
    (limits.running, limits.waitingBytes) = (1, 10_000)
    var client = Client(.november2025, limits)
    let long = String(repeating: "9", count: 6000)
    #expect(client.say(call("1", long)).isEmpty)
    #expect(client.say(call("2", long)).isEmpty)
    #expect(client.say(call("3", long)).first?.code == -32603)
    #expect(client.say(call("\"\(long)\"")).first?.code == -32603)
    #expect(client.say(call("4")).isEmpty)
    client.say(cancellation("2"))
    #expect(client.say(call("5", long)).isEmpty)
    client.end(1)
    client.end(3)
    #expect(client.tickets == [4])
    #expect(client.say(call("6", long)).isEmpty)
  }

  @Test func `the end of the input waits for what runs and what waits`() {
    var client = Client(.november2025, running: 1)
    client.say(call("1"))
    client.say(call("2"))
    client.close()
    #expect(!client.hasEnded)
    client.end(1)
    #expect(!client.hasEnded)
    client.end(2)
    #expect(client.hasEnded)
    #expect(client.sent.compactMap { $0["id"] } == [1, 2])
  }

  @Test func `the end of the input does not wait for what was cancelled`() {
    var client = Client(.november2025, running: 1)
    client.say(call("1"))
    client.say(cancellation("1"))
    client.close()
    #expect(client.hasEnded)
    #expect(client.end(1).isEmpty)
    var idle = Client()
    idle.close()
    #expect(idle.hasEnded)
  }

  /// Random conversations against what must hold of each.
  @Test(arguments: 0..<200)
  func `whatever comes in whatever order, each call is answered once or cancelled`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let bound = Int.random(in: 1...4, using: &random)
    var client = Client(.november2025, running: bound, waiting: 6)
    var owed: Set<Int> = []
    var cancelled: Set<Int> = []
    var next = 1
    for _ in 0..<80 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let answers = client.say(call("\(next)"))
        if answers.isEmpty { owed.insert(next) } else { #expect(answers.first?.code == -32603) }
        next += 1
      case 5..<7:
        let target = Int.random(in: 1...next, using: &random)
        client.say(cancellation("\(target)"))
        if owed.remove(target) != nil { cancelled.insert(target) }
      default:
        guard let ticket = client.tickets.randomElement(using: &random) else { continue }
        for answer in client.end(ticket) {
          let id = Int(answer["id"]?.numberValue ?? 0)
          #expect(owed.remove(id) != nil, "\(id) was not owed")
        }
      }
      #expect(client.running.count <= bound)
      #expect(owed.isEmpty || !client.running.isEmpty, "calls wait and nothing runs")
    }
    client.close()
    while let ticket = client.tickets.first, !client.hasEnded {
      for answer in client.end(ticket) { owed.remove(Int(answer["id"]?.numberValue ?? 0)) }
    }
    #expect(owed.isEmpty)
    #expect(client.hasEnded)
    let answered = Set(client.sent.filter { $0["result"] != nil }.compactMap { $0["id"] })
    #expect(answered.isDisjoint(with: cancelled.map { .number(Double($0)) }))
  }
}
