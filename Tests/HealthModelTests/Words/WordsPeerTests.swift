import TestSupport
import Testing

/// What was shown of R20 before it was written, without any of this code: scripts in Tests/Peers.
@Suite(.process) struct WordsPeerTests {
  /// A script, and the names of rules that it can leave out.
  struct Check: Sendable, CustomStringConvertible {
    let name: String
    let rules: [String]

    var description: String { name }
    var script: String { "words_\(name).py" }

    static let all = [
      Check(
        name: "join_fold",
        rules: ["longest", "total", "ends", "authority", "overlap", "loose", "repeat", "zones"]),
      Check(name: "cas_sparse", rules: ["pointer", "everything", "seen", "swap"]),
      Check(name: "nocas_sparse", rules: ["again", "parent", "everything"]),
    ]
  }

  @Test(arguments: Check.all)
  func `R20 holds for random words, and in every order in which writers meet`(
    check: Check
  ) async throws {
    _ = try await PeerPython.run(
      check.script, arguments: TestDepth.full(["--all"], usual: []))
  }

  @Test(.nightly, arguments: Check.all)
  func `R20 does not hold with a rule of it left out`(check: Check) async throws {
    for rule in check.rules {
      let failure = await #expect(throws: PeerPython.Failure.self, "without \(rule)") {
        _ = try await PeerPython.run(check.script, arguments: ["--break", rule])
      }
      #expect(failure?.description.contains("Traceback") == false, "without \(rule)")
    }
  }
}
