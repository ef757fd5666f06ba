package import HealthModel

/// Counts the zones that records name, altogether and by date.
struct ZoneVotes {
  private struct Votes {
    var count = 0
    var calendar: ZoneCalendar
    /// By days since 1970 of the zone's own dates.
    var byDay: [Int: Int] = [:]
    /// The same dates on which records of sleep name it.
    var nights: Set<Int> = []
    /// The last date looked up, because records mostly follow one another.
    var last: Range<Int> = 0..<0
    var lastDay = 0
  }

  private var votes: [String: Votes] = [:]
  private var unknown: Set<String> = []
  /// Pairs of a zone and a date that are counted.
  private var pairs = 0

  /// Fewest dates on which a zone must be named before it counts as a stay and not as a journey, or
  /// as an app that is always wrong.
  static let shortestStay = 7
  /// The same where every night of these dates names it, and no other.
  static let shortestStayOfNights = 3
  /// Hostile names and dates must not fill the memory: those of 500 years of one zone.
  private static let mostPairs = 200_000
  private static let mostUnknown = 1000

  /// Counts a record that begins at a moment; nil where that is not known. Names that the database
  /// does not know count for nothing.
  mutating func add(_ name: String, at start: Int64?, ofSleep: Bool) {
    if votes[name] == nil {
      guard !unknown.contains(name), unknown.count < Self.mostUnknown else { return }
      guard let calendar = ZoneCalendar(name) else {
        unknown.insert(name)
        return
      }
      votes[name] = Votes(calendar: calendar)
    }
    votes[name]?.count += 1
    if let start { add(name, on: Int(start), ofSleep: ofSleep) }
  }

  private mutating func add(_ name: String, on moment: Int, ofSleep: Bool) {
    guard PackedSample.starts.contains(moment), pairs < Self.mostPairs else { return }
    if votes[name]?.last.contains(moment) != true {
      guard let day = try? votes[name]?.calendar.day(at: moment) else { return }
      votes[name]?.last = day.range
      votes[name]?.lastDay = day.date.daysSince1970
    }
    guard let day = votes[name]?.lastDay else { return }
    if votes[name]?.byDay[day] == nil { pairs += 1 }
    votes[name]?.byDay[day, default: 0] += 1
    if ofSleep { votes[name]?.nights.insert(day) }
  }

  /// The zones asked for, else those that the records name, else those kept, else `system`.
  func choice(
    asked: ReportingZones?, kept: ReportingZones?, system: String?
  ) throws(SourceError) -> ZoneChoice {
    let (evidence, reason) = self.evidence
    if let asked {
      _ = try ZoneCalendar(asked)
      return ZoneChoice(asked, reason: .asked, evidence: evidence)
    }
    if let evidence { return ZoneChoice(evidence, reason: reason, evidence: evidence) }
    if let kept { return ZoneChoice(kept, reason: .kept) }
    if let system, ZoneCalendar(system) != nil { return ZoneChoice(name: system, reason: .system) }
    return ZoneChoice(name: "UTC", reason: .none)
  }

