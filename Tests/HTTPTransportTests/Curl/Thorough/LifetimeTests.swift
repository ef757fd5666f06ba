import CurlTransport
import Foundation
import HTTPClient
import Testing

@Suite(.process) struct `A transport's life` {
  let server: HostileServer

  init() throws { server = try .running() }

  @Test func `500 requests at once share at most 64 connections`() async throws {
    let (transport, id) = (CurlTransport(), freshID())
    let url = server.url("ok/\(id)")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<500 {
        group.addTask { try await transport.send(HTTPRequest(.put, url, body: [1])).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    let lines = try await server.log(id).filter { $0.hasPrefix("PUT 1") }
    #expect(lines.count == 500)
    #expect(Set(lines).count <= 64)
  }

  @Test func `a bound per host holds`() async throws {
    var configuration = CurlTransport.Configuration()
    configuration.maximumConnectionsPerHost = 3
    let (transport, id) = (CurlTransport(configuration), freshID())
    let url = server.url("ok/\(id)")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<60 { group.addTask { try await transport.send(HTTPRequest(.get, url)).status } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(Set(try await server.log(id).filter { $0.hasPrefix("GET") }).count <= 3)
  }

  @Test func `shutdown cancels what is under way and refuses what comes later`() async throws {
    let (transport, id) = (CurlTransport(), freshID())
    let url = server.url("never/\(id)")
    let tasks = (0..<100).map { _ in
      Task {
        await transport.failure(of: HTTPRequest(.put, url, timeout: .seconds(86_400)))
      }
    }
    _ = try await server.log(id, having: "waiting")
    transport.shutdown()
    for task in tasks { #expect(await task.value?.code == .cancelled) }
    transport.shutdown()
    let late = try #require(await transport.failure(of: HTTPRequest(.get, server.url("ok"))))
    #expect(late.code == .cancelled && !late.mayHaveBeenApplied)
    _ = try await server.log(id, having: "closed")
  }

  @Test func `many may shut it down at once, while others send`() async throws {
    for _ in 0..<20 {
      let (transport, url) = (CurlTransport(), server.url("ok"))
      await withTaskGroup(of: Void.self) { group in
        for turn in 0..<40 {
          group.addTask {
            if turn % 10 == 9 {
              transport.shutdown()
            } else {
              let status = try? await transport.send(HTTPRequest(.get, url)).status
              #expect(status == nil || status == 200)
            }
          }
        }
      }
    }
  }

  @Test func `one that is never used or never shut down ends by itself`() async throws {
    _ = CurlTransport()
    let id = freshID()
    do {
      let transport = CurlTransport()
      _ = try await transport.send(HTTPRequest(.get, server.url("ok/\(id)")))
    }
    _ = try await server.log(id, having: "closed")
  }

  @Test func `a process may exit in the middle of requests`() async throws {
    await #expect(processExitsWith: .exitCode(7)) {
      let server = try HostileServer.running()
      var configuration = CurlTransport.Configuration()
      configuration.caBundle = server.ports.ca
      let transport = CurlTransport(configuration)
      let (never, tls) = (server.url("never/exit"), "https://127.0.0.1:\(server.ports.tls)/ok")
      for _ in 0..<50 {
        Task { try? await transport.send(HTTPRequest(.get, never)) }
        Task { try? await transport.send(HTTPRequest(.get, tls)) }
      }
      _ = try await transport.send(HTTPRequest(.get, tls))
      exit(7)
    }
  }

  @Test func `2,000 requests leave no descriptor and no thread behind`() async throws {
    await #expect(processExitsWith: .success) {
      let server = try HostileServer.running()
      let (ok, reset) = (server.url("ok/leak"), server.url("reset"))
      let close = server.url("until-close")
      func count(_ folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).count
      }
      let warm = CurlTransport()
      _ = try await warm.send(HTTPRequest(.get, ok))
      warm.shutdown()
      let before = try count("/dev/fd")
      for _ in 0..<4 {
        let transport = CurlTransport()
        await withTaskGroup(of: Void.self) { group in
          for turn in 0..<500 {
            group.addTask {
              let url = turn % 10 == 0 ? reset : turn % 10 == 1 ? close : ok
              let status = try? await transport.send(HTTPRequest(.get, url)).status
              #expect(status == (url == reset ? nil : 200))
            }
          }
        }
        transport.shutdown()
      }
      #expect(try count("/dev/fd") == before)
    }
  }
}
