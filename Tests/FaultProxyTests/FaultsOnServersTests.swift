import ObjectStore
import TestSupport
import Testing

@testable import FaultProxy
@testable import S3Store

/// Each fault, seen from both ends, on every real server: what our own client makes of it, and what
/// the server holds afterwards.
@Suite(.server) struct FaultsOnServersTests {
  /// A fault, what the client learns about a write, and whether the server has applied it.
  struct Course: Sendable, CustomStringConvertible {
    let fault: ProxyFault
    let told: Told
    let applies: Bool
    /// For writes under If-Match, where it is another.
    var description: String { fault.rawValue }

    static let all: [Course] = [
      .init(fault: .drop, told: .unknown, applies: false),
      .init(fault: .lose, told: .unknown, applies: true),
      .init(fault: .reset, told: .unknown, applies: true),
      .init(fault: .truncateHead, told: .unknown, applies: true),
      .init(fault: .truncateBody, told: .unknown, applies: true),
      .init(fault: .stall, told: .unknown, applies: true),
      .init(fault: .conflict, told: .refused, applies: false),
      .init(fault: .preconditionFailed, told: .refused, applies: false),
      .init(fault: .internalError, told: .unknown, applies: false),
      .init(fault: .slowDown, told: .unknown, applies: false),
      .init(fault: .okWithError, told: .unknown, applies: false),
      .init(fault: .conflictAfter, told: .refused, applies: true),
      .init(fault: .preconditionFailedAfter, told: .refused, applies: true),
      .init(fault: .internalErrorAfter, told: .unknown, applies: true),
      .init(fault: .slowDownAfter, told: .unknown, applies: true),
      .init(fault: .okWithErrorAfter, told: .unknown, applies: true),
      .init(fault: .duplicate, told: .stored, applies: true),
      .init(fault: .resend, told: .refused, applies: true),
      .init(fault: .delay, told: .unknown, applies: true),
      .init(fault: .strip, told: .notAuthorized, applies: false),
      .init(fault: .slow, told: .stored, applies: true),
    ]
  }

  @Test func `every fault that can be drawn has its course here`() {
    #expect(Set(Course.all.map(\.fault)) == Set(ProxyFault.drawn))
    #expect(Course.all.count == ProxyFault.drawn.count)
  }

  @Test(arguments: TestServer.one, TestDepth.one(of: 3, Course.all))
  func `a create ends as the fault says, for the client and on the server`(
    server: TestServer, course: Course
  ) async throws {
    let name = try key(freshPrefix() + "/object.json")
    try await check(server, course, name) { store in
      await Told { try await store.put(name, Array("new".utf8), if: .absent) }
    }
  }

  @Test(arguments: TestServer.one, TestDepth.one(of: 3, Course.all))
  func `a replace ends as the fault says, for the client and on the server`(
    server: TestServer, course: Course
  ) async throws {
    let name = try key(freshPrefix() + "/object.json")
    let direct = try server.store()
    guard case .stored(let old) = try await direct.put(name, Array("old".utf8), if: .absent) else {
      Issue.record("the first object was not stored")
      return
    }
    try await check(server, course, name) { store in
      await Told { try await store.put(name, Array("new".utf8), if: .matches(old)) }
    }
  }

  private func check(
    _ server: TestServer, _ course: Course, _ name: ObjectKey, _ write: (S3Store) async -> Told
  ) async throws {
    let direct = try server.store()
    // Of the keys that the probe uses none ends so.
    let rule = ProxyPlan.Rule(course.fault, on: .put, suffix: "/object.json")
    try await FaultProxy.during(try server.proxy(ProxyPlan(rules: [rule]))) { proxy in
      let waits = course.fault == .stall || course.fault == .delay
      let store =
        waits
        ? try await server.impatientStore(through: proxy) : try server.store(through: proxy)
      // Without both conditions no write is sent, and the wait below would have no end.
      try #require(await store.conditionalWrites() == .compareAndSwap)
      let before = proxy.tally.requests["put"] ?? 0
      let told = await write(store)
      // A client that has given up may be ahead of the proxy.
      while proxy.tally.requests["put"] ?? 0 == before {
        try await Task.sleep(for: .milliseconds(5))
      }
      // Without signatures nobody notices what was taken out.
      let isStripped = course.fault == .strip && !server.checksSignatures
      #expect(told == (isStripped ? .stored : course.told))
      await proxy.settle()
      let body = try await direct.get(name, limit: 100)?.body
      #expect((body == Array("new".utf8)) == (isStripped || course.applies))

      #expect(proxy.tally.requests["put"] == before + 1, "a write is sent once")
      #expect(proxy.tally.faults == [course.fault.rawValue: 1])
      let events = proxy.events.filter { $0.fault == course.fault }
      #expect(events.first?.path == "/\(server.bucket)/\(name.rawValue)")
      let isApplied = events.contains { $0.applied == .yes }
      #expect(isApplied == (isStripped || course.applies), "\(events)")
      #expect(events.contains(where: \.late) == [.delay, .duplicate].contains(course.fault))
      if course.fault == .strip, server.checksSignatures {
        #expect(events.first?.server == [String(server.strippedRefusal.prefix(3))])
      }
    }
  }
}
