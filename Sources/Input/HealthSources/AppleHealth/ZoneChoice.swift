package import HealthModel

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
