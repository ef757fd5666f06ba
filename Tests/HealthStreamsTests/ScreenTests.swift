import HealthModel
import HealthStreams
import ObjectStore
import StoreTesting
import Testing

/// An app that shows what is wrong with a store, as its code on the main actor is written.
@Suite(.unit) @MainActor final class ScreenTests {
  var (batches, findings) = (0, 0)

  @Test func `a screen on the main actor shows what an inspection has read and found`()
    async throws
  {
    let store = MemoryStore()
    let streams = try Samples.streams(store)
    _ = try await streams.append(
      try Samples.overMidnight(), feed: "f", receivedAt: Samples.received)
    _ = try await streams.inspect(.healthKit) {
      self.batches += 1
    } report: { _ in
      self.findings += 1
    }
    try await streams.inspectRoot { _ in self.findings += 1 }
    try await streams.inspectMarkers(now: Samples.received) { _ in self.findings += 1 }
    #expect(batches == 3 && findings == 0)
  }
}
