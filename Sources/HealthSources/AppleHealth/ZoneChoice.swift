/// The time zone whose days are made, and why it is this one.
package struct ZoneChoice: Hashable, Sendable {
  /// Why.
  package enum Reason: Hashable, Sendable {
    case asked
    /// Most records that name a zone name this one.
    case mostFrequent(records: Int, of: Int)
    /// The export names none: the machine's own.
    case system
    /// Neither the export nor the machine names one.
    case none
  }

  package let name: String
  package let reason: Reason

  package init(name: String, reason: Reason) { (self.name, self.reason) = (name, reason) }
}

extension ZoneChoice: CustomStringConvertible {
  /// `Europe/Paris (named by 120 of 131 records that name a zone)`.
  package var description: String {
    switch reason {
    case .asked: "\(name) (asked for)"
    case .mostFrequent(let records, let all):
      "\(name) (named by \(records) of \(all) records that name a zone)"
    case .system: "\(name) (this machine's; the export names none)"
    case .none: "\(name) (neither the export nor this machine names a zone)"
    }
  }
}

/// Counts the zones that records name.
struct ZoneVotes {
  private var votes: [String: Int] = [:]
  private var unknown: Set<String> = []

  /// Counts a record; names that the database does not know count for nothing.
  mutating func add(_ name: String) {
    if votes[name] != nil {
      votes[name, default: 0] += 1
    } else if !unknown.contains(name), unknown.count < Self.mostUnknown {
      if ZoneCalendar(name) != nil { votes[name] = 1 } else { unknown.insert(name) }
    }
  }

  /// The zone asked for, else the one named most (of equals the first by name), else `system`.
  func choice(asked: String?, system: String?) throws(SourceError) -> ZoneChoice {
    if let asked {
      guard ZoneCalendar(asked) != nil else {
        throw SourceError(
          .unknownTimeZone, "no time zone is named '\(asked)'",
          remedy: "give an IANA name such as Europe/Berlin")
      }
      return ZoneChoice(name: asked, reason: .asked)
    }
    let all = votes.values.reduce(0, +)
    if let best = votes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
      return ZoneChoice(name: best.key, reason: .mostFrequent(records: best.value, of: all))
    }
    if let system, ZoneCalendar(system) != nil { return ZoneChoice(name: system, reason: .system) }
    return ZoneChoice(name: "UTC", reason: .none)
  }

  /// Hostile names must not fill the memory.
  private static let mostUnknown = 1000
}
