import Foundation
import ObjectStore
import SigV4
import Synchronization
import Testing

@testable import S3Store

/// Refusals after which the same request is sent again, adjusted: region, clock, session, overload.
@Suite(.process) struct RetryAdjustmentTests {
  @Test(arguments: ["region400", "region301"])
  func `a bucket elsewhere is followed to its region, once for all`(mode: String) async throws {
    let server = try HostileServer(mode)
    let store = server.store()
    #expect(try await store.put(try key("a"), [1], if: .absent).etag != nil)
    #expect(try await store.get(try key("a"), limit: 10)?.body == [1])
    let log = try await server.log()
    #expect(log.count == 3, "a hop, the write, the read")
    #expect(log.allSatisfy { $0.path.hasPrefix(server.endpoint.basePath) })
    #expect(log.last?.headers["authorization"]?.contains("/eu-test-1/s3/") == true)
  }

  @Test func `a redirect in a circle ends after both regions`() async throws {
    let server = try HostileServer("circle")
    let error = try await storeError { try await server.store().get(try key("a"), limit: 10) }
    #expect(error.code == .unavailable)
    #expect(error.remedy == .chooseRegion(andEndpoint: true))
    #expect(try await server.log().count == 3)
  }

  @Test func `a chain of regions ends after two hops`() async throws {
    let server = try HostileServer("hops")
    _ = try await storeError { try await server.store().get(try key("a"), limit: 10) }
    #expect(try await server.log().count == 3)
  }

  @Test func `a region that is not a name is not tried`() async throws {
    let server = try HostileServer("hostileregion")
    let error = try await storeError { try await server.store().get(try key("a"), limit: 10) }
    #expect(error.code == .unavailable)
    #expect(try await server.log().count == 1)
  }

  @Test func `a redirect without a region is reported and not followed`() async throws {
    let server = try HostileServer("redirect")
    let error = try await storeError { try await server.store().get(try key("a"), limit: 10) }
    #expect(error.message.contains("not followed"))
    #expect(try await server.log().count == 1)
  }

  @Test func `a clock that is off is learned from the refusal, once for all`() async throws {
    let server = try HostileServer("skewed")
    let store = server.store()
    #expect(try await store.put(try key("a"), [1], if: .absent).etag != nil)
    #expect(try await store.get(try key("a"), limit: 10)?.body == [1])
    #expect(try await server.log().count == 3, "a refusal, the write, the read")
    let offset = try #require(await store.clockOffset())
    #expect((3540...3660).contains(offset))
  }

