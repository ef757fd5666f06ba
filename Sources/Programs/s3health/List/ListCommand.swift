import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// `ls`: lists the days that the store holds and the gaps between them.
struct ListCommand: PeopleStoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the days in the store and the gaps between them.",
    discussion: """
      Lists object names only and reads no documents, so it is fast. Use `verify` to check whether \
      days are readable. Without dates it lists the whole store.

        s3health ls
        s3health ls 12w
        s3health ls 2026 --output json
        s3health ls --people
      """)

  @OptionGroup var span: SpanOptions
  @OptionGroup var people: PeopleOptions

  @OptionGroup var zone: ZoneOption
  var timezone: String? { zone.timezone }

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  static let doing = "listing"
  static let columns = ["days", "missing", "revisions", "newest"]

  func report(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> HoldingsReport {
    let today = try settings.today
    let (from, to) = try span.ends(settings, upTo: nil)
    if let from, let to { _ = try DateRange(from: from, to: to, maximumDays: .max) }
    let holdings = try await opened.counting("listing day") {
      ledger, advance async throws(LedgerError) in
      try await ledger.holdings(from: from, to: to, progress: advance)
    }
    return HoldingsReport(holdings, of: opened.name, from: from, to: to, today: today)
  }
}

/// What `ls` found.
struct HoldingsReport: PersonReport, Encodable {
  let store: String
  /// The requested ends; nil for no limit.
  let from, to: CalendarDate?
  let daysHeld, daysMissing, revisions, foreignObjects: Int
  let held, gaps: [Extent]
  /// The newest revision of the newest day, and the one that was made last.
  let newest, lastMade: Place?
  @TextOnly private var today: CalendarDate

  struct Extent: Encodable {
    let from, to: CalendarDate
    let days: Int
    /// Nil for a gap.
    @OmittedIfNil var revisions: Int? = nil
  }

  struct Place: Encodable, Equatable {
    let date: CalendarDate
    let revisionId: RevisionID
    let generatedAt: Timestamp

    init(_ place: Holdings.Place) {
      (date, revisionId, generatedAt) = (place.date, place.id, place.id.timestamp)
    }
  }

  init(
    _ holdings: Holdings, of store: String, from: CalendarDate?, to: CalendarDate?,
    today: CalendarDate
  ) {
    (self.store, self.from, self.to, self.today) = (store, from, to, today)
    (daysHeld, revisions) = (holdings.days, holdings.revisions)
    foreignObjects = holdings.foreignObjects
    held = holdings.runs.map { run in
      Extent(from: run.first, to: run.last, days: run.days, revisions: run.revisions)
    }
    // Dates in the future are not missing, and today is not over.
    gaps = holdings.gaps(from: from, to: to.map { min($0, today) }).map { gap in
      Extent(
        from: gap.lowerBound, to: gap.upperBound,
        days: gap.lowerBound.days(until: gap.upperBound) + 1)
    }
    daysMissing = gaps.reduce(0) { $0 + $1.days }
    (newest, lastMade) = (holdings.newest.map(Place.init), holdings.lastMade.map(Place.init))
  }

  var isEmpty: Bool { held.isEmpty }

  var cells: [String] {
    [daysHeld.grouped, daysMissing.grouped, revisions.grouped, newest.map { "\($0.date)" } ?? ""]
  }

  /// The most lines of days and gaps to show. The newest are shown.
  private static let maximumLines = 60

  func lines(_ terminal: Terminal) -> [String] {
    let title = terminal.styled(store.printable, .strong) + spanWords(from, to)
    guard !held.isEmpty else { return [title, "no days stored"] }
    let rows = (held + gaps).sorted { $0.from < $1.from }.map { extent in
      let rest =
        extent.revisions.map { $0.grouped.leftPadded(to: 9) }
        ?? terminal.styled("missing".leftPadded(to: 9), .bad)
      return "\(extent.from)  \(extent.to)  \(extent.days.grouped.leftPadded(to: 8))  \(rest)"
    }
    let left = rows.count - Self.maximumLines
    let omitted =
      left > 0 ? ["(\(left.grouped) older lines are omitted; --output json has all)"] : []
    let head = terminal.styled("from        to              days  revisions", .strong)
    return [title, "", head] + omitted + rows.suffix(Self.maximumLines) + ["", total] + newestLines
  }

  private var total: String {
    let missing =
      gaps.isEmpty ? "no gap" : "\(daysMissing.grouped) missing in \(gaps.count.counted("gap"))"
    let foreign =
      switch foreignObjects {
      case 0: ""
      case 1: "; 1 object that doesn't belong to the ledger"
      case let count: "; \(count.grouped) objects that don't belong to the ledger"
      }
    return "\(daysHeld.counted("day")) stored, \(missing)\(foreign)"
  }

  private var newestLines: [String] {
    guard let newest, let lastMade else { return [] }
    let line =
      "newest day  \(newest.date), \(newest.date.ago(today)): revision \(newest.revisionId)"
    guard lastMade != newest else { return [line] }
    return [line, "last made   revision \(lastMade.revisionId) of \(lastMade.date)"]
  }
}
