public import HealthModel
public import ObjectStore

extension LedgerError {
  /// What to do about an error or a finding, in the terms of days, revisions and stores.
  ///
  /// No library names a flag, a command or a file of the documentation: it picks a case, and each
  /// front end words it for its readers in an exhaustive `switch` (people at a command line, agents,
  /// the page of a report), so that a new case does not compile until it is worded everywhere. The
  /// type stands beside `LedgerError` because everything above the ledger reports its errors in it;
  /// a store's remedies are `StoreError.Remedy`, a module further down.
  public indirect enum Remedy: Hashable, Sendable {
    /// Plain words that hold in every front end; also what a string literal becomes.
    case text(String)
    /// Several things to do, in this order.
    case all([Remedy])
    /// What the store's error says.
    case store(StoreError.Remedy)

    /// Publish the date again, after what the store needs first.
    case publishAfter(Remedy?, CalendarDate)
    /// The date has no readable revision.
    case publish(CalendarDate)
    /// The date has no revision at all, which may be as it should be.
    case publishOrAllowMissing(CalendarDate)
    /// Several dates have no revision.
    case publishEach
    /// The pointer is behind; a repair or the next publish moves it.
    case movePointer
    /// The pointer is absent, which hinders nobody.
    case awaitPointer
    /// Look at all revisions of the date.
    case listRevisions(of: CalendarDate)
    /// List every finding, not the first ones only.
    case listFindings
    /// The range has more days than were allowed.
    case raiseDayLimit(to: Int)

    /// The input has one day and does not say which.
    case nameTheDate
    /// The input can't be read together with others.
    case publishAlone
    /// The input may be an export of Apple Health.
    case importExport

    /// The folder that a race is to write in holds something.
    case chooseEmptyFolder
  }
}

extension LedgerError.Remedy: ExpressibleByStringInterpolation {
  /// Plain words as they stand.
  public init(stringLiteral words: String) { self = .text(words) }
}

extension LedgerError.Remedy: CustomStringConvertible {
  /// Plain words, as imperative clauses, for programs that word remedies no better.
  public var description: String {
    switch self {
    case .text(let words): words
    case .all(let remedies): remedies.map(\.description).joined(separator: "; ")
    case .store(let remedy): remedy.description
    case .publishAfter(let first, let date):
      (first.map { "\($0), then " } ?? "") + "publish \(date) again: no data is stored twice"
    case .publish: "publish the day again"
    case .publishOrAllowMissing: "publish the day, or allow missing dates"
    case .publishEach: "publish each of them"
    case .movePointer: "repair the pointer, or publish the day again"
    case .awaitPointer:
      "nothing to do: readers list; a repair or the next publish writes it where the store has "
        + "compare-and-swap"
    case .listRevisions(let date): "list the revisions of \(date)"
    case .listFindings: "list every finding"
    case .raiseDayLimit(let days): "ask for a shorter range, or allow \(days) days"
    case .nameTheDate: "add \"date\", or say which day it is"
    case .publishAlone: "publish it alone"
    case .importExport: "if it is Apple Health's export, import it"
    case .chooseEmptyFolder: "choose an empty one"
    }
  }
}
