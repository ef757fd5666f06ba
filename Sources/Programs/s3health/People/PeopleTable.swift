import CommandLineKit
import HealthLedger

/// The lines of a run over people, whose columns are known before the first is done.
struct PeopleTable {
  private let columns: [String]
  private let width: Int
  private let terminal: Terminal

  /// - Parameter columns: the titles of the numbers.
  init(columns: [String], ids: [PersonID], terminal: Terminal) {
    (self.columns, self.terminal) = (columns, terminal)
    width = max(6, ids.map { $0.rawValue.utf8.count }.max() ?? 0)
  }

  var head: String {
    let titles = columns.map { $0.leftPadded(to: Self.width(of: $0)) }
    return terminal.styled(
      (["person".padded(to: width)] + titles + ["result"]).joined(separator: "  "), .strong)
  }

  func line(_ id: PersonID, _ line: PersonLine) -> String {
    let cells = zip(columns, line.cells).map { $1.leftPadded(to: Self.width(of: $0)) }
    let words = [Self.words[line.result] ?? line.result.rawValue, line.words]
      .filter { !$0.isEmpty }.joined(separator: ": ")
    let styled = Self.styles[line.result].map { terminal.styled(words, $0) } ?? words
    return ([id.rawValue.padded(to: width)] + cells + [styled]).joined(separator: "  ")
  }

  /// Set before the first line: a column of dates is wider than one of numbers.
  private static func width(of title: String) -> Int {
    ["first", "last", "newest"].contains(title) ? 10 : max(title.count, 7)
  }

  private static let words: [PersonResult: String] = [.noData: "no days"]

  private static let styles: [PersonResult: Terminal.Style] = [
    .findings: .doubtful, .noData: .faint, .failed: .bad,
  ]
}
