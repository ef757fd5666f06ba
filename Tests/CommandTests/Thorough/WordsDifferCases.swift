import TestSupport
import Testing

/// Rules of the writer in Python, left out one by one (R20).
extension WordsDifferTests {
  @Test(arguments: ["rank", "ends", "repeats", "suffix"])
  func `R20 a rule that only one of the two keeps is found`(rule: String) async throws {
    let failure = await #expect(throws: PeerPython.Failure.self) {
      _ = try await PeerPython.run(
        "words_differ.py", arguments: [Program.path, "100", "--break", rule])
    }
    #expect(failure?.description.contains("differences") == true)
  }
}
