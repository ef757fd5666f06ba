import CommandLineKit
import HealthLedger
import HealthModel
import HealthReport

/// One revision for people: its required metrics, or why one has no number,
/// and the optional ones that it has.
struct RevisionTable {
  let revision: DailyRevision
  let id: RevisionID
  /// The moment at which the day is looked at.
  let now: Timestamp
  /// Those that the person likes.
  let units: PersonalUnits
  /// Those to show; nil for all that the day has.
  var metrics: [DailyMetric]?

  func lines(_ terminal: Terminal) -> [String] {
    let partial = PartialNumbers(revision)
    let captured = partial.areAll ? partial.words : nil
    var heading = "\(revision.date)  \(revision.day.timeZoneName.printable)  revision \(id)"
    if let extent = extent(captured) {
      let isTooLong = heading.count + 2 + extent.count > terminal.width
      heading += (terminal.isTerminal && isTooLong ? "\n" : "") + "  " + extent
    }
    let width = max(24, shown.map(\.label.count).max() ?? 0)
    return [terminal.styled(heading, .strong)]
      + shown.map { metric in
        let name = "  " + metric.label.padded(to: width)
        let captured = captured == nil ? partial[metric].map { "  \($0.words)" } ?? "" : ""
        switch revision.reading(of: metric) {
        case .value(let number) where metric.isOfNight:
          return name + " " + number.asDuration.leftPadded(to: 13) + captured
        case .value(let number):
          let unit = units.name(of: metric)
          return name + " " + units.rounded(number, of: metric).leftPadded(to: 9)
            + (unit.isEmpty ? "" : " " + unit) + time(of: metric) + captured
        case let reading:
          return name + terminal.styled("-".leftPadded(to: 10) + " (\(reading.reason))", .faint)
        }
      }
  }

  /// Of which part of the day the numbers are; nil if not all of them are of a part.
  private func extent(_ captured: String?) -> String? {
    guard revision.day.isOver(at: now) else {
      return "so far: the day is not over" + (captured.map { ", \($0)" } ?? "")
    }
    return captured.map { "\($0), of a part of the day" }
  }

  /// The required metrics, and below them the optional ones that the day has.
  private var shown: [DailyMetric] {
    // Of a long list, only what the day has.
    if let metrics, metrics.count <= 12 { return metrics }
    return (metrics ?? DailyMetric.inOrder).filter {
      revision.readings[$0] != nil && $0.aggregation != .latestTime
    }
  }

  /// When a latest value was measured, by the clock of the day's zone.
  private func time(of metric: DailyMetric) -> String {
    guard metric.aggregation == .latest, let mean = metric.latestOf,
      let moment = revision.latest(of: mean)?.at
    else { return "" }
    return " at \(revision.day.clock(moment))"
  }
}

/// Where each number of a day comes from, and what the other sources say (R20).
struct SourcesReport: CommandResult {
  let revision: DailyRevision
  let id: RevisionID
  /// Those that the person likes.
  let units: PersonalUnits

  func lines(_ terminal: Terminal) -> [String] {
    let heading = "\(revision.date)  \(revision.day.timeZoneName.printable)  revision \(id)"
    // A latest value is of the words that have the mean.
    let rows = revision.metricSources.filter { $0.metric.latestOf == nil }
    guard !rows.isEmpty else {
      return [terminal.styled(heading, .strong), "  no source has a number of this day"]
    }
    // What was seen of the day is the same for most numbers, so it stands below, once.
    var (lines, legend) = ([terminal.styled(heading, .strong)], [String]())
    for row in rows {
      for (place, word) in (row.shown + row.others).enumerated() {
        let seen =
          word.seen(on: revision.day).printable + (word.run.map { ", run \($0)" } ?? "")
        let number = legend.firstIndex(of: seen) ?? legend.count
        if number == legend.count { legend.append(seen) }
        let line = line(word, place == 0 ? row.metric.label : "", row.metric) + "[\(number + 1)]"
        lines.append(
          place < row.shown.count ? line : terminal.styled(line + "  not shown", .faint))
      }
    }
    return lines + [""] + legend.enumerated().map { "  [\($0 + 1)] \($1)" }
  }

  private func line(_ word: Word, _ label: String, _ metric: DailyMetric) -> String {
    let number =
      switch word.reading(of: metric) {
      case .value(let number) where metric.isOfNight: number.asDuration
      case .value(let number):
        units.rounded(number, of: metric)
          + (units.name(of: metric).isEmpty ? "" : " " + units.name(of: metric))
      case let reading: reading.reason
      }
    return "  " + label.padded(to: 24) + number.leftPadded(to: 14) + "  "
      + word.source.rawValue.padded(to: 20) + "  "
  }

  var document: any Encodable {
    [
      "date": revision.date, "revision_id": id, "timezone": revision.day.timeZoneName,
      "metrics": revision.metricSources.map { row in
        [
          "metric": row.metric, "value": revision.reading(of: row.metric).number,
          "status": revision.reading(of: row.metric).status.rawValue,
          "shown": row.shown.map { document(of: $0, row.metric) },
          "others": row.others.map { document(of: $0, row.metric) },
        ] as Document
      },
    ] as Document
  }

  private func document(of word: Word, _ metric: DailyMetric) -> Document {
    let reading = word.reading(of: metric)
    return [
      "source": word.source, "value": reading.number, "status": reading.status.rawValue,
      "captured_at": word.capturedAt, "from": word.extent.from, "to": word.extent.to,
      "timezone": word.zone, "run": word.run,
    ]
  }
}
