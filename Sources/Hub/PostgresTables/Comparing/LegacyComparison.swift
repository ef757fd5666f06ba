package import HealthExports
package import HealthModel

/// The rows of this program's tables beside those of the older pipeline: how many there are of each
/// day and type, and whether the numbers agree (R56). Pure.
package struct LegacyComparison {
  /// A row of either table, as far as it is compared.
  package struct Row: Hashable, Sendable {
    /// Seconds since 1970 of what gives the row its date.
    package let moment: Int
    package let timeZoneName: String?
    package let type: String
    package let value: Double?

    package init(moment: Int, timeZoneName: String?, type: String, value: Double?) {
      (self.moment, self.timeZoneName) = (moment, timeZoneName)
      (self.type, self.value) = (type, value)
    }
  }

  package struct Difference: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable {
      /// There are fewer rows than the older table has.
      case fewer
      /// Both have one row, and the numbers are further apart than is tolerated.
      case value
    }

    package let kind: RecordKind
    package let date: CalendarDate
    package let type: String
    package let reason: Reason
    /// Numbers of rows, or the values.
    package let legacy: Double
    package let own: Double
  }

  /// The rows that were compared.
  package private(set) var legacyRows = 0
  package private(set) var ownRows = 0
  /// By kind, date and type.
  package private(set) var differences: [Difference] = []

  private let dates: ClosedRange<CalendarDate>
  private let tolerance: Double
  private let dateOf: (Row) -> CalendarDate?

  /// - Parameters:
  ///   - tolerance: how far apart numbers may be, as a part of the older one.
  ///   - dateOf: the date of a row whose moment is not a midnight of UTC.
  package init(
    _ dates: ClosedRange<CalendarDate>, tolerance: Double,
    dateOf: @escaping (Row) -> CalendarDate?
  ) {
    (self.dates, self.tolerance, self.dateOf) = (dates, tolerance, dateOf)
  }

  /// Compares the rows of one kind.
  package mutating func compare(_ kind: RecordKind, legacy: [Row], own: [Row]) {
    let (old, new) = (grouped(kind, legacy), grouped(kind, own))
    legacyRows += old.values.reduce(0) { $0 + $1.count }
    ownRows += new.values.reduce(0) { $0 + $1.count }
    for key in old.keys.sorted(by: { ($0.date, $0.type) < ($1.date, $1.type) }) {
      let (theirs, ours) = (old[key] ?? [], new[key] ?? [])
      func add(_ reason: Difference.Reason, _ legacy: Double, _ own: Double) {
        differences.append(
          Difference(
            kind: kind, date: key.date, type: key.type, reason: reason, legacy: legacy, own: own))
      }
      if ours.count < theirs.count {
        add(.fewer, Double(theirs.count), Double(ours.count))
      } else if kind == .metrics, theirs.count == 1, ours.count == 1, let old = theirs[0].value,
        let new = ours[0].value, abs(new - old) > abs(old) * tolerance
      {
        add(.value, old, new)
      }
    }
  }

  private struct Key: Hashable {
    let date: CalendarDate
    let type: String
  }

  private func grouped(_ kind: RecordKind, _ rows: [Row]) -> [Key: [Row]] {
    var groups: [Key: [Row]] = [:]
    for row in rows {
      guard let date = date(kind, row), dates.contains(date) else { continue }
      groups[Key(date: date, type: kind == .sleep ? Self.stage(row.type) : row.type), default: []]
        .append(row)
    }
    return groups
  }

  /// Rows of metrics stand at midnight of UTC, or of their zone.
  private func date(_ kind: RecordKind, _ row: Row) -> CalendarDate? {
    if kind == .metrics, row.moment % 86_400 == 0 {
      return Timestamp(secondsSince1970: row.moment).utcDate
    }
    return dateOf(row)
  }

  /// A stage of sleep, however the older pipeline spells it: `Core`, `In Bed`.
  private static func stage(_ text: String) -> String {
    let letters = text.lowercased().filter(\.isLetter)
    return switch letters {
    case "core", "asleepcore": "asleepCore"
    case "deep", "asleepdeep": "asleepDeep"
    case "rem", "asleeprem": "asleepREM"
    case "asleep", "unspecified", "asleepunspecified": "asleepUnspecified"
    case "inbed": "inBed"
    case "awake": "awake"
    default: text
    }
  }
}
