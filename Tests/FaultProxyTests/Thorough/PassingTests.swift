import HTTPClient
import ObjectStore
import TestSupport
import Testing

@testable import FaultProxy
@testable import S3Store

/// A proxy without a plan changes nothing that either side can see.
@Suite(.server) struct PassingTests {
  @Test(arguments: TestServer.one)
  func `signed requests of every kind are accepted, odd keys and large bodies too`(
    server: TestServer
  ) async throws {
    try await FaultProxy.during(try server.proxy()) { proxy in
      let (near, far) = (try server.store(through: proxy), try server.store())
      #expect(try await near.conditionalWrites() == .compareAndSwap)
      let prefix = freshPrefix() + "/"
      let names = ["a b+c%2F~(1)", "é", "日本", "a=b?c#d&e", "x.json"]
      for (number, name) in names.enumerated() {
        let key = try key(prefix + name)
        let body = [UInt8](repeating: UInt8(number), count: number * 200_000)
        guard case .stored(let etag) = try await near.put(key, body, if: .absent) else {
          Issue.record("\(name) was not stored")
          continue
        }
        for store in [near, far] {
          let read = try #require(try await store.get(key, limit: 1 << 20))
          #expect(read.body == body)
          #expect(read.etag == etag)
        }
        guard case .stored = try await near.put(key, [1, 2], if: .matches(etag)) else {
          Issue.record("\(name) was not replaced")
          continue
        }
      }
      let listed = try await near.listAll(ListRequest(prefix: prefix, limit: 2))
      let direct = try await far.listAll(ListRequest(prefix: prefix, limit: 2))
      #expect(listed == direct)
      #expect(listed.count == names.count)
      #expect(abs(try #require(await near.clockOffset())) < 60)
      try await near.delete(try key(prefix + "x.json"))
      #expect(try await far.get(try key(prefix + "x.json"), limit: 10) == nil)
      #expect(try await near.get(try key(prefix + "x.json"), limit: 10) == nil)
      let tally = proxy.tally
      #expect(tally.totalFaults == 0 && tally.refused == 0 && tally.unanswered == 0)
      #expect(try #require(tally.requests["list"]) >= 3)
    }
  }

  /// The length of what a HEAD does not carry, and connections that are kept.
  @Test(arguments: TestServer.one)
  func `an answer to HEAD passes with its length, and the connection serves on`(
    server: TestServer
  ) async throws {
    try await FaultProxy.during(try server.proxy()) { proxy in
      let client = try RawClient(proxy)
      let request = "HEAD /\(server.bucket)/absent HTTP/1.1\r\nHost: localhost\r\n\r\n"
      for _ in 1...2 {
        client.say(request)
        #expect(try #require(await client.head()).hasPrefix("HTTP/1.1 40"))
      }
      client.say(
        request.replacing("Host: localhost\r\n", with: "Host: localhost\r\nConnection: close\r\n"))
      #expect(try #require(await client.rest()).contains("Connection: close\r\n"))
      #expect(proxy.tally.requests == ["head": 3])
    }
  }

  @Test(arguments: TestServer.one)
  func `a client that waits to be asked for its body is asked`(server: TestServer) async throws {
    try await FaultProxy.during(try server.proxy()) { proxy in
      let client = try RawClient(proxy)
      client.say(
        "PUT /nowhere-\(server.bucket)/k HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      #expect(await client.head() == "HTTP/1.1 100 Continue\r\n\r\n")
      client.say("ok")
      #expect(try #require(await client.rest()).hasPrefix("HTTP/1.1 40"))
    }
  }

  @Test func `an endpoint that is not valid is refused, and a base path is kept`() async throws {
    for url in ["", "ftp://h", "127.0.0.1:9", "http://", "http://u@h", "http://h?x", "http://h/#a"]
    {
      #expect(throws: FaultProxyError.self) { try FaultProxy(to: url) }
    }
    let proxy = try FaultProxy(to: "http://127.0.0.1:9/base/path/")
    #expect(proxy.endpoint.hasSuffix("/base/path"))
    #expect(proxy.endpoint.hasPrefix("http://127.0.0.1:"))
    await proxy.stop(.cancelling)
  }
}
