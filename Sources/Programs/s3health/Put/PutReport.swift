import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// What `put` did with each day.
struct PutReport: CommandResult {
  private let opened: OpenedStore
  private let inputNotes: [String]
  private let isDryRun: Bool
  private let outcomes: DayOutcomes

  init(_ opened: OpenedStore, notes: [String], _ outcomes: DayOutcomes, isDryRun: Bool) {
    (self.opened, inputNotes, self.outcomes) = (opened, notes, outcomes)
    self.isDryRun = isDryRun
  }

  /// Success only if every day succeeded.
  var exitCode: ExitCode { outcomes.exitCode }

  func remark(_ format: OutputFormat) {
    outcomes.sayErrors()
    guard format == .text else { return }
    StandardStreams.remark(notes: notes)
    outcomes.sayRun()
  }

  /// Remarks on the input and the store.
  var notes: [String] {
    inputNotes + outcomes.notes(opened)
  }

  /// A line for each day and, for several, a summary.
  func lines(_ terminal: Terminal) -> [String] {
    var lines = dayLines(terminal)
    if outcomes.rows.count > 1 {
      let parts = [outcomes.summary] + outcomes.earlierNumbers
      lines.append(parts.joined(separator: "; "))
    }
    return lines
  }

  private func dayLines(_ terminal: Terminal) -> [String] {
    let width = outcomes.rows.map(\.outcome.words.count).max() ?? 0
    var lines: [String] = []
    var rest = outcomes.rows[...]
    while let row = rest.first {
      // Consecutive days of which nothing was published are reported in one line.
      let alike =
        row.isPlain ? rest.prefix { $0.outcome == row.outcome && $0.isPlain } : rest.prefix(1)
      let count = alike.count
      let word = row.outcome.words.padded(to: width)
      let extent = row.date.extent(to: alike.last?.date ?? row.date, days: count)
      var line = "\(terminal.styled(word, row.style))  \(extent)"
      if count == 1, let id = row.id { line += "  \(id)" }
      if row.isStored, row.earlier.areSame {
        line += "  (the figures stay as they are)"
      } else if row.replaced != nil {
        line += isDryRun ? "  (the data has changed)" : "  (changed)"
      }
      let indent = "".padded(to: width + 2)
      lines += [line] + remarks(on: row).map { indent + terminal.styled($0, .faint) }
      rest = rest.dropFirst(count)
    }
    return lines
  }

  /// What else there is to say of a day, below its line.
  private func remarks(on row: DayOutcomes.Row) -> [String] {
    var remarks = EarlierNumbers.Kind.allCases.compactMap { kind in
      let count = row.earlier.metrics(kind).count
      return count > 0 ? kind.words(count) : nil
    }
    if row.outcome == .superseded, let latest = row.latest {
      remarks.append("a newer revision is there already: \(latest)")
    }
    if row.outcome == .pointerSkipped {
      remarks.append("without latest.json: readers list the revisions")
    }
    return remarks
  }

  var document: any Encodable { members }

  var members: Document {
    [
      "run": outcomes.storedRun, "store": opened.name, "dry_run": isDryRun, "notes": notes,
      "results": outcomes.results(opened.ledger.layout), "new_days": outcomes.newDays,
      "changed_days": outcomes.changedDays,
    ]
  }
}

extension DayOutcomes.Row {
  /// Whether nothing was published, and there is nothing to say about it.
  fileprivate var isPlain: Bool {
    switch outcome {
    case .failed, .notAttempted: true
    case .unchanged, .wouldBeUnchanged:
      EarlierNumbers.Kind.allCases.allSatisfy { earlier.metrics($0).isEmpty }
    case .published, .superseded, .pointerSkipped, .wouldPublish: false
    }
  }
}

extension DayOutcomes.Outcome {
  /// For people; what is special about it stands at the end of its line.
  fileprivate var words: String {
    switch self {
    case .pointerSkipped, .superseded: "published"
    default: rawValue.replacing("_", with: " ")
    }
  }
}
