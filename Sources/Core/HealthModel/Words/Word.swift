/// The metrics of which a source speaks together: a single one, or the parts of one measurement, which
/// must never come from two sources (R20).
package struct WordGroup: Hashable, Comparable, Sendable {
  /// The metric that decides between two words, and names the group.
  package let first: DailyMetric

  /// The group of a metric.
  package init(of metric: DailyMetric) {
    first =
      switch metric {
      case .sleepCore, .sleepDeep, .sleepREM, .sleepAwake: .sleepAsleep
      case .bloodPressureDiastolic: .bloodPressureSystolic
      case .heartRateMinimum, .heartRateMaximum: .heartRateMean
      case .bloodPressureDiastolicLatest: .bloodPressureSystolic
      default: metric.latestOf ?? metric
      }
  }

  /// The metrics, the deciding one first.
  package var metrics: [DailyMetric] {
    switch first {
    case .sleepAsleep: [.sleepAsleep, .sleepCore, .sleepDeep, .sleepREM, .sleepAwake]
    case .bloodPressureSystolic:
      [
        .bloodPressureSystolic, .bloodPressureDiastolic, .bloodPressureSystolicLatest,
        .bloodPressureDiastolicLatest, .bloodPressureLatestTime,
      ]
    case .heartRateMean: [.heartRateMean, .heartRateMinimum, .heartRateMaximum]
    default: first.latest.map { [first, $0.value, $0.time] } ?? [first]
    }
  }

  /// Whether numbers of parts of a day add up: sums, hours and lengths, and those of nights.
  var addsUp: Bool { first.growsWithTheDay || isOfNight }

  /// Whether it is of the night that ends on the day.
  package var isOfNight: Bool { first.isOfNight }

  /// Whether the greater number has more of the day.
  var growsWithTheDay: Bool { first.growsWithTheDay }

  package static func < (a: WordGroup, b: WordGroup) -> Bool {
    a.first.rawValue.utf8.lexicographicallyPrecedes(b.first.rawValue.utf8)
  }

  /// All groups of the catalogue, ascending.
  package static let all = Set(DailyMetric.allCases.map(WordGroup.init(of:))).sorted()
}

/// The part of a day, or of its night, that a source could see.
package struct WordExtent: Hashable, Sendable {
  /// The first moment; nil where it reaches the start of the day.
  package let from: Timestamp?
  /// The first moment that it does not have; nil where it reaches the end.
  package let to: Timestamp?
  /// How long it is; `Int.max` for the whole day.
  let seconds: Int

  /// The whole day.
  package static let whole = WordExtent(from: nil, to: nil, seconds: .max)

  private init(from: Timestamp?, to: Timestamp?, seconds: Int) {
    (self.from, self.to, self.seconds) = (from, to, seconds)
  }

  /// The part of a span between two moments; nil stands for the span's own end.
  package init(from: Timestamp?, to: Timestamp?, in span: Range<Int>) {
    let first = max(from?.secondsSince1970 ?? span.lowerBound, span.lowerBound)
    let last = max(first, min(to?.secondsSince1970 ?? span.upperBound, span.upperBound))
    guard first > span.lowerBound || last < span.upperBound else {
      self = .whole
      return
    }
    self.init(
      from: first > span.lowerBound ? Timestamp(secondsSince1970: first) : nil,
      to: last < span.upperBound ? Timestamp(secondsSince1970: last) : nil, seconds: last - first)
  }

  /// What of a span a source could see that had the moments of an input, and was captured then. Nobody
  /// sees what comes after the capture.
  package init(of input: Range<Int>, in span: Range<Int>, capturedAt: Timestamp) {
    self.init(
      from: Timestamp(secondsSince1970: input.lowerBound),
      to: Timestamp(secondsSince1970: min(input.upperBound, capturedAt.secondsSince1970)), in: span)
  }

  /// From the first to the last moment of two parts of one span.
  package func reaching(over other: WordExtent) -> WordExtent {
    let isFromStart = from == nil || other.from == nil
    let isToEnd = to == nil || other.to == nil
    if isFromStart, isToEnd { return .whole }
    let (first, last) = (min(ends.first, other.ends.first), max(ends.last, other.ends.last))
    return WordExtent(
      from: isFromStart ? nil : Timestamp(secondsSince1970: first),
      to: isToEnd ? nil : Timestamp(secondsSince1970: last), seconds: last - first)
  }

  /// Those of a part of a span, also where they are the span's own.
  private var ends: (first: Int, last: Int) {
    let first = from?.secondsSince1970 ?? to.map { $0.secondsSince1970 - seconds } ?? 0
    return (first, to?.secondsSince1970 ?? first + seconds)
  }

  /// The same where it does not matter when it ends.
  var withoutEnd: WordExtent {
    WordExtent(from: from, to: Timestamp(secondsSince1970: 0), seconds: 0)
  }

  enum Place: UInt8, Hashable, Comparable, Sendable {
    case whole, head, tail, inner

    static func < (a: Place, b: Place) -> Bool { a.rawValue < b.rawValue }
  }

  var place: Place {
    switch (from, to) {
    case (nil, nil): .whole
    case (nil, _?): .head
    case (_?, nil): .tail
    case (_?, _?): .inner
    }
  }

  package func contains(_ other: WordExtent) -> Bool {
    (from.map { from in other.from.map { from <= $0 } ?? false } ?? true)
      && (to.map { to in other.to.map { to >= $0 } ?? false } ?? true)
  }

  /// Whether it ends where the other begins, or before.
  func precedes(_ other: WordExtent) -> Bool {
    guard let to, let from = other.from else { return false }
    return to <= from
  }
}

