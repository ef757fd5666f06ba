import CommandLineKit
import Foundation
import HealthCollector
import HealthModel
import Synchronization

/// The live view as lines of a terminal, none wider than it.
struct WatchScreen {
  let view: WatchView
  let terminal: Terminal
  /// Rows of the terminal; nil to show everything.
  var height: Int?
  /// Whether somebody goes on watching: `--once` shows the same without.
  var goesOn = true

  /// Wider lines are hard to read across.
  private static let widest = 78
  private static let number = 11

  private var width: Int { min(terminal.width, isWide ? Self.widest * 2 + 4 : Self.widest) }
  /// Room for two tables side by side.
  private var isWide: Bool { terminal.width >= Self.widest * 2 + 4 }

  var lines: [String] {
    var head = [title, ""]
    head += stepLines
    head.append("")
    var foot = [""]
    foot += footLines
    let room = height.map { max(3, $0 - head.count - foot.count) }
    return head + table(in: room) + foot
  }

  private var title: String {
    let name = goesOn ? "Today" : "\(view.comparison.date)"
    let left = goesOn ? "\(name), \(view.comparison.date)" : name
    guard goesOn else { return terminal.styled(left, .strong) }
    let state = view.isLive ? "● LIVE" : "○ waiting"
    let gap = max(2, width - left.count - state.count)
    return terminal.styled(left, .strong) + String(repeating: " ", count: gap)
      + terminal.styled(state, view.isLive ? .bad : .doubtful)
  }

  private var stepLines: [String] {
    let goal = "of \(view.goal.grouped) steps"
    guard let steps = view.steps, let progress = view.progress else {
      return ["no steps yet, \(goal)", bar(0)]
    }
    let count = view.text(.steps, steps)
    let percent = "\(Int((progress * 100).rounded(.down)).grouped) %"
    let reached = view.hasReachedGoal ? "Goal reached!" : ""
    let left = "\(count) \(goal)"
    let right = reached.isEmpty ? percent : "\(reached)  \(percent)"
    let gap = max(2, width - left.count - right.count)
    let shown =
      reached.isEmpty
      ? percent : terminal.styled(reached, .good) + "  " + percent
    return [
      terminal.styled(count, .strong) + " " + goal + String(repeating: " ", count: gap) + shown,
      bar(progress),
    ]
  }

  private func bar(_ progress: Double) -> String {
    let filled = Int((Double(width) * min(1, max(0, progress))).rounded(.down))
    return terminal.styled(String(repeating: "━", count: filled), .good)
      + terminal.styled(String(repeating: "╌", count: width - filled), .faint)
  }

  // MARK: - The table

  private func table(in room: Int?) -> [String] {
    let metrics = Self.order(view.comparison.metrics)
    guard !metrics.isEmpty else { return ["no data for \(view.comparison.date) yet"] }
    let columns = isWide && metrics.count > 6 ? 2 : 1
    let all = metrics.map(row)
    // In a narrow window, long names take two lines.
    let fit = room.map { max(1, ($0 - 1) * columns) } ?? .max
    let isCut = all.reduce(0) { $0 + $1.count } > fit
    var (rows, shown): ([String], Int) = ([], 0)
    for row in all {
      guard !isCut || shown == 0 || rows.count + row.count <= fit - columns else { break }
      rows += row
      shown += 1
    }
    var lines: [String] = []
    if columns == 1 {
      lines = [terminal.styled(heading, .faint)] + rows
    } else {
      let half = (rows.count + 1) / 2
      lines.append(
        terminal.styled(heading, .faint) + "    " + terminal.styled(heading, .faint))
      for index in 0..<half {
        let right = index + half < rows.count ? "    " + rows[index + half] : ""
        lines.append(rows[index] + right)
      }
    }
    if isCut {
      let rest = metrics.count - shown
      lines.append(terminal.styled("and \(rest) more: make the window taller", .faint))
    }
    return lines
  }

  /// Steps have their own place, and the view's other two come first.
  private static func order(_ metrics: [DailyMetric]) -> [DailyMetric] {
    let first = [DailyMetric.distance, .activeEnergy]
    return [.steps] + first.filter(metrics.contains)
      + metrics.filter { $0 != .steps && !first.contains($0) }
  }