  @Test func `requests that are all refused for the clock at once are all sent again`() async throws
  {
    let store = try HostileServer("skewed").store()
    try await withThrowingTaskGroup { group in
      for number in 0..<16 {
        group.addTask { try await store.put(try key("\(number)"), [1], if: .absent) }
      }
      for try await outcome in group { #expect(outcome.etag != nil) }
    }
  }

  @Test(arguments: ["skewednodate", "skewedabsurd"])
  func `a refused clock without a usable Date is reported as an error`(mode: String) async throws {
    let server = try HostileServer(mode)
    let store = server.store()
    let error = try await storeError { try await store.get(try key("a"), limit: 10) }
    #expect(error.code == .notAuthorized)
    #expect(error.remedy == .setClock)
    #expect(try await server.log().count == 1)
    #expect(await store.clockOffset() == nil)
  }

  @Test func `a wrong Date on good answers does not change what works`() async throws {
    let server = try HostileServer("wrongdate")
    let store = server.store()
    for _ in 0..<3 { #expect(try await store.get(try key("a"), limit: 10) == nil) }
    let stamps = try await server.log().compactMap { $0.headers["x-amz-date"] }
    let now = Date().formatted(
      Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    #expect(stamps.count == 3)
    #expect(stamps.allSatisfy { $0.prefix(8) <= now.prefix(8) && $0 <= now })
    #expect(try #require(await store.clockOffset()) > 3500)
  }

  @Test func `an expired session is renewed once`() async throws {
    let server = try HostileServer("expires")
    let sessions = Sessions(["OLD", "NEW"])
    let store = server.store(credentials: sessions)
    #expect(try await store.put(try key("a"), [1], if: .absent).etag != nil)
    #expect(try await server.log().count == 2)

    let hopeless = try HostileServer("expires")
    let error = try await storeError {
      try await hopeless.store(credentials: Sessions(["OLD", "OLDER", "OLDEST"]))
        .get(try key("a"), limit: 10)
    }
    #expect(error.code == .notAuthorized)
    #expect(error.remedy == "sign in again")
    #expect(try await hopeless.log().count == 2)
  }

  @Test func `an overload is waited out, with a fresh signature each time`() async throws {
    let server = try HostileServer("slowtwice")
    let store = server.store()
    #expect(try await store.get(try key("a"), limit: 10) == nil)
    #expect(try await store.list(ListRequest(prefix: "")).entries.isEmpty)
    try await store.delete(try key("a"))
    #expect(try await server.log().count == 9)
  }

  @Test func `a connection that breaks under a read does no harm`() async throws {
    let server = try HostileServer("cutonce")
    let store = server.store()
    #expect(try await store.get(try key("a"), limit: 10) == nil)
    #expect(try await server.log().count == 2)
  }

  @Test func `Retry-After is kept, and not waited for beyond the deadline`() async throws {
    let server = try HostileServer("retryafter")
    let waits = Mutex<[Duration]>([])
    var pace = RetryPace()
    pace.sleep = { wait in waits.withLock { $0.append(wait) } }
    let store = server.store(pace: pace)
    #expect(try await store.get(try key("a"), limit: 10) == nil)
    #expect(try await server.log().count == 2)
    #expect(waits.withLock { $0 } == [.seconds(1)])

    let never = try HostileServer("retrynever")
    let error = try await storeError { try await never.store().get(try key("a"), limit: 10) }
    #expect(error.isRetryable)
    #expect(try await never.log().count == 1)
  }

  @Test func `a cancelled task does not wait for another try`() async throws {
    let server = try HostileServer("retrylater")
    let name = try key("a")
    for work: @Sendable (S3Store) async throws -> Void in [
      { _ = try await $0.get(name, limit: 10) }, { try await $0.delete(name) },
      {
        // Cancelled before the refusal was read: nobody knows what became of the write.
        guard case .unknown = try await $0.put(name, [1], if: .absent) else { return }
        throw StoreError(.cancelled, "the write was cut off", key: name.rawValue)
      },
    ] {
      let before = try await server.log().count
      // Its own, which really waits: without waits it could give up before it is cancelled.
      let store = server.store(deadline: .seconds(3600), pace: RetryPace())
      let task = Task { try await work(store) }
      while try await server.log().count == before { await Task.yield() }
      task.cancel()
      let error = try await storeError { try await task.value }
      #expect(error.code == .cancelled, "\(error)")
    }
  }

  @Test func `a send cut short by the deadline does not hide what the server said`() async throws {
    let store = try HostileServer("slowthenmute").store(deadline: .seconds(4))
    let error = try await storeError { try await store.get(try key("a"), limit: 10) }
    #expect(error.serverDetail?.hasPrefix("SlowDown") == true)
  }

  @Test func `an overload without end ends at the deadline`() async throws {
    let server = try HostileServer("slowforever")
    // Long enough for a second send on a machine that is busy with other tests.
    let store = server.store(deadline: .seconds(15)) { $0.maximumAttempts = 1000 }
    let error = try await storeError { try await store.get(try key("a"), limit: 10) }
    #expect(error.code == .unavailable)
    #expect(error.remedy == .retryLater)
    #expect(try await server.log().count >= 2)
  }
}

/// Gives one access key after another, as each is rejected.
private final class Sessions: CredentialsProvider {
  private let left: Mutex<[String]>

  init(_ accessKeys: [String]) { left = Mutex(accessKeys) }

  func credentials() async throws(StoreError) -> ResolvedCredentials {
    let key = left.withLock { $0.first ?? "NONE" }
    return ResolvedCredentials(
      SigningCredentials(accessKeyID: key, secretAccessKey: "s", sessionToken: "t"),
      source: "test")
  }

  func invalidate(_ rejected: ResolvedCredentials) async {
    left.withLock { $0.removeAll { $0 == rejected.signing.accessKeyID } }
  }
}
