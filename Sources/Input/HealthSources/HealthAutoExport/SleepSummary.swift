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
///
/// Rows that overlap are of one night. The first one counts, and of the others the part of their time that those
/// before leave uncovered. As of samples, who has seen stages comes first, then the longest, of equal ones the
/// last. All numbers but the time in bed are of the same rows, so stages never add up to more than the sleep.
struct SleepSummaries {
  /// The rows with what of each counts.
  private let ofSleep: [(row: SleepSummary, share: Double)]
  private let ofBed: [(row: SleepSummary, share: Double)]

  init(_ rows: [SleepSummary]) {
    ofSleep = Self.counted(
      rows.filter { $0.asleep != nil || $0.stages[.awake] != nil }, over: \.asleepRange
    ) { $0.stages.areKnown ? 0 : $0.asleep != nil ? 1 : 2 }
    ofBed = Self.counted(rows.filter { $0.inBed != nil }, over: \.inBedRange) { _ in 0 }
  }

  func minutes(of part: NightPart) -> [CalendarDate: Double] {
    switch part {
    case .asleep: Self.total(ofSleep, \.asleep)
    case .value(.inBed): Self.total(ofBed, \.inBed)
    case .value(let value): Self.total(ofSleep) { $0.stages[value] }
    }
  }

  private static func total(
    _ counted: [(row: SleepSummary, share: Double)], _ minutes: (SleepSummary) -> Double?
  ) -> [CalendarDate: Double] {
    var totals: [CalendarDate: Double] = [:]
    for (row, share) in counted {
      if let own = minutes(row) { totals[row.night, default: 0] += own * share }
    }
    return totals
  }

  private static func counted(
    _ rows: [SleepSummary], over range: (SleepSummary) -> Range<Int>?,
    rank: (SleepSummary) -> Int
  ) -> [(row: SleepSummary, share: Double)] {
    let ranked = rows.enumerated().map { place, row in
      (row: row, range: range(row) ?? 0..<0, rank: rank(row), place: place)
    }.sorted { a, b in
      (a.rank, -a.range.count, -a.place) < (b.rank, -b.range.count, -b.place)
    }
    var counted: [(row: SleepSummary, share: Double)] = []
    var covered = IntervalSet()
    for one in ranked where !one.range.isEmpty {
      let free = covered.gaps(in: one.range).reduce(0) { $0 + $1.count }
      guard free > 0 else { continue }
      counted.append((one.row, Double(free) / Double(one.range.count)))
      covered = covered.union(IntervalSet([one.range]))
    }
    // A row without times is the whole night, where there is no other.
    var nights = Set(counted.map(\.row.night))
    for one in ranked where one.range.isEmpty && nights.insert(one.row.night).inserted {
      counted.append((one.row, 1))
    }
    return counted
  }
}
