import HealthLedger
package import StreamDays

extension ZoneDecision {
  /// What to say to the person about it; nil if nothing changes.
  ///
  /// - Parameter person: whose store it is; nil for a store without people.
  package func words(of person: String?) -> String? {
    let command = "s3health raw zones" + (person.map { " --person \($0)" } ?? "")
    switch self {
    case .keep: return nil
    case .differ(let own, let stored):
      let all = "if the other was wrong, run `\(command) \"\(own)\"`"
      guard own.periods.count == 1 else {
        return "days are made in \(stored), as before, not in \(own): \(all)"
      }
      return "days are made in \(stored), as before, not in \(own): \(all); after a move, "
        + "`\(command) \"\(stored), \(own)@DATE\"` with the first date there"
    case .correct(let new, let before):
      guard !new.zones.isSame(as: before) else { return nil }
      return
        "days are made in \(new.zones) from now on; those that were made in \(before) are made "
        + "again"
    case .move(let zones, let from):
      let name = zones.zones.name(on: from)
      return
        "days from \(from) on are made in \(name), those before it as they were; if their zone "
        + "was wrong, run `\(command) \(name)`"
    }
  }
}
