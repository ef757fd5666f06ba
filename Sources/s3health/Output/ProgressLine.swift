/// A line on stderr that tells how far a long command is; silent where stderr is no terminal.
struct ProgressLine {
  private let terminal: Terminal
  private let label: String
  private let total: Int
  private var done = 0
  private var shownPercent = -1

  init(_ label: String, total: Int, terminal: Terminal = .standardError()) {
    (self.label, self.total, self.terminal) = (label, total, terminal)
  }

  mutating func advance() {
    done += 1
    let percent = total == 0 ? 100 : done * 100 / total
    guard terminal.isTerminal, percent != shownPercent else { return }
    shownPercent = percent
    StandardStreams.overwrite("\(label) \(done)/\(total)")
  }

  /// Removes the line, so that results stand alone.
  func clear() {
    if terminal.isTerminal, done > 0 { StandardStreams.overwrite("") }
  }
}