  /// What the records say: zones by period where they name several for a time, else the zone named
  /// most, of equals the first by name.
  private var evidence: (ReportingZones?, ZoneChoice.Reason) {
    let all = votes.values.reduce(0) { $0 + $1.count }
    if let zones = try? ReportingZones(stays), zones.periods.count > 1 {
      return (zones, .byPeriod(records: all))
    }
    guard let best = votes.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }) else {
      return (nil, .none)
    }
    return (ReportingZones(best.key), .mostFrequent(records: best.value.count, of: all))
  }

  /// The zones in which somebody stayed, each from the first date on which it was named most.
  private var stays: [ReportingZones.Period] {
    guard pairs < Self.mostPairs else { return [] }
    var runs: [Run] = []
    for (day, name) in mostNamedByDay {
      if runs.last?.name == name {
        runs[runs.count - 1].days.append(day)
      } else {
        runs.append(Run(name: name, days: [day]))
      }
    }
    var periods: [ReportingZones.Period] = []
    // Whoever comes back from a short stay is at home again from the first date.
    var home: String?
    for run in runs {
      let isLong = run.days.count >= Self.shortestStay
      if isLong { home = run.name }
      guard let home, isLong || run.name == home || isStayOfNights(run),
        run.name != periods.last?.name
      else { continue }
      let from = periods.isEmpty ? nil : CalendarDate(daysSince1970: run.days[0])
      periods.append(ReportingZones.Period(from: from, name: run.name))
    }
    return periods
  }

  /// Dates on which one zone is named most, with none between them on which another one is.
  private struct Run {
    let name: String
    var days: [Int]
  }

  /// Whether these are a few nights in another place: nights that follow one another, each of which
  /// names the zone and no other. UTC is not a place: apps name it wherever a person is.
  private func isStayOfNights(_ run: Run) -> Bool {
    guard run.days.count >= Self.shortestStayOfNights, run.name.utf8.contains(UInt8(ascii: "/")),
      !run.name.hasPrefix("Etc/"), let nights = votes[run.name]?.nights,
      let first = run.days.first, let last = run.days.last, last - first + 1 == run.days.count
    else { return false }
    let others = votes.filter { $0.key != run.name }.values
    return run.days.allSatisfy { day in
      nights.contains(day) && !others.contains { $0.nights.contains(day) }
    }
  }

  /// Of each date on which a zone is named the one named most, the oldest first; of equals that of
  /// the date before, else the first by name.
  private var mostNamedByDay: [(day: Int, name: String)] {
    var byDay: [Int: [(name: String, count: Int)]] = [:]
    for (name, votes) in votes {
      for (day, count) in votes.byDay { byDay[day, default: []].append((name, count)) }
    }
    var days: [(day: Int, name: String)] = []
    for (day, named) in byDay.sorted(by: { $0.key < $1.key }) {
      let before = days.last?.name
      let best = named.max { a, b in
        (a.count, a.name == before ? 1 : 0, b.name) < (b.count, b.name == before ? 1 : 0, a.name)
      }
      if let best { days.append((day, best.name)) }
    }
    return days
  }
}

/// The time zones whose days are made, and why it is these.
package struct ZoneChoice: Hashable, Sendable {
  /// Why.
  package enum Reason: Hashable, Sendable {
    case asked
    /// Most records that name a zone name this one.
    case mostFrequent(records: Int, of: Int)
    /// The records name one zone for a time, then another; so many name one.
    case byPeriod(records: Int)
    /// The export names none: what the store keeps.
    case kept
    /// Neither names one: the machine's own.
    case system
    /// Neither the export nor the machine names one.
    case none
  }

  package let zones: ReportingZones
  package let reason: Reason
  /// What the export's records say, whatever was asked for; nil where they name no zone.
  package private(set) var evidence: ReportingZones?

  package init(_ zones: ReportingZones, reason: Reason, evidence: ReportingZones? = nil) {
    (self.zones, self.reason, self.evidence) = (zones, reason, evidence)
  }

  package init(name: String, reason: Reason) { self.init(ReportingZones(name), reason: reason) }

  /// The zone's name; of several all, each with its first date.
  package var name: String { zones.description }

  /// Seconds that the machine's zone was ahead of UTC at a moment, where the days are those of this
  /// zone for want of another and the phone that made the export was ahead by other `seconds`.
  package func contradiction(to seconds: Int, at moment: Timestamp) -> Int? {
    switch reason {
    case .asked, .mostFrequent, .byPeriod: return nil
    case .kept, .system, .none: break
    }
    guard let date = try? zones.date(at: moment),
      let own = try? ReportingDay.offsetSeconds(at: moment, timeZoneName: zones.name(on: date)),
      own != seconds
    else { return nil }
    return own
  }
}

extension ZoneChoice: CustomStringConvertible {
  /// `Europe/Paris (named by 120 of 131 records that name a zone)`.
  package var description: String {
    switch reason {
    case .asked: "\(zones.sentence) (as set)"
    case .mostFrequent(let records, let all):
      "\(name) (named by \(records) of \(all) records that name a zone)"
    case .byPeriod(let records): "\(zones.sentence) (as \(records) records name them)"
    case .kept: "\(zones.sentence) (kept in the store)"
    case .system: "\(name) (this machine's; the export names none)"
    case .none: "\(name) (neither the export nor this machine names a zone)"
    }
  }
}

extension ReportingZones {
  /// `Europe/Paris until 2024-03-01 and America/New_York from 2024-03-02`.
  package var sentence: String {
    guard let first = periods.first, periods.count > 1 else { return description }
    var parts: [String] = []
    if let next = periods[1].from?.adding(days: -1) { parts.append("\(first.name) until \(next)") }
    for (index, period) in periods.enumerated().dropFirst() {
      let end = index + 1 < periods.count ? periods[index + 1].from?.adding(days: -1) : nil
      let from = period.from.map { "\($0)" } ?? ""
      parts.append("\(period.name) from \(from)" + (end.map { " to \($0)" } ?? ""))
    }
    return parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
  }
}
