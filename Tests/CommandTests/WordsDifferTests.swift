import TestSupport
import Testing

/// Random inputs to random days, each published by the program and by the writer that was written from the
/// documents alone: Tests/Peers/words_differ.py.
@Suite(.process, .slow) struct WordsDifferTests {
  @Test(arguments: TestDepth.full([1, 251, 501, 751], usual: [1]))
  func `R19 to R21: a writer written from the documents stores what the program stores`(
    seed: Int
  ) async throws {
    let days = TestDepth.full("250", usual: "25")
    _ = try await PeerPython.run(
      "words_differ.py", arguments: [Program.path, days, "--seed", "\(seed)"])
  }
}
