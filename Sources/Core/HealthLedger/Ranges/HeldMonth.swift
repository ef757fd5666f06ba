import ContentDigests
package import HealthModel
import ObjectStore

/// What a listing shows of the days of one month (R34).
package struct HeldMonth {
  /// `YYYY-MM`.
  package let name: String
  /// The days of which a revision or a pointer is listed, the oldest first. A pointer may be all that is
  /// left of a day.
  package private(set) var dates: [CalendarDate] = []
  private var digest = ContentDigest()

  init(_ date: CalendarDate) { name = Self.name(of: date) }

  static func name(of date: CalendarDate) -> String { String("\(date)".dropLast(3)) }

  /// Another text if an object of the month came, went, or was written again.
  package var fingerprint: String { digest.hex() }

  /// Adds the next listed object.
  mutating func add(_ member: LedgerLayout.Member, _ entry: ListEntry) {
    switch member {
    case .revision(let date, _), .pointer(let date): if dates.last != date { dates.append(date) }
    case .foreign: break
    }
    let parts = [
      entry.key, "\(entry.size)", entry.etag?.rawValue ?? "", "\(entry.lastModified ?? 0)",
    ]
    digest.update(Array(parts.joined(separator: "\n").utf8))
  }
}
