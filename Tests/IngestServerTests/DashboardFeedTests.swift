import Foundation
import HealthModel
import Testing

@testable import IngestServer

/// Events to pages that are open.
@Suite(.unit) struct DashboardFeedTests {
  private func text(_ subscription: EventSubscription) async -> String {
    String(decoding: await subscription.next() ?? [], as: UTF8.self)
  }

  private func kinds(_ text: String) -> [String] {
    text.matches(of: #/event: (\w+)/#).map { String($0.1) }
  }

  @Test func `R59: who takes nothing has one change waiting, the newest`() async throws {
    let feed = EventFeed()
    let page = try feed.subscribe("a", after: feed.last)
    for _ in 0..<1000 { feed.publishChange() }
    let text = await text(page)
    #expect(kinds(text) == ["hello", "changed"])
    #expect(text.contains("event: changed\nid: \(feed.last)\ndata: \n\n"))
    feed.close()
    try #require(page.hasEnded)
    #expect(await page.next() == nil)
  }

  @Test func `R59: a page that has missed a change is told, and no other is`() async throws {
    let feed = EventFeed()
    feed.publishChange()
    let known = feed.last
    #expect(kinds(await text(try feed.subscribe("a", after: known))) == ["hello"])
    feed.publishChange()
    for after in [known, "another-7", nil, "", "\n"] {
      let text = await text(try feed.subscribe("b", after: after))
      #expect(kinds(text) == ["hello", "changed"], "\(after ?? "nil")")
    }
    // Another instance's changes have other ids.
    #expect(EventFeed().last != EventFeed().last)
  }

  @Test func `R59: the pages of a session, and of all, that are open are bounded`() throws {
    let feed = EventFeed()
    var pages: [EventSubscription] = []
    for _ in 0..<EventFeed.maximumPerSession { pages.append(try feed.subscribe("a", after: nil)) }
    #expect(throws: RequestFailure.self) { try feed.subscribe("a", after: nil) }
    pages[0].end()
    pages.append(try feed.subscribe("a", after: nil))
    for number in 0..<(EventFeed.maximum - EventFeed.maximumPerSession) {
      pages.append(try feed.subscribe("other \(number)", after: nil))
    }
    #expect(feed.count == EventFeed.maximum)
    let refusal = #expect(throws: RequestFailure.self) { try feed.subscribe("new", after: nil) }
    #expect(refusal?.status == 429)
    feed.end("a")
    #expect(feed.count == EventFeed.maximum - EventFeed.maximumPerSession)
  }

  @Test func `R59: a beat ends the pages of ended sessions, and reaches the others`() async throws {
    let feed = EventFeed()
    let (kept, lost) = (
      try feed.subscribe("kept", after: feed.last), try feed.subscribe("lost", after: feed.last)
    )
    feed.beat { $0 == "kept" }
    #expect(kinds(await text(kept)) == ["hello", "beat"])
    #expect(kinds(await text(lost)) == ["hello"])
    try #require(lost.hasEnded)
    #expect(await lost.next() == nil)
    #expect(feed.count == 1)
  }

  @Test func `R59: a page that nothing gets through to is closed, no other is`() async throws {
    let page = EventSubscription(session: "a")
    let closed = Flag()
    page.onStuck { closed.set() }
    #expect(!page.endIfStuck(for: .zero), "nothing waits")
    page.send(.changed, [1])
    #expect(await page.next() == [1])
    page.written()
    #expect(!page.endIfStuck(for: .zero), "it was taken")
    page.send(.changed, [2])
    #expect(await page.next() == [2])
    // Taken, and its writing does not end.
    #expect(!page.endIfStuck(for: .seconds(3600)))
    #expect(!closed.isSet)
    #expect(page.endIfStuck(for: .zero))
    #expect(closed.isSet)
    #expect(await page.next() == nil)
  }

  @Test func `R59: the activity is bounded, and names posts and the days that were published`() {
    let now = Timestamp(secondsSince1970: 1_770_811_200)
    var activity = Activity()
    func add(_ path: String, _ status: Int, _ counts: Answer.DataCounts = .init(received: 3)) {
      var post = RequestRecord(at: now)
      (post.device, post.path, post.status, post.counts) = ("phone", path, status, counts)
      activity.add(post)
    }
    add("/api/ingest", 503)
    #expect(activity.posts.isEmpty, "nothing was acknowledged")
    add("/overland", 200)
    #expect(activity.posts.mapValues(\.at) == ["phone": now])
    #expect(activity.lines.map(\.text).first == "phone posted to /overland, 3 received")
    #expect(activity.lines.map(\.isFailure) == [false, true])
    add("/health-auto-export", 200, .init(leftOut: "step_count 2"))
    #expect(activity.lines.map(\.text).first?.hasSuffix(", left out: step_count 2") == true)
    #expect(activity.posts["phone"]?.counts.leftOut == "step_count 2")
    for _ in 0..<1000 { add("/overland", 200) }
    #expect(activity.lines.count == Activity.maximumLines)
  }
}

/// Something that happens once.
private final class Flag: @unchecked Sendable {  // guarded by the lock
  private let lock = NSLock()
  private var value = false

  func set() { lock.withLock { value = true } }
  var isSet: Bool { lock.withLock { value } }
}
