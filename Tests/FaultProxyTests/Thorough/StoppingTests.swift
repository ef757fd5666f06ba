import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import FaultProxy
@testable import S3Store

/// What is left of a proxy that was stopped: nothing.
@Suite(.server) struct StoppingTests {
  /// Any server will do.
  static let servers = Array(TestServer.all.prefix(1))

  @Test(arguments: servers, [FaultProxy.Ending.settling, .cancelling])
  func `a write that is still to come is sent or dropped, as asked`(
    server: TestServer, ending: FaultProxy.Ending
  ) async throws {
    let name = try key(freshPrefix() + "/object.json")
    var limits = ProxyLimits()
    limits.latest = ending == .settling ? .milliseconds(500) : .seconds(60)
    let plan = ProxyPlan(rules: [.init(.delay, on: .put, suffix: "/object.json")])
    let proxy = try server.proxy(plan, limits: limits)
    let store = try server.store(through: proxy, timeout: .seconds(2))
    #expect(await Told { try await store.put(name, [1], if: .absent) } == .unknown)
    while proxy.events.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    await proxy.stop(ending)
    // A late send that is dropped was not even tried.
    let late = try #require(proxy.events.first { $0.late })
    #expect(late.server == (ending == .settling ? ["200"] : []))
    let stored = try await server.store().get(name, limit: 10)
    #expect((stored != nil) == (ending == .settling))
    await proxy.stop(ending)
  }

  @Test(arguments: servers)
  func `held, stalled, idle and half-said connections all end, and no socket is left`(
    server: TestServer
  ) async throws {
    weak var state: ProxyState?
    var port = 0
    do {
      let proxy = try server.proxy(
        ProxyPlan(rules: [
          .init(.hold, on: .put, which: nil), .init(.stall, on: .get, which: nil),
          .init(.delay, on: .delete, which: nil),
        ]))
      port = try #require(URLComponents(string: proxy.endpoint)?.port)
      state = proxy.state
      #expect(state != nil)
      let path = "/\(server.bucket)/absent HTTP/1.1\r\nHost: localhost\r\n"
      let says = [
        "", "GET / HT", "PUT \(path)Content-Length: 1\r\n\r\nx", "GET \(path)\r\n",
        "DELETE \(path)\r\n", "HEAD \(path)\r\n",
      ]
      let clients = try says.map { text in
        let client = try RawClient(proxy)
        client.say(text)
        return client
      }
      while proxy.tally.totalRequests < 4 { try await Task.sleep(for: .milliseconds(5)) }
      #if os(Linux)
        // State 0A listens, and does so on 127.0.0.1 alone.
        let sockets = try Self.sockets(port)
        #expect(sockets.filter { $0.hasPrefix("0A ") } == ["0A 0100007F"])
        #expect(sockets.count > 1)
      #endif
      await proxy.stop(.cancelling)
      for client in clients { #expect(await client.rest() != nil) }
    }
    // Nothing refers to what the threads shared, so there are none.
    while state != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try Self.sockets(port) == [])
  }

  /// States and addresses of this machine's TCP sockets on a local port that belong to a process; Linux alone
  /// tells. A socket that the kernel still keeps for a while after its end belongs to none.
  private static func sockets(_ port: Int) throws -> [String] {
    #if os(Linux)
      // Foundation's reading of a whole file stops after the first page of this one.
      let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp"))
      let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      let suffix = ":" + String(format: "%04X", port)
      return table.split(separator: "\n").dropFirst().compactMap { line in
        let words = line.split(separator: " ")
        let isOurs = words.count > 9 && words[1].hasSuffix(suffix) && words[9] != "0"
        return isOurs ? "\(words[3]) \(words[1].prefix(8))" : nil
      }
    #else
      return []
    #endif
  }
}
