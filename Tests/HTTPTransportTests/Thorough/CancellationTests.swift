import HTTPClient
import Testing

@Suite(.process) struct `Cancelling a task` {
  let server: HostileServer

  init() throws { server = try .running() }

  /// Cancels `request` once the server has logged that it waits; returns the error.
  private func cancel(
    _ request: HTTPRequest, by transport: Transport, when id: String, logs: String
  ) async throws -> HTTPError? {
    let task = Task { await transport.failure(of: request) }
    _ = try await server.log(id, having: logs)
    task.cancel()
    return await task.value
  }

  @Test(arguments: Transport.all) func `before it sends sends nothing`(transport: Transport)
    async throws
  {
    let id = freshID()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await transport.failure(of: HTTPRequest(.put, server.url("ok/\(id)")))
    }
    let error = try #require(await task.value)
    #expect(error.code == .cancelled && !error.mayHaveBeenApplied)
    #expect(try await server.log(id).isEmpty)
  }

  @Test(arguments: Transport.all)
  func `while connecting closes the connection, applies nothing and spoils no handle`(
    transport: Transport
  )
    async throws
  {
    // A port for each transport: its log says what was connected to it.
    let (name, port) =
      transport.isURLSession
      ? ("muteThird", server.ports.muteThird) : ("muteToo", server.ports.muteToo)
    let error = try #require(
      await cancel(
        HTTPRequest(.put, "https://127.0.0.1:\(port)/", connectTimeout: .seconds(86_400)),
        by: transport, when: name, logs: "waiting"))
    #expect(error.code == .cancelled && error.mayHaveBeenApplied == transport.isURLSession)
    _ = try await server.log(name, having: "closed")
    for _ in 0..<3 {
      #expect(try await transport.send(HTTPRequest(.get, server.url("ok"))).status == 200)
    }
  }

  @Test(arguments: Transport.all) func `while uploading closes the connection, the outcome open`(
    transport: Transport
  ) async throws {
    let id = freshID()
    let request = HTTPRequest(
      .put, server.url("slow-reader/\(id)"), body: .init(repeating: 0, count: 32 << 20),
      timeout: .seconds(86_400))
    let error = try #require(await cancel(request, by: transport, when: id, logs: "waiting"))
    #expect(error.code == .cancelled && error.mayHaveBeenApplied)
    let log = try await server.log(id, having: "read ")
    let read = try #require(log.compactMap { Int($0.dropFirst("read ".count)) }.first)
    #expect(read < 32 << 20)
  }

  @Test(arguments: Transport.all) func `while waiting for the answer closes the connection`(
    transport: Transport
  ) async throws {
    let id = freshID()
    let request = HTTPRequest(.put, server.url("never/\(id)"), timeout: .seconds(86_400))
    let error = try #require(await cancel(request, by: transport, when: id, logs: "waiting"))
    #expect(error.code == .cancelled && error.mayHaveBeenApplied)
    _ = try await server.log(id, having: "closed")
  }

  @Test(arguments: Transport.all) func `while downloading closes the connection`(
    transport: Transport
  ) async throws {
    let id = freshID()
    let request = HTTPRequest(.get, server.url("trickle/\(id)"), timeout: .seconds(86_400))
    let error = try #require(await cancel(request, by: transport, when: id, logs: "pouring"))
    #expect(error.code == .cancelled && error.mayHaveBeenApplied)
    _ = try await server.log(id, having: "closed")
  }

  @Test(arguments: Transport.all)
  func `at any moment resumes each sender once and leaves the transport usable`(
    transport: Transport
  )
    async throws
  {
    let url = server.url("ok")
    await withTaskGroup(of: Void.self) { group in
      for turn in 0..<400 {
        group.addTask {
          let task = Task { try? await transport.send(HTTPRequest(.put, url, body: [1])).status }
          for _ in 0..<turn % 40 { await Task.yield() }
          task.cancel()
          let status = await task.value
          #expect(status == nil || status == 200)
        }
      }
    }
    #expect(try await transport.send(HTTPRequest(.get, url)).status == 200)
  }
}