/// What a source says of one group of a day's metrics, what of the day it could see, and when (R20).
package struct Word: Hashable, Sendable {
  package var source: DataSource
  package var group: WordGroup
  /// The zone whose day it is, and whether a person set it.
  package var zone: String
  package var isZoneSet: Bool
  package var extent: WordExtent
  /// When the source was read, or made.
  package var capturedAt: Timestamp
  /// How often its source has said otherwise of the same moment: an input that is counted anew has the moment
  /// that it had.
  package var again = 0
  /// Whether it ends every word that was captured before it.
  package var isAuthority: Bool
  /// Whether the source reads all that the person's health database has, and not loose samples.
  package var readsAll: Bool
  /// One for each of the group's metrics.
  package var readings: [MetricReading]
  /// The run that said it; nil where that is not known.
  package var run: RunID?

  package init(
    _ source: DataSource, _ group: WordGroup, _ readings: [MetricReading], zone: String,
    isZoneSet: Bool = false, extent: WordExtent = .whole, capturedAt: Timestamp,
    isAuthority: Bool = false, readsAll: Bool = true
  ) {
    (self.source, self.group, self.readings) = (source, group, readings)
    (self.zone, self.isZoneSet, self.extent) = (zone, isZoneSet, extent)
    self.capturedAt = capturedAt
    (self.isAuthority, self.readsAll) = (isAuthority, readsAll)
  }

  /// Without when and in which run it was captured, and how far it reaches for that reason (R21).
  var withoutMoments: Word {
    var word = self
    word.run = nil
    word.capturedAt = Timestamp(secondsSince1970: 0)
    if extent.to == capturedAt { word.extent = extent.withoutEnd }
    return word
  }

  /// Whether its source insists on what it says of a part of the span.
  var isOfPartByAuthority: Bool { isAuthority && extent.place != .whole }

  /// The moments of a date that it is of; nil if this machine does not know its zone.
  package func moments(on date: CalendarDate) -> Range<Int>? {
    DaySpans(date, in: zone).map { spans in
      let span = spans.span(of: group)
      let first = extent.from?.secondsSince1970 ?? span.lowerBound
      return first..<max(first, extent.to?.secondsSince1970 ?? span.upperBound)
    }
  }

  /// Limited to what can have been captured by a moment: a later one comes from a wrong clock.
  package func captured(by moment: Timestamp, on date: CalendarDate) -> Word {
    guard capturedAt > moment else { return self }
    var word = self
    word.capturedAt = moment
    if let spans = DaySpans(date, in: zone) {
      word.extent = WordExtent(
        from: extent.from, to: min(extent.to ?? moment, moment), in: spans.span(of: group))
    }
    return word
  }

  /// Whether it has a number at all.
  package var hasNumber: Bool { readings.contains { $0.number != nil } }

  /// What it says of one of its group's metrics.
  package func reading(of metric: DailyMetric) -> MetricReading {
    group.metrics.firstIndex(of: metric).map { readings[$0] } ?? .noData
  }

  /// What decides between two words: any number comes before any reason.
  var number: Double? { readings.first?.number }

  /// Where it is kept: a source has at most four words of a group and zone.
  package struct Register: Hashable, Sendable {
    let source: DataSource
    let group: WordGroup
    let zone: String
    let place: WordExtent.Place
  }

  package var register: Register {
    Register(source: source, group: group, zone: zone, place: extent.place)
  }

  /// Whether it takes the place of another word of its register: it is wider; of equal extents, later; of
  /// equal moments, greater. A total order, so joining is commutative, associative and idempotent.
  package func outranks(_ other: Word) -> Bool {
    if extent.seconds != other.extent.seconds { return extent.seconds > other.extent.seconds }
    if said != other.said { return said > other.said }
    let weight = weight(other)
    guard weight == 0, let run else { return weight > 0 }
    return other.run.map { run > $0 } ?? true
  }

  /// When a source has said it, among what the same source says.
  var said: (Timestamp, Int) { (capturedAt, again) }

  /// Positive where it is greater than another word of the same moment, 0 for an equal one.
  func weight(_ other: Word) -> Int {
    for (mine, theirs) in zip(readings, other.readings) where mine != theirs {
      return mine.rank > theirs.rank ? 1 : -1
    }
    if traits != other.traits { return traits > other.traits ? 1 : -1 }
    return (extent.from ?? .last) == (other.extent.from ?? .last)
      ? 0 : (extent.from ?? .last) > (other.extent.from ?? .last) ? 1 : -1
  }

  private var traits: Int { (isAuthority ? 4 : 0) + (readsAll ? 2 : 0) + (isZoneSet ? 1 : 0) }

  /// Whether they differ at most in the run that said them.
  package func isSame(as other: Word) -> Bool {
    var word = self
    word.run = other.run
    return word == other
  }

  /// Whether it says the same, for the same part of the day (R20): saying it again adds nothing.
  func repeats(_ standing: Word) -> Bool {
    readings == standing.readings && isAuthority == standing.isAuthority
      && readsAll == standing.readsAll && isZoneSet == standing.isZoneSet
  }

  /// Whether it ends another word of its group: an authority ends all that was captured before it; a source
  /// what it has said before of a part of the same, in the same zone; and anybody what nobody is known to have
  /// said.
  package func ends(_ other: Word) -> Bool {
    guard self != other else { return false }
    if isAuthority, capturedAt > other.capturedAt { return true }
    guard zone == other.zone else { return false }
    let mayEnd = source == other.source || other.source == .unknown && readsAll
    guard mayEnd, extent.contains(other.extent) else { return false }
    guard source == other.source else { return capturedAt > other.capturedAt }
    if said != other.said { return said > other.said }
    return !other.extent.contains(extent) || weight(other) > 0
  }
}

