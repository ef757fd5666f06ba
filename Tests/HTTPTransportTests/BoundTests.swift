import Foundation
import HTTPClient
import Synchronization
import Testing

@Suite(.process) struct `A response without end` {
  let server: HostileServer

  init() throws { server = try .running() }

  /// Bytes that fit in the sockets' buffers beside what the client has read.
  private let socketBuffers = 16 << 20

  @Test(
    arguments: Transport.all,
    [
      "endless-body", "endless-chunks", "huge", "endless-fields", "endless-line", "endless-interim",
    ])
  func `is cut at the limit and its connection closed`(transport: Transport, scenario: String)
    async throws
  {
    let id = freshID()
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(
          .get, server.url("\(scenario)/\(id)"), timeout: .seconds(60),
          maximumResponseBytes: 100_000)))
    // URLSession has limits of its own for a head.
    let isHead = ["endless-fields", "endless-line", "endless-interim"].contains(scenario)
    #expect(error.code == .responseTooLarge || (transport.isURLSession && isHead), "\(error)")
    #expect(error.mayHaveBeenApplied)
    let log = try await server.log(id, having: "closed")
    let poured = try #require(log.compactMap { Int($0.dropFirst("poured ".count)) }.first)
    // Foundation on Linux goes on reading until it learns that the task was cancelled.
    #expect(transport.isURLSession || poured < socketBuffers)
  }

  @Test(arguments: Transport.all) func `is refused for its length alone, however that is written`(
    transport: Transport
  ) async throws {
    let error = await transport.failure(of: HTTPRequest(.get, server.url("uncountable")))
    #expect(error?.code == .responseTooLarge)
  }

  @Test(arguments: Transport.all) func `is one byte beyond the limit, not the limit itself`(
    transport: Transport
  ) async throws {
    var request = HTTPRequest(.get, server.url("sized/x/100000"), maximumResponseBytes: 100_000)
    #expect(try await transport.send(request).body.count == 100_000)
    request.maximumResponseBytes = 99_999
    #expect(await transport.failure(of: request)?.code == .responseTooLarge)
    request.maximumResponseBytes = 0
    #expect(await transport.failure(of: request)?.code == .responseTooLarge)
    request.url = server.url("sized/x/0")
    #expect(try await transport.send(request).body.isEmpty)
  }

  #if os(Linux)
    @Test func `is cut off over URLSession even if other work occupies every shared thread`()
      async throws
    {
      await #expect(processExitsWith: .success) {
        let server = try HostileServer.running()
        let id = freshID()
        let request = HTTPRequest(
          .get, server.url("endless-body/\(id)"), timeout: .seconds(300),
          maximumResponseBytes: 100_000)
        let isOver = Atomic(false)
        let wasCut = Atomic(false)
        // The request begins on this thread, and then each shared thread works until a program beside
        // this one has seen that the server lost the connection.
        for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
          DispatchQueue.global().async { while !isOver.load(ordering: .relaxed) {} }
        }
        Thread.detachNewThread {
          let hasPoured = "curl --silent \(server.url("log/\(id)")) | grep --quiet '^poured'"
          for _ in 0..<1200 where !wasCut.load(ordering: .relaxed) {
            Thread.sleep(forTimeInterval: 0.1)
            wasCut.store(system(hasPoured) == 0, ordering: .relaxed)
          }
          isOver.store(true, ordering: .relaxed)
        }
        #expect(await Transport.urlSession.failure(of: request)?.code == .responseTooLarge)
        // The answer may arrive before the watching program has looked.
        while !isOver.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(10)) }
        let cut = wasCut.load(ordering: .relaxed)
        #expect(cut)
      }
    }
  #endif

  #if os(Linux) && !PHONE
    @Test func `costs no more memory than its limit, 64 at a time`() async throws {
      await #expect(processExitsWith: .success) {
        let url = try HostileServer.running().url("endless-body/memory")
        let transport = Transport.curl
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<256 {
            group.addTask {
              let request = HTTPRequest(
                .get, url, timeout: .seconds(120), maximumResponseBytes: 256 << 10)
              #expect(await transport.failure(of: request)?.code == .responseTooLarge)
            }
          }
        }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let peak = try #require(Int(line.split(separator: " ")[1]))
        #expect(peak < 150_000, "kilobytes")
      }
    }
  #endif
}
