package import HealthLedger
package import HealthModel

package struct DayNote: Hashable, Sendable {
  /// Nil for a remark on an input as a whole.
  package let date: CalendarDate?
  /// Notes of one kind on several days share a line.
  package let kind: String
  /// What it says if it stands alone.
  package let text: String
  /// The text for all days of its kind.
  package let shared: String

  package init(
    on date: CalendarDate?, kind: String, _ text: String, ofSeveral shared: String
  ) {
    (self.date, self.kind, self.text, self.shared) = (date, kind, text, shared)
  }

  /// A remark as JSON output has it: one on a day begins with its date.
  package init(_ note: String) {
    guard let date = CalendarDate(note.prefix(10)), note.dropFirst(10).hasPrefix(": ") else {
      self.init(on: nil, kind: note, note, ofSeveral: note)
      return
    }
    let text = String(note.dropFirst(12))
    let shared = Self.withoutPlace(text)
    self.init(on: date, kind: shared, text, ofSeveral: shared)
  }

  /// `/days/3/mood` as `/mood`: a day's place in its input differs from day to day, and the
  /// date says which one is meant.
  private static func withoutPlace(_ text: String) -> String {
    let prefix = "/days/"
    guard text.hasPrefix(prefix) else { return text }
    let rest = text.dropFirst(prefix.count).drop { $0.isASCII && $0.isNumber }
    return rest.hasPrefix("/") ? String(rest) : text
  }
}

/// Remarks as lines for people: a remark that holds for many days is printed once, with their dates.
package struct DayNotes {
  /// One kind of note, in the order of the notes.
  private var kinds: [[DayNote]] = []

  private static let mostLines = 10

  package init(_ notes: some Sequence<DayNote>) {
    var places: [[String]: Int] = [:]
    for note in notes {
      // A remark on the whole input is never one on a day.
      let kind = [note.date == nil ? "input" : "day", note.kind]
      if let place = places[kind] {
        kinds[place].append(note)
      } else {
        places[kind] = kinds.count
        kinds.append([note])
      }
    }
  }

  /// The first lines, and how many notes they leave out.
  ///
  /// - Parameter place: what has all notes, such as `--output json`; nil if nothing has.
  package func lines(allIn place: String?) -> [String] {
    let lines = kinds.flatMap { Self.lines(of: $0) }
    // A last line takes no more room than the remark that it was left out.
    let shown = lines.count <= Self.mostLines + 1 ? lines.count : Self.mostLines
    let left = lines.dropFirst(shown).reduce(0) { $0 + $1.count }
    guard left > 0 else { return lines.prefix(shown).map(\.text) }
    let rest = place.map { "; \($0) has all" } ?? ""
    return lines.prefix(shown).map(\.text) + ["and \(left.grouped) more\(rest)"]
  }

  /// All notes, each once.
  package var all: [String] { kinds.flatMap { Self.alone($0) }.map(\.text) }

  /// The lines of one kind, each with the number of its notes.
  private static func lines(of notes: [DayNote]) -> [(text: String, count: Int)] {
    let dates = Set(notes.compactMap(\.date)).sorted()
    guard dates.count > 1, let first = notes.first else { return alone(notes) }
    let isSame = notes.allSatisfy { $0.shared == first.shared }
    let text = isSame ? first.shared : first.shared + ", and others of this kind"
    return [(text: "\(dates.extent): \(text)", count: notes.count)]
  }

  /// The notes on one day or on the input, each once.
  private static func alone(_ notes: [DayNote]) -> [(text: String, count: Int)] {
    var said: Set<String> = []
    return notes.filter { said.insert($0.text).inserted }.map { note in
      (text: (note.date.map { "\($0): " } ?? "") + note.text, count: 1)
    }
  }
}

extension CalendarDate {
  /// The days from this date to another, for people: `2026-02-01 to 2026-02-28 (28 days)`.
  ///
  /// - Parameter count: how many of the days are meant.
  package func extent(to last: CalendarDate, days count: Int) -> String {
    count == 1 ? "\(self)" : "\(self) to \(last) (\(count.grouped) days)"
  }
}

extension [CalendarDate] {
  /// Dates in their order, for people: a few runs of consecutive dates, or from the first to the
  /// last with their number.
  fileprivate var extent: String {
    guard let first, let last else { return "" }
    let runs = DateRuns(self).runs
    if runs.count == 1 { return first.extent(to: last, days: count) }
    guard runs.count > 3 else {
      let words = runs.map { run in
        run.count == 1 ? "\(run.first)" : "\(run.first) to \(run.last)"
      }
      return words.joined(separator: ", ") + " (\(count.grouped) days)"
    }
    let spanned = first.days(until: last) + 1
    return "\(first) to \(last) (\(count.grouped) of \(spanned.grouped) days)"
  }
}

extension RejectedRevision {
  package var why: String {
    switch reason {
    case .missing: "the pointer names it, and it does not exist"
    case .invalid(let violations):
      violations.first.map { first in
        violations.count == 1 ? first.line : "\(first.line), and \(violations.count - 1) more"
      } ?? "not valid"
    }
  }

  /// How a command that reads the day describes it.
  package func note(on date: CalendarDate) -> DayNote {
    DayNote(
      on: date, kind: "skipped \(kind)", "skipped revision \(id): \(why)",
      ofSeveral: "skipped revisions: \(why)")
  }

  private var kind: String {
    switch reason {
    case .missing: ""
    case .invalid(let violations): violations.first?.kind ?? ""
    }
  }
}

extension StoredRevision {
  /// How a command that reads the day describes the rules that the revision breaks although it is
  /// readable (R41).
  package func nonconformities(on date: CalendarDate) -> [DayNote] {
    violations.map { violation in
      DayNote(
        on: date, kind: "nonconforming \(violation.kind)",
        "revision \(id) does not conform: \(violation.line)",
        ofSeveral: "revisions that do not conform: \(violation.line)")
    }
  }
}

extension Resolution {
  /// What a command that shows the day's numbers, or hands them on, must say of them: what was
  /// skipped, and which rules the answer breaks.
  package var notes: [DayNote] {
    rejected.map { $0.note(on: date) } + (latest?.nonconformities(on: date) ?? [])
  }
}

extension Violation {
  package var line: String { "\(message)\(pointer.isEmpty ? "" : " at \(pointer)") [\(rule)]" }

  /// What violations of several days have in common that are reported together.
  fileprivate var kind: String { "\(rule) \(code) \(pointer)" }
}
