package import HealthModel
package import HealthSources

/// What a store keeps for all who derive its days: the time zones, by period, and the runs whose raw data does
/// not count (R49). Pure.
///
/// If each deriver used its own zones, two of them would replace each other's days for ever. And to
/// count a moment between two zones exactly once (R4), both zones have to be known. What a run brought may
/// come to lie on another date when the zones are corrected, so no day alone can say that it is undone.
package struct StoredZones: Hashable, Sendable {
  package let zones: ReportingZones
  /// Whether a person set them.
  package let isSet: Bool
  /// Whether an input named them. If it is neither, they are those of the machine that derived first.
  package let isNamed: Bool
  /// The undone runs: what was stored in them counts on no day.
  package var undone: Set<RunID> = []

  package init(_ zones: ReportingZones, isSet: Bool, isNamed: Bool = false) {
    (self.zones, self.isSet, self.isNamed) = (zones, isSet, isNamed)
  }

  /// Whether they are the person's, and not just a machine's.
  package var isKept: Bool { isSet || isNamed }

  /// Whether what was stored in a run counts.
  func counts(_ run: RunID?) -> Bool { run.map { !undone.contains($0) } ?? true }

  /// A text that is equal where a date has the same moments (`ReportingZones.line`), and the same runs count.
  func line(of date: CalendarDate) -> String {
    let own = zones.line(of: date)
    guard !undone.isEmpty else { return own }
    return own + "\nundone " + undone.sorted().map(\.rawValue).joined(separator: " ")
  }

  /// The most bytes of the object: a thousand moves, or thousands of runs.
  static let maximumBytes = 65_536
  private static let format = "zones.v0"

  /// Parses the object; nil if it is not one, or if this machine's database lacks one of its zones.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes, maximumDepth: 2),
      value["format"]?.stringValue == Self.format, let text = value["zones"]?.stringValue,
      case .bool(let isSet)? = value["set"], let zones = try? ReportingZones(parsing: text)
    else { return nil }
    guard let names = (value["undone"] ?? .array([])).arrayValue else { return nil }
    let runs = names.compactMap { $0.stringValue.flatMap(RunID.init(rawValue:)) }
    guard runs.count == names.count else { return nil }
    self.init(zones, isSet: isSet, isNamed: value["named"] == .bool(true))
    undone = Set(runs)
  }

  /// The object as canonical JSON (R13).
  var encoded: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "zones": .string("\(zones)"), "set": .bool(isSet),
    ]
    if isNamed { members["named"] = .bool(true) }
    if !undone.isEmpty {
      members["undone"] = .array(undone.sorted().map { .string($0.rawValue) })
    }
    return JSONValue.object(members).canonicalBytes
  }
}

/// What to do with a store's zones if a deriver is configured with other ones (R49). Pure.
package enum ZoneDecision: Hashable, Sendable {
  /// Keep them: the deriver's zones agree at this moment, or no person has set them.
  case keep
  /// Keep them, although a person has configured others here. Only the person knows whether this is a
  /// correction or a move.
  case differ(own: ReportingZones, stored: ReportingZones)
  /// Use the deriver's zones for all dates: no person had set the stored ones, or the deriver's say when
  /// each of them begins.
  case correct(StoredZones, before: ReportingZones)
  /// A move: the deriver's zone applies from a date on, the stored ones before it.
  case move(StoredZones, from: CalendarDate)

  /// - Parameters:
  ///   - stored: the store's zones; nil if it has none yet.
  ///   - own: the deriver's zones.
  ///   - mayChange: whether zones that a person has set may replace others that a person has set.
  ///   - isChange: whether a person has just changed the deriver's zones, perhaps back to the one of today.
  package init(
    stored: StoredZones?, own: StoredZones, now: Timestamp, mayChange: Bool, isChange: Bool = false
  ) {
    self = .keep
    guard let stored, own.isSet, own != stored else { return }
    guard stored.isSet else {
      self = .correct(own, before: stored.zones)
      return
    }
    guard !own.zones.isSame(as: stored.zones) else { return }
    var name = own.zones.name(at: now)
    let hasMoves = own.zones.periods.count > 1
    let today = stored.zones.name(at: now)
    if !hasMoves, ReportingZones(name).isSame(as: ReportingZones(today)) {
      // Only a change drops a later move: somebody may have planned it.
      guard mayChange, isChange else { return }
      name = today
    }
    if hasMoves {
      self =
        mayChange
        ? .correct(own, before: stored.zones) : .differ(own: own.zones, stored: stored.zones)
      return
    }
    self = .differ(own: own.zones, stored: stored.zones)
    // If the new zone lies west, its date may already be over in the old one. Then the later date counts.
    guard let here = try? own.zones.date(at: now), let there = try? stored.zones.date(at: now),
      case let from = max(there, here),
      let zones = stored.zones.followed(by: name, from: from)
    else { return }
    // The move is known, and its first date has not begun in the old zone.
    guard !zones.isSame(as: stored.zones) else {
      self = .keep
      return
    }
    if mayChange { self = .move(StoredZones(zones, isSet: true), from: from) }
  }
}

extension ReportingZones {
  /// These zones before a date, and one zone from that date on.
  package func followed(by name: String, from date: CalendarDate) -> ReportingZones? {
    let before = periods.filter { $0.from.map { $0 < date } ?? true }
    return try? ReportingZones(before + [Period(from: date, name: name)])
  }

  /// These zones with one date in another zone.
  func with(_ name: String, on date: CalendarDate) -> ReportingZones? {
    guard name != self.name(on: date), let next = date.adding(days: 1) else { return self }
    let others = periods.filter { period in period.from.map { $0 != date && $0 != next } ?? true }
    return try? ReportingZones(
      others + [Period(from: date, name: name), Period(from: next, name: self.name(on: next))])
  }

  /// A text that is equal for zones in which a date has the same moments. It names the date's zone and
  /// those of the two dates before it, because an earlier date may end after this one begins.
  func line(of date: CalendarDate) -> String {
    let names = (-2...0).map { name(on: date.adding(days: $0) ?? date) }
    return "zones " + names.joined(separator: " ")
  }

  /// The dates of a range whose moments differ from those in other zones; nil if there are none.
  func difference(
    from other: ReportingZones, in dates: ClosedRange<CalendarDate>
  ) -> ClosedRange<CalendarDate>? {
    var (first, last): (CalendarDate?, CalendarDate?)
    var next: CalendarDate? = dates.lowerBound
    while let date = next, date <= dates.upperBound {
      if line(of: date) != other.line(of: date) { (first, last) = (first ?? date, date) }
      next = date.adding(days: 1)
    }
    guard let first, let last else { return nil }
    return first...last
  }
}
