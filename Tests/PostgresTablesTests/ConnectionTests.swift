import Foundation
import HealthExports
import HealthModel
import TestSupport
import Testing

@testable import PostgresTables

private func failure(_ work: () async throws -> Void) async -> PostgresError? {
  do {
    try await work()
    return nil
  } catch {
    return error as? PostgresError
  }
}

@Suite(.process, .database)
struct ConnectionTests {
  private func tables(_ url: String, timeout: Duration = .seconds(20)) throws -> PostgresTables {
    PostgresTables(try PostgresTarget(url), timeout: timeout)
  }

  @Test
  func `R56: a server that crashes and comes back is used again, and nothing is lost or doubled`()
    async throws
  {
    let server = try PostgresServer()
    let database = try await server.database()
    let tables = try tables(database.url)
    _ = try await tables.create()
    func nights(_ numbers: Range<Int>) -> [SleepRecord] {
      numbers.map {
        SleepRecord(
          id: "00000000-0000-5000-8000-\(100_000_000_000 + $0)",
          start: PreciseMoment(secondsSince1970: 0), end: PreciseMoment(secondsSince1970: 60),
          source: nil, hours: nil, value: .awake)
      }
    }
    #expect(try await tables.store(nights(0..<10)).inserted == 10)
    try server.stop()
    let away = await failure { _ = try await tables.store(nights(0..<20)) }
    #expect(away?.isRetryable == true)
    try server.start()
    // The last failure to connect is remembered for a second.
    try await Task.sleep(for: .seconds(1))
    #expect(
      try await tables.store(nights(0..<20)) == RowCounts(received: 20, inserted: 10))
    // A connection that ended unseen is replaced at once.
    try server.stop()
    try server.start()
    #expect(
      try await tables.store(nights(0..<21)) == RowCounts(received: 21, inserted: 1))
    #expect(try await database.sql("SELECT count(*) FROM ios_apple_health_sleep") == [[["21"]]])
  }

  @Test func `R56: a server that does not answer is given up in time`() async throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(listener, raw, length)
        listen(listener, 4)
        getsockname(listener, raw, &length)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    let tables = try tables(
      "postgresql://u@127.0.0.1:\(port)/d", timeout: .milliseconds(400))
    #expect(await failure { try await tables.check() }?.code == .unreachable)
  }

  @Test
  func `R56: a statement that waits for others is ended in time, and the connection serves on`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let patient = try tables(database.url)
    _ = try await patient.create()
    let hasty = try tables(database.url, timeout: .milliseconds(500))
    let record = SleepRecord(
      id: "00000000-0000-5000-8000-000000000001", start: PreciseMoment(secondsSince1970: 0),
      end: PreciseMoment(secondsSince1970: 60), source: nil, hours: nil, value: .awake)
    let code = try await patient.writer.transaction {
      (transaction) throws(PostgresError) -> PostgresError.Code? in
      try transaction.run("LOCK TABLE ios_apple_health_sleep IN EXCLUSIVE MODE")
      // Another thread's work, which must end without this transaction's end.
      let (gate, answer) = (DispatchSemaphore(value: 0), Answer())
      Task {
        answer.code = await failure { _ = try await hasty.store([record]) }?.code
        gate.signal()
      }
      guard gate.wait(timeout: .now() + 30) == .success else { return nil }
      return answer.code
    }
    #expect(code == .timedOut || code == .conflict)
    #expect(try await patient.store([record]).inserted == 1)
  }

  private final class Answer: @unchecked Sendable {
    // Written before the semaphore is signalled, and read after it.
    nonisolated(unsafe) var code: PostgresError.Code?
  }

  @Test func `R56: a host that is not this machine must show a certificate for its name`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let server = database.server
    func code(_ host: String, _ query: String) async throws -> PostgresError.Code? {
      let tables = try tables(
        server.url(database.name, role: database.role, host: host, query: query))
      return await failure { try await tables.check() }?.code
    }
    let root = "sslrootcert=\(server.authority)"
    // 0.0.0.0 leads to this machine, but is not one of its loopback names.
    #expect(try await code("0.0.0.0", "") == .tlsFailed)
    #expect(try await code("0.0.0.0", "?\(root)") == .tlsFailed)
    #expect(try await code("0.0.0.0", "?sslmode=disable") == .tablesMissing)
    #expect(try await code("localhost", "?sslmode=verify-full&\(root)") == .tablesMissing)
    #expect(try await code("127.0.0.1", "?sslmode=verify-full&\(root)") == .tlsFailed)
    #expect(try await code("127.0.0.1", "") == .tablesMissing)
    #expect(PostgresTarget.isLocal(hosts: "/tmp,localhost,127.0.0.2,::1"))
    #expect(!PostgresTarget.isLocal(hosts: "localhost,db.example.org"))
    #expect(!PostgresTarget.isLocal(hosts: "127.example.org"))
  }

  @Test func `a missing database or role is distinguished from a wrong password`() async throws {
    let database = try await PostgresServer.shared().database()
    let server = database.server
    let absent = await failure {
      try await tables(server.url("absent_database", role: database.role)).check()
    }
    #expect(absent?.code == .databaseMissing, "\(String(describing: absent))")
    let stranger = await failure {
      try await tables(server.url(database.name, role: "nobody-here")).check()
    }
    #expect(stranger?.code == .notAuthorized, "\(String(describing: stranger))")
  }

  @Test func `R56: no error shows the password`() async throws {
    let server = try PostgresServer.shared()
    let secret = "s3cret-of-the-test"
    let wrong = "postgresql://owner:\(secret)@127.0.0.1:\(server.port)/postgres"
    let refused = await failure { try await tables(wrong).check() }
    #expect(refused?.code == .notAuthorized)
    let target = try PostgresTarget(wrong)
    #expect(target.holdsPassword)
    var texts = ["\(String(describing: refused))", "\(target)", String(reflecting: target)]
    for text in ["postgresql://u:\(secret)@[h/x", "host=h password='\(secret)", "\(secret)"] {
      texts.append("\(String(describing: await failure { _ = try PostgresTarget(text) }))")
      #expect(texts.last?.contains("invalidSettings") == true)
    }
    for text in texts { #expect(!text.contains(secret)) }
  }

  @Test func `R56: a name that is looked up without end holds nobody up`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let target = try PostgresTarget("postgresql://u@127.0.0.1:9/d")
    func writer(_ timeout: Duration) -> PostgresWriter {
      PostgresWriter(target, timeout: timeout) { _, _ throws(PostgresError) in
        gate.wait()
        throw PostgresError(.notAuthorized, "found at last")
      }
    }
    func failure(_ writer: PostgresWriter) async -> PostgresError.Code? {
      do {
        try await writer.transaction { _ throws(PostgresError) in }
        return nil
      } catch {
        return error.code
      }
    }
    let hasty = writer(.milliseconds(50))
    #expect(await failure(hasty) == .unreachable)
    // Who comes after it waits for its turn no longer.
    #expect(await failure(hasty) == .timedOut)
    // Who has gone does not wait either.
    let patient = writer(.seconds(600))
    let gone = Task { await failure(patient) }
    try await Task.sleep(for: .milliseconds(50))
    gone.cancel()
    #expect(await gone.value == .cancelled)
    for _ in 0..<1000 { gate.signal() }
    // The lookup has ended: its failure is told at once for a moment.
    while await failure(hasty) != .notAuthorized {}
  }
}
