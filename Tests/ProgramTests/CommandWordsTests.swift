import CommandLineKit
import HealthLedger
import TestSupport
import Testing

@testable import s3health

/// How texts that name commands are shown.
@Suite(.unit) struct CommandWordsTests {
  /// The lines of a text of words that the terminal would break.
  private func lines(_ text: String) -> [String] {
    text.wrapped(to: 60).split(separator: "\n").map(String.init)
  }

  @Test func `prose is broken between words, below where it begins`() {
    let check = "  warning  newest day: 2026-02-08, 3 days ago; published 4 hours ago by somebody"
    #expect(
      lines(check) == [
        "  warning  newest day: 2026-02-08, 3 days ago; published 4",
        "           hours ago by somebody",
      ])
    let styled = check.replacing("warning", with: "\u{1B}[33mwarning\u{1B}[0m")
    #expect(lines(styled).map { $0.replacing(#/\u{1B}\[[0-9]*m/#, with: "") } == lines(check))
    #expect(
      lines("note: no time zone is set, so days begin and end by this machine's, UTC") == [
        "note: no time zone is set, so days begin and end by this", "  machine's, UTC",
      ])
  }

  @Test(arguments: [
    "s3health config set timezone NAME", "s3health undo --person ann 1hk2p7wx4qe",
    "s3health get 2026-02-08 --history", "`s3health raw zones \"Europe/Berlin\"`",
  ])
  func `a command is never broken: it is to be copied`(command: String) {
    for padding in 0..<60 {
      let text =
        "note: " + String(repeating: "a ", count: padding) + command + "; and so on, to the end"
      let shown = lines(text)
      #expect(shown.contains { $0.contains(command) }, "\(shown)")
      #expect(shown.allSatisfy { $0.count <= 60 }, "\(shown)")
      #expect(shown.map { $0.trimmingPrefix(while: { $0 == " " }) }.joined(separator: " ") == text)
    }
  }

  @Test func `rows of a table stay as they are`() {
    let row = "1hk2p7wx4qe  2026-02-08 10:15     8 days  apple_health_export  2026-02-02..09"
    #expect(lines(row) == [row])
  }
}
