import CommandLineKit
import HealthLedger
import HealthModel
import HealthSamples

/// One revision for people: its eight metrics, or why one has no number, and
/// the further ones that it has.
struct RevisionTable {
  let revision: DailyRevision
  let id: RevisionID

  func lines(_ terminal: Terminal) -> [String] {
    let heading = "\(revision.date)  \(revision.day.timeZoneName.printable)  revision \(id)"
    return [terminal.styled(heading, .strong)]
      + shown.map { metric in
        let name = "  " + metric.label.padded(to: 24)
        switch revision.reading(of: metric) {
        case .value(let number):
          return name + " " + number.grouped.leftPadded(to: 9) + " " + metric.unitLabel
        case let reading:
          return name + terminal.styled("-".leftPadded(to: 10) + " (\(reading.reason))", .faint)
        }
      }
  }

  /// The eight, and below them the further metrics that the day has.
  private var shown: [DailyMetric] {
    DailyMetric.inOrder.filter { $0.v0Key != nil || revision.further[$0] != nil }
  }
}
