import CommandLineKit
import HealthLedger
import HealthModel
import HealthReport

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
        units.cell(number, of: metric)
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
