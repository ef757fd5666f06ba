package import HealthLedger
package import HealthModel
package import HealthSources

/// A line on stderr that shows the progress of a long command. Prints nothing if stderr is not a
/// terminal.
///
/// An example is `publishing 812/3,650 days  ━━━━━━━╌╌╌╌╌╌╌╌╌╌  22 %  8 s left`. The terminal's
/// width is read at each drawing, so that the line fits after the window has changed.
package struct ProgressLine {
  package enum Unit {
    case days
    case entries
    case bytes
  }

  private let terminal: () -> Terminal
  private let label: String
  private let total: Int?
  private let unit: Unit
  private let clock: () -> Duration
  private let begun: Duration
  private var done = 0
  /// When the terminal was last checked, whether or not anything was drawn: the check reads the
  /// whole environment.
  private var lastLook: Duration?
  private var isDrawn = false

  /// - Parameters:
  /// - total: how much there is to do; nil if unknown, as with a pipe.
  /// - clock: the time that has passed since any fixed moment.
  package init(
    _ label: String, total: Int?, unit: Unit = .days,
    terminal: @escaping () -> Terminal = { .progress() },
    clock: @escaping () -> Duration = Self.elapsed()
  ) {
    (self.label, self.total, self.unit) = (label, total, unit)
    (self.terminal, self.clock) = (terminal, clock)
    begun = clock()
  }

  package static func elapsed() -> () -> Duration {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }

  package mutating func advance() { advance(to: done + 1) }

  package mutating func advance(to count: Int) {
    done = count
    let now = clock()
    // Ten times a second is enough for the eye. The last step is always shown.
    if let lastLook, now - lastLook < .milliseconds(100), done != total { return }
    lastLook = now
    let terminal = terminal()
    guard terminal.isTerminal else { return }
    isDrawn = true
    StandardStreams.overwrite(line(terminal, after: now - begun))
  }

  /// Removes the line before results are printed.
  package mutating func clear() {
    guard isDrawn else { return }
    isDrawn = false
    StandardStreams.overwrite("")
  }

  /// The line, shorter than the terminal's width, because a line that wraps could not be
  /// overwritten.
  package func line(_ terminal: Terminal, after elapsed: Duration) -> String {
    let count = label + " " + counted
    guard let total, total > 0 else { return String(count.prefix(terminal.width - 1)) }
    let fraction = min(1, Double(done) / Double(total))
    let tail =
      "\(Int(fraction * 100)) %".leftPadded(to: 5)
      + (remaining(fraction, elapsed).map { "  \($0) left" } ?? "")
    let room = min(40, terminal.width - 1 - count.count - tail.count - 4)
    guard room >= 5 else { return String("\(count)\(tail)".prefix(terminal.width - 1)) }
    let filled = Int((Double(room) * fraction).rounded())
    let bar =
      terminal.styled(String(repeating: "━", count: filled), .good)
      + terminal.styled(String(repeating: "╌", count: room - filled), .faint)
    return "\(count)  \(bar)  \(tail)"
  }

  private var counted: String {
    switch unit {
    case .days, .entries:
      total.map { "\(done.grouped)/\($0.grouped)" } ?? done.grouped
    case .bytes:
      total.map { "\(done.inBytes) of \($0.inBytes)" } ?? done.inBytes
    }
  }

  /// Nil until there is enough data for an estimate.
  private func remaining(_ fraction: Double, _ elapsed: Duration) -> String? {
    guard elapsed > .milliseconds(500), (0.005..<1).contains(fraction) else { return nil }
    let passed = elapsed / .seconds(1)
    let seconds = Int((passed * (1 - fraction) / fraction).rounded(.up))
    if seconds < 100 { return "\(seconds) s" }
    if seconds < 5940 { return "\((seconds + 30) / 60) min" }
    return "\((seconds + 1800) / 3600) h"
  }
}

/// Runs code that reads an input in the settings' zones, and shows its progress on a terminal.
package func reading<Value>(
  _ settings: Settings, _ metrics: MetricSelection = .all,
  _ work: (Input.Request) throws(LedgerError) -> Value
) throws(LedgerError) -> Value {
  let progress = ReadingProgress()
  defer { progress.clear() }
  var request = Input.Request(in: settings.zone, at: settings.now)
  request.metrics = metrics.withRequired
  request.progress = { progress.show($0) }
  return try work(request)
}

/// A progress line on a terminal: first the bytes that were read, then the days that were counted.
private final class ReadingProgress {
  private var line: ProgressLine?
  private var isCounting = false

  func show(_ progress: IntakeProgress) {
    switch progress {
    case .reading(let bytes, let total):
      var line = line ?? ProgressLine("reading", total: total, unit: .bytes)
      line.advance(to: bytes)
      self.line = line
    case .counting(let days):
      if !isCounting { clear() }
      isCounting = true
      var line = line ?? ProgressLine("counting day", total: nil)
      line.advance(to: days)
      self.line = line
    }
  }

  func clear() {
    line?.clear()
    line = nil
  }
}
