/// One thing that a scan found, in the order of the file.
package enum Finding: Hashable, Sendable {
  case locale(String)
  case exportDate(Int64)
  case source(ExportSource)
  /// With the start of the record that names it, where that is read.
  case timeZone(String, Int64?)
  case sample(ExportSample)
  case workout(ExportWorkout)
  case summary(ActivitySummary)
  case skipped(SkipReason, SampleKind?)
}

extension ExportSink {
  /// Hands a finding to the function that takes its kind.
  package mutating func take(_ finding: Finding) throws {
    switch finding {
    case .locale(let locale): take(locale: locale)
    case .exportDate(let date): take(exportDate: date)
    case .source(let source): take(source: source)
    case .timeZone(let zone, let start): take(timeZone: zone, at: start)
    case .sample(let sample): try take(sample)
    case .workout(let workout): take(workout)
    case .summary(let summary): take(summary)
    case .skipped(let reason, let kind): skip(reason, kind)
    }
  }
}
