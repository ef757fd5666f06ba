import HealthModel

/// Puts captures that were read alone together, as far as they bear on one day.
extension HealthAutoExport {
  /// Takes what a capture says that bears on a date, as captured after those before. The result is what
  /// reading one capture after the other gives: each numbers its own sources, so rows get the numbers
  /// that they have here.
  mutating func take(_ later: HealthAutoExport, on date: CalendarDate) {
    let capture = payloads
    let sources = reader.sources.numbers(of: later.reader.sources)
    let sleepers = sleep.take(later.sleep, on: date, capture: capture)
    kept.take(later.kept) { row in
      row.kind == SampleKind.sleepAnalysis.rawValue
        ? row.numbered(source: sleepers[row.source], capture: row.capture)
        : row.numbered(source: sources[row.source], capture: capture)
    }
    for (channel, days) in later.wholeDays {
      guard let found = days.dates[date] else { continue }
      wholeDays[channel, default: WholeDays()].take(
        found.numbered(sources: sources, capture: capture), on: date)
    }
    findings.take(later.findings, on: date)
    leftOut.take(later.leftOut)
    unused.take(later.unused)
    reader.buddhistDates += later.reader.buddhistDates
    misfit = misfit ?? later.misfit
    payloads += 1
  }

  /// About how many bytes of memory it takes.
  var cost: Int {
    4096 + kept.cost + wholeDays.values.reduce(0) { $0 + 128 * $1.dates.count } + sleep.cost
  }
}
