package import HealthLedger
package import HealthModel
package import HealthSources

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
