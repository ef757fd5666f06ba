import HealthModel

/// One aggregated sleep row: a whole night, or a nap.
struct SleepSummary: Hashable {
  /// The day in which the night ends.
  let night: CalendarDate
  /// Minutes; nil where the row has no data on it.
  let asleep: Double?
  let inBed: Double?
  let stages: SleepStageMinutes
  /// From falling asleep to waking, and the time in bed; nil where the row does not say.
  let asleepRange: Range<Int>?
  let inBedRange: Range<Int>?
}

/// The minutes of the stages in an aggregated row; nil where HealthKit had no sample of one, for
/// which the app writes 0.
struct SleepStageMinutes: Hashable {
  private var core: Double?
  private var deep: Double?
  private var rem: Double?
  private var awake: Double?

  /// - Parameter factor: the minutes in the unit of the members.
  init(core: Double?, deep: Double?, rem: Double?, awake: Double?, factor: Double) {
    func minutes(_ time: Double?) -> Double? { time.flatMap { $0 > 0 ? $0 * factor : nil } }
    (self.core, self.deep, self.rem) = (minutes(core), minutes(deep), minutes(rem))
    self.awake = minutes(awake)
  }

  /// Whether any stage of sleep is.
  var areKnown: Bool { core != nil || deep != nil || rem != nil }

  subscript(value: SleepValue) -> Double? {
    switch value {
    case .asleepCore: core
    case .asleepDeep: deep
    case .asleepREM: rem
    case .awake: awake
    case .inBed, .asleepUnspecified: nil
    }
  }
}

/// The time asleep in the members of an aggregated row, all in one unit.
struct SleepParts {
  var total: Double?
  var asleep: Double?
  var core: Double?
  var deep: Double?
  var rem: Double?

  /// `totalSleep` where it is given; else the stages and what is asleep without a stage.
  ///
  /// Some versions give the sum of the stages as `asleep`: then the two together exceed `extent`,
  /// the time from falling asleep to waking, and `asleep` alone is the answer.
  ///
  /// - Parameter minute: one minute in the unit of the members.
  func time(extent: Double?, minute: Double) -> Double? {
    let given = [core, deep, rem].compactMap { $0 }
    let stages = given.reduce(0, +)
    let unstaged = asleep ?? 0
    if let total, total > 0 || stages + unstaged == 0 { return total }
    guard !given.isEmpty else { return asleep }
    let isSum =
      stages > 0
      && (extent.map { unstaged >= stages - minute && stages + unstaged > $0 + minute }
        ?? (abs(unstaged - stages) <= minute))
    return isSum ? unstaged : stages + unstaged
  }
}

/// Minutes of sleep by night from aggregated rows, of which successive exports repeat some.
enum SleepSummaries {
  /// A part of each night.
  static func minutes(of part: NightPart, _ rows: [SleepSummary]) -> [CalendarDate: Double] {
    switch part {
    case .asleep: merge(asleep(rows).map { ($0.night, $0.asleep, $0.asleepRange) })
    case .value(.inBed): merge(rows.map { ($0.night, $0.inBed, $0.inBedRange) })
    case .value(let value): merge(asleep(rows).map { ($0.night, $0.stages[value], $0.asleepRange) })
    }
  }

  /// The rows whose time asleep counts: as of samples, who has seen stages comes first, so a row without
  /// them does not count beside one with which it overlaps.
  private static func asleep(_ rows: [SleepSummary]) -> [SleepSummary] {
    let staged = rows.filter(\.stages.areKnown).compactMap(\.asleepRange)
    return rows.filter { row in
      guard !row.stages.areKnown, let range = row.asleepRange else { return true }
      return !staged.contains { $0.overlaps(range) }
    }
  }

  /// Rows that overlap are captures of one night: the longest counts (of equal ones the last), and
  /// of the others the part of their time that it leaves uncovered.
  private static func merge(
    _ rows: [(night: CalendarDate, minutes: Double?, range: Range<Int>?)]
  ) -> [CalendarDate: Double] {
    var totals: [CalendarDate: Double] = [:]
    var covered = IntervalSet()
    let timed = rows.enumerated().filter { $0.element.range?.isEmpty == false }
    let longestFirst = timed.sorted { a, b in
      (a.element.range?.count ?? 0, a.offset) > (b.element.range?.count ?? 0, b.offset)
    }
    for (_, row) in longestFirst {
      guard let minutes = row.minutes, let range = row.range else { continue }
      let free = covered.gaps(in: range).reduce(0) { $0 + $1.count }
      guard free > 0 else { continue }
      totals[row.night, default: 0] += minutes * Double(free) / Double(range.count)
      covered = covered.union(IntervalSet([range]))
    }
    let untimed = rows.filter { $0.range?.isEmpty != false }
    var last: [CalendarDate: Double] = [:]
    for row in untimed { if let minutes = row.minutes { last[row.night] = minutes } }
    return totals.merging(last) { timed, _ in timed }
  }
}
