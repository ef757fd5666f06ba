import HealthModel

/// How many rows of a payload are in no day, by metric. It holds names of the catalogue and counts, nothing that
/// a client chose and no value, so a log may have it (R54).
package struct LostRows: Hashable, Sendable {
  private var rows: [String: Int] = [:]

  /// Most metrics that are named.
  private static let named = 8
  /// What stands for metrics that the catalogue does not have, for rows without a number, and for payloads of
  /// rows that are too long.
  static let (unknown, empty, coarse) = (
    "unknown metrics", "without a number", "by the week or longer"
  )

  package init() {}

  mutating func add(_ count: Int = 1, of name: String) {
    if count > 0 { rows[name, default: 0] += count }
  }

  /// Counts those of another part of the payload too.
  package mutating func take(_ other: LostRows) { rows.merge(other.rows, uniquingKeysWith: +) }

  /// `step_count 3, unknown metrics 12`; nil where nothing was lost.
  package var words: String? {
    guard !rows.isEmpty else { return nil }
    let sorted = rows.sorted { $0.key < $1.key }
    let names = sorted.prefix(Self.named).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return sorted.count > Self.named ? names + " and \(sorted.count - Self.named) more" : names
  }
}
