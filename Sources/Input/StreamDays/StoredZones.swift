package import HealthModel
package import HealthSources

/// The zones of a store's derived days: one for each period, for everybody who derives (R49). Pure.
///
/// With zones of their own, two derivers would publish each other's days again for ever; and where the
/// zones of two dates are not known together, a moment between them counts twice, or not at all (R4).
package struct StoredZones: Hashable, Sendable {
  package let zones: ReportingZones
  /// Whether somebody set them. Else they are those of the machine that derived first.
  package let isSet: Bool

  package init(_ zones: ReportingZones, isSet: Bool) { (self.zones, self.isSet) = (zones, isSet) }

  /// The most bytes of the object.
  static let maximumBytes = 4096
  private static let format = "zones.v0"

  /// Reads an object; nil for anything else, and for zones that this machine's database does not have.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes, maximumDepth: 2),
      value["format"]?.stringValue == Self.format, let text = value["zones"]?.stringValue,
      case .bool(let isSet)? = value["set"], let zones = try? ReportingZones(parsing: text)
    else { return nil }
    self.init(zones, isSet: isSet)
  }

  /// The object as canonical JSON (R13).
  var encoded: [UInt8] {
    JSONValue.object([
      "format": .string(Self.format), "zones": .string("\(zones)"), "set": .bool(isSet),
    ]).canonicalBytes
  }
}

/// What becomes of a store's zones when somebody who is about to derive has zones of their own (R49).
/// Pure.
package enum ZoneDecision: Hashable, Sendable {
  /// They stay: they say the same of now, or nobody has set the own ones.
  case keep
  /// They stay, though somebody has set other ones here: only a person knows whether that corrects a
  /// mistake or is a move.
  case differ(own: ReportingZones, stored: ReportingZones)
  /// The own ones hold for all dates. Those of the store were only a machine's, or the own ones say when
  /// each begins.
  case correct(StoredZones, before: ReportingZones)
  /// A move: the own zone holds from a date on, those of the store before it.
  case move(StoredZones, from: CalendarDate)

  /// - Parameters:
  ///   - stored: those of the store; nil if it has none yet.
  ///   - own: those of whoever is about to derive.
  ///   - mayChange: whether zones that somebody has set replace others that somebody has set.
  package init(stored: StoredZones?, own: StoredZones, now: Timestamp, mayChange: Bool) {
    self = .keep
    guard let stored, own.isSet, own != stored else { return }
    guard stored.isSet else {
      self = .correct(own, before: stored.zones)
      return
    }
    guard !own.zones.isSame(as: stored.zones), let here = try? own.zones.date(at: now),
      let there = try? stored.zones.date(at: now)
    else { return }
    let name = own.zones.name(on: here)
    let isPeriods = own.zones.periods.count > 1
    if !isPeriods,
      ReportingZones(name).isSame(as: ReportingZones(stored.zones.name(on: there)))
    {
      return
    }
    self = .differ(own: own.zones, stored: stored.zones)
    guard mayChange else { return }
    if isPeriods {
      self = .correct(own, before: stored.zones)
      return
    }
    // Where the own zone lies west, its date may be over in the other one: then that date has ended.
    let from = max(there, here)
    guard let zones = stored.zones.followed(by: name, from: from) else { return }
    self = .move(StoredZones(zones, isSet: true), from: from)
  }
}

extension ReportingZones {
  /// The same up to a date, and one zone from there on.
  package func followed(by name: String, from date: CalendarDate) -> ReportingZones? {
    let before = periods.filter { $0.from.map { $0 < date } ?? true }
    return try? ReportingZones(before + [Period(from: date, name: name)])
  }

  /// The same with one date in another zone.
  func with(_ name: String, on date: CalendarDate) -> ReportingZones? {
    guard name != self.name(on: date), let next = date.adding(days: 1) else { return self }
    let others = periods.filter { period in period.from.map { $0 != date && $0 != next } ?? true }
    return try? ReportingZones(
      others + [Period(from: date, name: name), Period(from: next, name: self.name(on: next))])
  }

  /// A line that is equal in zones by which a date holds the same moments: its own zone and those of
  /// the two dates before it, of which one may end after it begins.
  func line(of date: CalendarDate) -> String {
    let names = (-2...0).map { name(on: date.adding(days: $0) ?? date) }
    return "zones " + names.joined(separator: " ")
  }

  /// The dates that hold other moments in other zones, of those in a range; nil if there is none.
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