extension MetricReading {
  /// A total order: reasons before numbers.
  var rank: (Int, Double) {
    switch self {
    case .noData: (0, 0)
    case .unsupported: (1, 0)
    case .unauthorized: (2, 0)
    case .value(let number): (3, number)
    }
  }
}

/// Where a day's data comes from: not the machine that reads it, so two machines that collect one
/// source are one source (R19).
public struct DataSource: RawRepresentable, Hashable, Comparable, Sendable {
  /// The name: 1 to 40 of `a` to `z`, `0` to `9`, `_`, `.` and `-`.
  public let rawValue: String

  /// Nil for a text that does not have the form of a name.
  public init?(rawValue: String) {
    let bytes = rawValue.utf8
    let isName = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, (1...40).contains(bytes.count) else { return nil }
    self.rawValue = rawValue
  }

  private init(known: String) { rawValue = known }

  /// Apple Health's export.
  public static let appleHealthExport = DataSource(known: "apple_health_export")
  /// Payloads of Health Auto Export, from files.
  public static let healthAutoExport = DataSource(known: "health_auto_export")
  /// An app that reads HealthKit and embeds the library.
  public static let healthKit = DataSource(known: "healthkit")
  /// What the day's raw streams were counted to (R49).
  public static let streams = DataSource(known: "streams")
  /// Numbers that a person or a script wrote down.
  public static let metricsJSON = DataSource(known: "metrics_json")
  /// A document that does not say where its numbers come from.
  public static let unknown = DataSource(known: "unknown")

  /// The names above: any other is a person's own.
  package static let known: Set<DataSource> = [
    .appleHealthExport, .healthAutoExport, .healthKit, .streams, .metricsJSON, .unknown,
  ]

  /// The names that only this program gives: a person's own source needs another one.
  package static let reserved: Set<DataSource> = [.streams, .unknown]

  /// The lesser name sorts first, byte by byte.
  public static func < (a: DataSource, b: DataSource) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
}
