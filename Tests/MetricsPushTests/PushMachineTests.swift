import HTTPMessage
import Testing

@testable import MetricsPush

/// The attempts of a push, and what answers mean (R57).
@Suite struct PushMachineTests {
  private let offline = PushFailure(.offline, "no")

  @Test func `PR-24: each gateway has its own result, and only passing failures are tried again`() {
    var machine = PushMachine(gateways: 3)
    #expect(machine.next() == .push([0, 1, 2]))
    machine.take(nil, of: 0)
    machine.take(offline, of: 1)
    machine.take(PushFailure(.refused, "400"), of: 2)
    #expect(machine.next() == .wait(2))
    #expect(machine.next() == .push([1]))
    machine.take(offline, of: 1)
    #expect(machine.next() == .wait(8))
    #expect(machine.next() == .push([1]))
    machine.take(nil, of: 1)
    #expect(machine.next() == .finish)
    #expect(machine.failures.map { $0?.kind } == [nil, nil, .refused])
  }

  @Test func `PR-15: after three attempts a push is given up, and no value waits`() {
    var machine = PushMachine(gateways: 1)
    var pushes = 0
    while true {
      let action = machine.next()
      if action == .finish { break }
      guard case .push = action else { continue }
      pushes += 1
      machine.take(offline, of: 0)
    }
    #expect(pushes == 3)
    #expect(machine.failures == [offline])
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
      body: Array("pushed metrics are \"invalid\"\n\u{1B}[31m".utf8))
    let failure = PushFailure(response)
    #expect(failure?.kind == kind)
    #expect(failure.map { $0.message.utf8.allSatisfy { (0x20..<0x7F).contains($0) } } ?? true)
    if status == 400 { #expect(failure?.message.contains("pushed metrics are invalid") == true) }
  }

  @Test func `R57: a family that is pushed no more is taken away by a PUT, and nothing else is`() {
    func method(_ names: Set<String>, _ before: Set<String>, _ replaces: Bool = false) -> String {
      PushRequest.Method(pushing: names, after: before, replaces: replaces).rawValue
    }
    #expect(method(["a", "b"], []) == "POST")
    #expect(method(["a", "b"], ["a"]) == "POST")
    #expect(method(["b"], ["a", "b"]) == "PUT")
    #expect(method(["a"], ["a"], true) == "PUT")
  }
}
