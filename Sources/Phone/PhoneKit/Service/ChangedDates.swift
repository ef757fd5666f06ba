import Foundation
import HealthCollector
import HealthModel
import HealthStreams
import ObjectStore

/// The dates of which Health has news, however old they are, found by an anchor for each type. In a small
/// file, so that no news is lost between two runs. A damaged file counts as a missing one.
struct ChangedDates {
  private struct Feed: Codable {
    var anchor: Data
    /// Whether it was read to its end once. What is found before is the past, which is sent as a whole.
    var isRead: Bool
  }

  private struct Kept: Codable {
    var feeds: [String: Feed] = [:]
    var dates: Set<String> = []
    /// The feeds of which something was deleted, by date. Absent in files of older versions.
    var deleted: [String: Set<String>]?
  }

  private let file: String
  private var kept = Kept()
  /// Anchors of 130 types, and the dates of 30 years.
  private static let maximumBytes = 1 << 20

  init(file: String) {
    self.file = file
    if let bytes = try? SmallFile.read(file, maximumBytes: Self.maximumBytes),
      let read = try? JSONDecoder().decode(Kept.self, from: Data(bytes))
    {
      kept = read
    }
  }

  /// The dates, the newest first.
  var dates: [CalendarDate] { kept.dates.compactMap { CalendarDate($0) }.sorted(by: >) }

  /// The feeds of which something was deleted on a date. What the date has no number of now it may have had one
  /// of, and whoever was told that number has to hear that there is none.
  func deleted(on date: CalendarDate) -> Set<String> { kept.deleted?["\(date)"] ?? [] }

  /// Reads a feed from its anchor to its end.
  ///
  /// - Parameters:
  ///   - end: dates from it on are looked at anyway, so only what was deleted on them is news.
  ///   - touched: the dates that entries touch.
  nonisolated(nonsending) mutating func read(
    _ feed: String, from source: any SampleSource, before end: CalendarDate,
    touched: ([StreamEntry]) throws -> Set<CalendarDate>
  ) async throws {
    let isNews = kept.feeds[feed]?.isRead ?? false
    var isComplete = false
    while !isComplete {
      try Task.checkCancellation()
      let anchor = kept.feeds[feed].map { [UInt8]($0.anchor) }
      let changes = try await source.changes(of: feed, since: anchor)
      if isNews {
        let deleted = try touched(changes.deleted)
        var feeds = kept.deleted ?? [:]
        for date in deleted { feeds["\(date)", default: []].insert(feed) }
        kept.deleted = feeds
        let dates = try touched(changes.added).union(deleted).filter { $0 < end }
        kept.dates.formUnion(dates.map(\.description))
      }
      isComplete = changes.isComplete
      kept.feeds[feed] = Feed(anchor: Data(changes.newAnchor), isRead: isNews || isComplete)
    }
  }

  /// The records of these dates were sent.
  mutating func remove(_ dates: [CalendarDate]) {
    kept.dates.subtract(dates.map(\.description))
    for date in dates { kept.deleted?["\(date)"] = nil }
  }

  /// What can't be kept is found again from the anchors that are.
  func save() {
    guard let bytes = try? JSONEncoder().encode(kept) else { return }
    try? SmallFile.replace(file, with: [UInt8](bytes))
  }
}
