import CommandLineKit
import HealthModel
import HealthReport
import HealthSources

/// Where each number of a day came from, for people.
struct ExplanationReport: CommandResult {
  let explanation: DayExplanation

  var document: any Encodable { explanation.json }

  func lines(_ terminal: Terminal) -> [String] {
    let day = explanation
    let hours = (Double(day.day.count) / 3600).grouped
    var lines = [
      terminal.styled("\(day.date)", .strong),
      "  time zone   \(day.zone)",
      "  day         \(Self.clock(day.start)) to \(Self.clock(day.end)), \(hours) hours",
      "  night       \(Self.clock(day.nightStart)) to \(Self.clock(day.nightEnd))",
    ]
    for metric in day.metrics { lines += [""] + section(metric, terminal) }
    if day.metrics.contains(where: { $0.sources.count > 1 }) {
      lines += ["", terminal.styled(Self.legend, .faint)]
    }
    return lines + day.notes.map { "note: \($0.printable)" }
  }

  private static let legend = """
    alone: the number if this were the only source. counted: what the source adds to ours.
    overlap: the part of it that better sources, above it, had seen; not counted again.
    """

  /// The heading of a metric, a row for each of its sources, and what was left out.
  private func section(_ metric: MetricExplanation, _ terminal: Terminal) -> [String] {
    let unit = metric.metric.plainUnit
    let value = metric.reading.number.map { $0.grouped + (unit.isEmpty ? "" : " " + unit) }
    var heading = terminal.styled(
      "\(metric.metric.label)  \(value ?? metric.reading.reason)", .strong)
    if let apple = metric.apple {
      let verdict = apple.agrees ? "" : ", which differs by more than 2 %"
      heading += terminal.styled(
        "   Apple's own figure: \(apple.apple.grouped)\(verdict)",
        apple.agrees ? .faint : .doubtful)
    }
    guard !metric.sources.isEmpty else { return [heading] }
    let names = metric.sources.map(\.label)
    let width = nameWidth(terminal)
    let head =
      "  " + "source".padded(to: width) + "samples".leftPadded(to: 9)
      + "alone".leftPadded(to: 11) + "counted".leftPadded(to: 11) + "overlap".leftPadded(to: 9)
    var lines = [heading, terminal.styled(head, .faint)]
    for (name, source) in zip(names, metric.sources) {
      lines.append("  " + Self.fitted(name, width) + Self.cells(source))
      for (reason, count) in source.leftOut.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        lines.append("    \(count.grouped) left out: \(reason.sentence)")
      }
    }
    return lines
  }

  /// The same for all metrics, so that their columns stand under one another.
  private func nameWidth(_ terminal: Terminal) -> Int {
    let longest = explanation.metrics.flatMap(\.sources).map(\.label.count).max() ?? 0
    return min(max(20, longest), max(20, terminal.width - 44))
  }

  private static func cells(_ source: SourceContribution) -> String {
    let number = { (number: Double?) in
      (number?.groupedToTenths ?? "-").leftPadded(to: 11)
    }
    let part = overlap(source).map { $0 < 0.01 ? "< 1 %" : "\(Int($0 * 100)) %" } ?? "-"
    return source.samples.grouped.leftPadded(to: 9) + number(source.alone)
      + number(source.counted) + part.leftPadded(to: 9)
  }

  /// The part of a source's sum that better sources had seen; nil where they had seen nothing.
  private static func overlap(_ source: SourceContribution) -> Double? {
    guard source.coveredSeconds > 0, source.seconds > 0 else { return nil }
    guard let alone = source.alone, let counted = source.counted, alone > 0 else {
      return Double(source.coveredSeconds) / Double(source.seconds)
    }
    return max(0, 1 - counted / alone)
  }

  private static func fitted(_ name: String, _ width: Int) -> String {
    name.count <= width ? name.padded(to: width) : name.prefix(width - 1) + "…"
  }

  /// `2024-06-08 00:00 +02:00`.
  private static func clock(_ moment: ReportingDay.LocalMoment) -> String {
    let text = "\(moment)"
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) \(text.dropFirst(19))"
  }
}

extension DayExplanation {
  /// Seconds since 1970, half-open.
  fileprivate var day: Range<Int> {
    start.timestamp.secondsSince1970..<end.timestamp.secondsSince1970
  }
}

extension SourceContribution {
  /// `Ann's Watch, watch`, with the hardware where the name does not say what it is.
  fileprivate var label: String {
    let name = name.isEmpty ? "without a name" : name.printable
    let label = hardware.isEmpty ? name : "\(name) (\(hardware.printable))"
    return place == "by_hand" ? label + ", by hand" : label
  }
}
