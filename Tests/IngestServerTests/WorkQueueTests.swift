import TestSupport
import Testing

@testable import IngestServer

/// Places for agents' requests, without a server.
@Suite(.unit) struct WorkQueueTests {
  @Test func `R53: one token can't take the places of the others, and the oldest runs next`() {
    var queue = WorkQueue(.init(running: 3, runningOfOne: 2, waiting: 3, waitingOfOne: 2))
    #expect([1, 2].map { queue.enter($0, of: "a") } == [.runs, .runs])
    #expect([3, 4, 5].map { queue.enter($0, of: "a") } == [.waits, .waits, .full])
    #expect(queue.enter(6, of: "b") == .runs)
    #expect([7, 8].map { queue.enter($0, of: "b") } == [.waits, .full])
    // Three run: the next one of b's waits behind those of a's, which have no room.
    #expect(queue.leave("b") == 7)
    #expect(queue.leave("a") == 3)
    queue.giveUp(4)
    #expect(queue.leave("a") == nil)
    #expect(queue.leave("a") == nil)
    #expect(queue.enter(9, of: "a") == .runs)
  }

  @Test func `R53: who waits for a place gets the next one, or none once it is cancelled`() async {
    let places = WorkPlaces()
    var held: [WorkPlaces.Held?] = []
    for _ in 0..<8 { held.append(await places.enter("a")) }
    #expect(!held.contains { $0 == nil })
    let gone = Task { await places.enter("a") != nil }
    let next = Task { await places.enter("a") != nil }
    gone.cancel()
    #expect(await gone.value == false)
    held.removeLast()
    #expect(await next.value)
  }
}
