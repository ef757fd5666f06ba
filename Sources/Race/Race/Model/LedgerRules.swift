import HealthLedger
import HealthModel

/// The machines of the ledger, as they are or with a fault, and the documents of a race. Any number of
/// worlds share them.
package final class LedgerRules {
  let flaw: LedgerFlaw?
  var automata: Automata
  /// The first state of each writer, with and without a pointer to move.
  private var firstNodes: [Bool: [Int32]] = [:]
  let readerNode: Int32
  let older: LedgerState.Stored
  let junk: Int

  /// The most writers of a scenario.
  static let maximumWriters = 4

  init(_ flaw: LedgerFlaw?, countsSends: Bool = true) throws {
    self.flaw = flaw
    guard let date = CalendarDate(RaceDay.text) else {
      throw ReportingDay.Failure.unknownTimeZone(RaceDay.text)
    }
    let day = try ReportingDay(date: date, timeZoneName: "UTC")
    func draft(_ number: Int) throws -> DayDraft {
      // The one after the writers' is the first writer's source, read long before any id that a clock of a race
      // can give.
      let isOutdated = number == Self.maximumWriters
      guard let source = DataSource(rawValue: "writer-\(isOutdated ? 0 : number)") else {
        throw ReportingDay.Failure.unknownTimeZone("")
      }
      return DayDraft(
        day: day, collector: RaceDay.collector, source: source,
        readings: [.steps: .value(Double(number))],
        capturedAt: isOutdated ? RaceDay.noon.adding(seconds: -700_000_000) : RaceDay.noon)
    }
    automata = Automata(date: date, countsSends: countsSends)
    automata.codes.words = try (0...Self.maximumWriters).flatMap { try draft($0).words }
    for index in 0...Self.maximumWriters {
      for movesPointer in [true, false] {
        firstNodes[movesPointer, default: []].append(
          try automata.start(draft(index), movesPointer: movesPointer, flaw: flaw))
      }
    }
    readerNode = automata.startReader()
    let moment = RaceDay.noon.adding(seconds: -7200)
    let id = RevisionID(at: moment, entropy: 0x1)
    older = LedgerState.Stored(
      id: Codes.id(id),
      body: automata.codes.body(try draft(99).revision(at: moment).encoded, id))
    junk = automata.codes.body(Array("{}".utf8), id)
    _ = automata.codes.pointer(Codes.corrupt)
  }

  /// The state in which a writer with this draft begins.
  func first(_ draft: Int, movesPointer: Bool) -> Int32 {
    firstNodes[movesPointer]?[draft] ?? LedgerState.Client.done
  }
}
