import CommandLineKit
import HealthLedger
import HealthModel
import HealthReport

/// Where each number of a day comes from, and what the other sources say (R20).
struct SourcesReport {
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
    return [terminal.styled(heading, .strong)]
      + rows.flatMap { row in
        row.shown.enumerated().map { place, word in
          let label = place == 0 ? row.metric.label : ""
          return line(word, label, row.metric)
        }
          + row.others.map { terminal.styled(line($0, "", row.metric) + "  not shown", .faint) }
      }
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
      + word.source.rawValue.padded(to: 20) + "  " + word.seen(on: revision.day).printable
      + (word.run.map { "  run \($0)" } ?? "")
  }

  /// `--output json`: docs/OUTPUT.md.
  var document: JSONValue {
    .object([
      "date": .string(revision.date.description), "revision_id": .string(id.rawValue),
      "timezone": .string(revision.day.timeZoneName),
      "metrics": .array(
        revision.metricSources.map { row in
          .object([
            "metric": .string(row.metric.rawValue),
            "value": revision.reading(of: row.metric).number.map(JSONValue.number) ?? .null,
            "status": .string(revision.reading(of: row.metric).status.rawValue),
            "shown": .array(row.shown.map { document(of: $0, row.metric) }),
            "others": .array(row.others.map { document(of: $0, row.metric) }),
          ])
        }),
    ])
  }

  private func document(of word: Word, _ metric: DailyMetric) -> JSONValue {
    let reading = word.reading(of: metric)
    return .object([
      "source": .string(word.source.rawValue),
      "value": reading.number.map(JSONValue.number) ?? .null,
      "status": .string(reading.status.rawValue),
      "captured_at": .string(word.capturedAt.description),
      "from": word.extent.from.map { .string($0.description) } ?? .null,
      "to": word.extent.to.map { .string($0.description) } ?? .null,
      "timezone": .string(word.zone),
      "run": word.run.map { .string($0.rawValue) } ?? .null,
    ])
  }
}