  private var tableWidth: Int { min(terminal.width, Self.widest) }
  private var label: Int { tableWidth - numbers * Self.number }
  /// Today, yesterday and the average of the week, which goes first where names would be cut.
  private var numbers: Int { tableWidth - 3 * Self.number < Self.shortestLabel ? 2 : 3 }
  private static let shortestLabel = 22

  private var heading: String {
    let name = String(repeating: " ", count: label)
    return name
      + ["today", "yesterday", "week avg"].prefix(numbers).map { $0.leftPadded(to: Self.number) }
      .joined()
  }

  /// A name in as many lines as it needs. A word that is too long for a line is cut.
  private func parts(of name: String, _ room: Int) -> [String] {
    var lines: [String] = []
    for word in name.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= room {
        lines[lines.count - 1] = last + " " + word
      } else {
        // The rest is indented below its name.
        lines.append((lines.isEmpty ? "" : "  ") + word)
      }
    }
    return lines.map { String($0.prefix(room)) }
  }

  private func row(_ metric: DailyMetric) -> [String] {
    let comparison = view.comparison
    let unit = view.parts(metric, 0).unit
    let room = label - 1
    let names = parts(of: metric.label, room)
    let name = names.last ?? ""
    let shownUnit = unit.isEmpty || name.count + 2 + unit.count > room ? "" : ", \(unit)"
    let blanks = String(repeating: " ", count: label - name.count - shownUnit.count)
    func cell(_ numbers: [DailyMetric: Double]) -> String {
      let text = numbers[metric].map { view.parts(metric, $0).number } ?? "-"
      return text.leftPadded(to: Self.number)
    }
    let last =
      name + terminal.styled(shownUnit, .faint) + blanks
      + terminal.styled(cell(comparison.today), .strong) + cell(comparison.yesterday)
      + (numbers > 2 ? cell(comparison.weekAverage) : "")
    return names.dropLast() + [last]
  }

  // MARK: - The foot

  private var footLines: [String] {
    let updated = view.lastUpdated.map { "Last updated \(view.clock($0))" } ?? "Not updated yet"
    var lines = [cut("\(updated), \(view.zone), \(view.source.printable)")]
    if let publishing = view.publishing { lines.append(cut(publishing)) }
    lines = lines.map { terminal.styled($0, .faint) }
    lines += view.notes.prefix(3).map { terminal.styled(cut($0.printable), .doubtful) }
    if goesOn { lines.append(terminal.styled("q ends", .faint)) }
    return lines
  }

  private func cut(_ text: String) -> String {
    let most = terminal.width
    return text.count <= most ? text : String(text.prefix(most - 1)) + "…"
  }
}

/// The terminal while a view fills it: another screen, no cursor, no echo of what is typed, which is
/// read key by key. However the view ends, the terminal is as it was.
final class ScreenSession: Sendable {
  private struct State {
    var isOpen = false
    var settings: termios?
  }

  private let state = Mutex(State())

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  func open() {
    state.withLock { state in
      state.isOpen = true
      var settings = termios()
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      state.settings = settings
      settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    _ = writeWhole(Array(Self.enter.utf8), to: STDOUT_FILENO)
  }

  /// Gives the terminal back. Called again, it does nothing.
  func close() {
    let (wasOpen, settings) = state.withLock { state in
      defer { state.isOpen = false }
      return (state.isOpen, state.settings)
    }
    guard wasOpen else { return }
    _ = writeWhole(Array(Self.leave.utf8), to: STDOUT_FILENO)
    // What was typed meanwhile was meant for nobody.
    if var settings { tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
  }

  /// Waits until somebody types a key; false if nobody can.
  static func isTyped(_ key: UInt8) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return false }
    var typed: UInt8 = 0
    while read(STDIN_FILENO, &typed, 1) == 1 {
      if typed == key { return true }
    }
    return false
  }

  /// Shows lines, each from the left edge. Only what changes flickers on no terminal, so all is
  /// written at once.
  func draw(_ lines: [String]) {
    guard state.withLock(\.isOpen) else { return }
    // A terminal that knows synchronised output shows the whole frame at once.
    var text = "\u{1B}[?2026h\u{1B}[H"
    text += lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    text += "\u{1B}[J\u{1B}[?2026l"
    if writeWhole(Array(text.utf8), to: STDOUT_FILENO) == EPIPE { endBySignal(SIGPIPE) }
  }
}
