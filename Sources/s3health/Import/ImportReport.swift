import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources
import Intake
import StoreAccess

/// What an import read and did, as text for people and as the document of docs/OUTPUT.md.
struct ImportReport {
  let source: ImportedSource
  let span: ImportSpan
  let opened: OpenedStore
  let isDryRun: Bool
  let outcomes: DayOutcomes

  func print(_ format: OutputFormat) throws(LedgerError) {
    outcomes.sayErrors()
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      StandardStreams.remark(notes: allNotes)
      let terminal = Terminal.standardOutput()
      var lines = heading(terminal)
      if isDryRun { lines += DayTable(span.days, outcomes).lines(terminal) + [""] }
      lines.append(summary(terminal))
      try StandardStreams.writeLine(lines.joined(separator: "\n"))
    }
  }

  var allNotes: [String] {
    outcomes.notes(opened) + source.notes.map(\.words)
      + span.days.flatMap { day in day.notes.map { "\(day.date): \($0)" } }
  }
}
