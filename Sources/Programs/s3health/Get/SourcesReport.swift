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

  /// What the day's sources say of one metric.
  private struct Row {
    let metric: DailyMetric
    /// The words that the day shows: several where parts of the day add up.
    let shown: [Word]
    /// The others that have a number, or a reason for none, the latest first.
    let others: [Word]
  }

  private var rows: [Row] {
    let words = revision.allWords
    let figures = Fold(words).figures
    return DailyMetric.inOrder.compactMap { metric in
      let group = WordGroup(of: metric)
      guard revision.readings[metric] != nil, let figure = figures[group] else { return nil }
      let others = words.sorted.filter { $0.group == group && !figure.words.contains($0) }
        .sorted { $0.capturedAt > $1.capturedAt }
      // Of a metric of which nobody has a number there is nothing to explain.
      guard (figure.words + others).contains(where: { $0.reading(of: metric).number != nil }) else {
        return nil
      }
      return Row(metric: metric, shown: figure.words, others: others)
    }
  }

  func lines(_ terminal: Terminal) -> [String] {
    let heading = "\(revision.date)  \(revision.day.timeZoneName.printable)  revision \(id)"
    let rows = rows
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
      + word.source.rawValue.padded(to: 20) + "  " + seen(word, metric)
  }

  /// What of the day the source could see, and when it was read.
  private func seen(_ word: Word, _ metric: DailyMetric) -> String {
    let span = metric.isOfNight ? "the night" : "the day"
    let part =
      switch (word.extent.from, word.extent.to) {
      case (nil, nil): "all of \(span)"
      case (nil, let to?): "\(span) until \(clock(to))"
      case (let from?, nil): "\(span) from \(clock(from))"
      case (let from?, let to?): "\(clock(from)) to \(clock(to))"
      }
    let zone = word.zone == revision.day.timeZoneName ? "" : " in \(word.zone.printable)"
    return "\(part)\(zone), read \(word.capturedAt)"
  }

  /// The time of day, by the clock of the day's zone.
  private func clock(_ moment: Timestamp) -> String {
    let offset = try? ReportingDay.offsetSeconds(
      at: moment, timeZoneName: revision.day.timeZoneName)
    let local = ReportingDay.LocalMoment(
      timestamp: moment, offsetSeconds: offset ?? revision.day.start.offsetSeconds)
    return String(local.description.dropFirst(11).prefix(5))
  }

  /// `--output json`: docs/OUTPUT.md.
  var document: JSONValue {
    .object([
      "date": .string(revision.date.description), "revision_id": .string(id.rawValue),
      "timezone": .string(revision.day.timeZoneName),
      "metrics": .array(
        rows.map { row in
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
    ])
  }
}
