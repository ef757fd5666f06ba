import HealthModel
import HealthSources

/// What to write down so that later imports use the zones of `--timezone`, too: without them they
/// would count the days as before, and so undo a correction.
struct ZoneHint {
  let given: ReportingZones
  /// Those of an import without `--timezone`; nil where they can't be known.
  let usual: ReportingZones?
  /// The first date of the import; nil for all from the source's first on.
  var from: CalendarDate?
  /// Its last date; nil for all up to the source's last.
  var to: CalendarDate?

  /// The zones to write down; nil where there is nothing to write, or it can't be known.
  var zones: ReportingZones? {
    let kept = from == nil && to == nil ? given : zonesByPeriod
    guard let kept, let usual else { return kept }
    return usual.isSame(as: kept) ? nil : kept
  }

  /// The usual zones, and between the dates of the import those that were given.
  private var zonesByPeriod: ReportingZones? {
    guard let usual else { return nil }
    let next = to.flatMap { $0.adding(days: 1) }
    let before = from.map { Self.periods(of: usual, from: nil, before: $0) } ?? []
    let after = next.map { Self.periods(of: usual, from: $0, before: nil) } ?? []
    return try? ReportingZones(
      before + Self.periods(of: given, from: from, before: next) + after)
  }

  private static func periods(
    of zones: ReportingZones, from: CalendarDate?, before end: CalendarDate?
  ) -> [ReportingZones.Period] {
    let name = from.map { zones.name(on: $0) } ?? zones.periods[0].name
    let later = zones.periods.filter { period in
      guard let begin = period.from else { return false }
      return from.map { $0 < begin } ?? true && end.map { begin < $0 } ?? true
    }
    return [ReportingZones.Period(from: from, name: name)] + later
  }
}

extension ZoneHint {
  /// - Parameters:
  ///   - other: the zones of the settings without `--timezone`.
  ///   - from: the first date asked for.
  ///   - to: the last date asked for.
  init(_ source: ImportedSource, without other: ZoneSetting, from: CalendarDate?, to: CalendarDate?)
  {
    given = source.zone.zones
    let known = other.failure == nil ? other.zones : nil
    usual = other.isGiven ? known : source.zone.evidence ?? known
    // Dates beyond those of the source are not bounds: it may be imported again with more days.
    let (first, last) = (source.firstDate, source.lastWholeDate)
    self.from = from.flatMap { date in first.map { date <= $0 } ?? true ? nil : date }
    self.to = to.flatMap { date in last.map { date >= $0 } ?? true ? nil : date }
  }

  /// For people; nil where there is nothing to write down.
  func words(without other: ZoneSetting) -> String? {
    guard let zones else { return nil }
    let place =
      other.origin == Self.variable
      ? "set \(Self.variable) to \"\(zones)\"" : "s3health config set timezone \"\(zones)\""
    let why = usual.map { "imports without --timezone use \($0.sentence); " } ?? ""
    return "\(why)to keep \(zones) for later imports: \(place)"
  }

  /// It outranks the configuration file.
  private static var variable: String { "S3HEALTH_TIMEZONE" }
}

extension ImportedSource {
  fileprivate var firstDate: CalendarDate? { coverage?.lowerBound ?? days.first?.date }

  /// The last date that an import publishes unasked: the day of an export was not over.
  fileprivate var lastWholeDate: CalendarDate? {
    let last = coverage?.upperBound ?? days.last?.date
    let made = exportedAt.flatMap { try? zone.zones.date(at: $0) }.flatMap { $0.adding(days: -1) }
    guard let last, let made else { return last }
    return min(last, made)
  }
}
