import HealthLedger
import HealthModel

/// One revision for people: its eight metrics, or why one has no number.
struct RevisionTable {
  let revision: DailyRevision
  let id: RevisionID

  func lines(_ terminal: Terminal) -> [String] {
    let heading = "\(revision.date)  \(revision.day.timeZoneName.printable)  revision \(id)"
    return [terminal.styled(heading, .strong)]
      + Metric.allCases.map { metric in
        let name = "  " + metric.label.padded(to: 24)
        switch revision.readings[metric] ?? .noData {
        case .value(let number):
          return name + number.grouped.leftPadded(to: 10) + " " + metric.unit
        case let reading:
          return name + terminal.styled("-".leftPadded(to: 10) + " (\(reading.reason))", .faint)
        }
      }
  }
}
