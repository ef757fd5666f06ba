import HealthModel
import ObjectStore

/// Chooses from a listing which dates of each month of a device have something to pack or to remove
/// (R66). Pure.
struct CompactionPlans {
  private let scope: CompactionScope
  private let device: String
  /// How many objects of batches are old enough, by date, and how many packs there are.
  private var loose: [CalendarDate: Int] = [:]
  private var packs: [PackedDates: Int] = [:]
  /// The dates and months in whose folders lies what is not a batch or pack, and may hide one.
  private var blocked: Set<PackedDates> = []

  init(
    _ found: FiledObjects, _ scope: CompactionScope, _ device: String, _ layout: StreamLayout,
    isEligible: (ListedBatch) -> Bool
  ) {
    (self.scope, self.device) = (scope, device)
    for batch in found.batches where isEligible(batch) {
      loose[batch.place.date, default: 0] += 1
    }
    for pack in found.packs { packs[pack.place.dates, default: 0] += 1 }
    blocked = Set(found.foreign.compactMap { layout.dates(ofForeign: $0.key) })
  }

  /// The plans by month, without the dates that markers name, which are left alone.
  func plans(
    _ marked: [CalendarDate: String], _ left: (LeftAlone) -> Void
  ) -> [CompactionPlan] {
    let months = Set(loose.keys.map { PackedDates.month(of: $0) })
      .union(packs.keys.map { PackedDates.month(of: $0.first) })
    return months.sorted().compactMap { plan(of: $0, marked, left) }
  }

  private func plan(
    of month: PackedDates, _ marked: [CalendarDate: String], _ left: (LeftAlone) -> Void
  ) -> CompactionPlan? {
    guard !blocked.contains(month) else { return nil }
    let allowed = month.all.filter { date in
      scope.admits(date) && scope.dates?.contains(date) != false && !blocked.contains(.date(date))
    }
    let free = allowed.filter { marked[$0] == nil }
    let isWhole = free == month.all
    for date in allowed where hasWork(month, [date]) {
      if let marker = marked[date] { left(.marked(marker, date)) }
    }
    let dates = isWhole ? free : free.filter { hasWork(month, [$0]) }
    guard isWhole ? hasWork(month, dates) : !dates.isEmpty else { return nil }
    return CompactionPlan(
      stream: scope.stream, deviceID: device, month: month, dates: Set(dates), isWhole: isWhole)
  }

  /// Whether something can be packed or removed of dates that would go into one pack.
  private func hasWork(_ month: PackedDates, _ dates: [CalendarDate]) -> Bool {
    let loose = dates.reduce(0) { $0 + (self.loose[$1] ?? 0) }
    let own = dates.reduce(0) { $0 + (packs[.date($1)] ?? 0) }
    let all = own + (packs[month] ?? 0)
    guard all > 0 else { return loose > 1 }
    return loose > 0 || (dates.count > 1 ? all > 1 : own > 1 || own > 0 && all > 1)
  }
}

extension StreamLayout {
  /// The date or month in whose folder a foreign object of a stream lies, if it is in one.
  fileprivate func dates(ofForeign key: String) -> PackedDates? {
    guard key.utf8.starts(with: rootPrefix.utf8) else { return nil }
    let parts = key.utf8.dropFirst(rootPrefix.utf8.count).split(separator: UInt8(ascii: "/"))
      .map { String(Substring($0)) }
    guard parts.count >= 5 else { return nil }
    if let date = CalendarDate("\(parts[2])-\(parts[3])-\(parts[4])") { return .date(date) }
    return CalendarDate("\(parts[2])-\(parts[3])-01").map { .month(of: $0) }
  }
}
