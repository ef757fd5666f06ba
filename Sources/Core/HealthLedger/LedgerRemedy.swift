public import HealthModel
public import ObjectStore

extension LedgerError {
  /// What to do about an error or a finding, in terms of days, revisions and stores.
  ///
  /// Libraries name no option, no command and no file of the documentation. They pick a case, and
  /// each front end (command line, agents, report page) words it for its users in an exhaustive
  /// `switch`, so that a new case does not compile until it has been worded everywhere. The type is
  /// next to `LedgerError` because everything above the ledger reports its errors in that type. A
  /// store's remedies are `StoreError.Remedy`, in a lower module.
  public indirect enum Remedy: Hashable, Sendable {
    /// Plain words that suit every front end. A string literal becomes this case.
    case text(String)
    /// Several things to do, in this order.
    case all([Remedy])
    /// The remedy of the store's error.
    case store(StoreError.Remedy)

    /// Publish the date again, after doing what the store needs first.
    case publishAfter(Remedy?, CalendarDate)
    /// The date has no readable revision.
    case publish(CalendarDate)
    /// The date has no revision at all, which may be intended.
    case publishOrAllowMissing(CalendarDate)
    /// Several dates have no revision.
    case publishEach
    /// The pointer is behind. A repair or the next publish moves it.
    case movePointer
    /// The pointer is absent, which affects nobody.
    case awaitPointer
    /// Look at all revisions of the date.
    case listRevisions(of: CalendarDate)
    /// List every finding, not only the first ones.
    case listFindings
    /// The range has more days than were allowed.
    case raiseDayLimit(to: Int)

    /// The input has one day but does not name it.
    case nameTheDate
    /// The input can't be read together with other inputs.
    case publishAlone
    /// The input may be an Apple Health export.
    case importExport

    /// The folder for a race is not empty.
    case chooseEmptyFolder
  }
}

extension LedgerError.Remedy: ExpressibleByStringInterpolation {
  /// Plain words, unchanged.
  public init(stringLiteral words: String) { self = .text(words) }
}

extension LedgerError.Remedy: CustomStringConvertible {
  /// Plain words as imperative clauses, for programs without their own wording.
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
      "nothing to do: readers list the revisions. A repair or the next publish writes it if the "
        + "store has compare-and-swap"
    case .listRevisions(let date): "list the revisions of \(date)"
    case .listFindings: "list every finding"
    case .raiseDayLimit(let days): "ask for a shorter range, or allow \(days) days"
    case .nameTheDate: "add \"date\", or give the date separately"
    case .publishAlone: "publish it alone"
    case .importExport: "if it is Apple Health's export, import it"
    case .chooseEmptyFolder: "choose an empty one"
    }
  }
}
