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
  /// When each small object can first be packed, by date.
  private var moments: [CalendarDate: [Int]] = [:]
  /// The dates and months in whose folders lies what is not a batch or pack, and may hide one.
  private var blocked: Set<PackedDates> = []

  init(
    _ found: FiledObjects, _ scope: CompactionScope, _ device: String, _ layout: StreamLayout,
    isEligible: (ListedBatch) -> Bool
  ) {
    (self.scope, self.device) = (scope, device)
    for batch in found.batches {
      if isEligible(batch) { loose[batch.place.date, default: 0] += 1 }
      guard batch.isSmall, let uploaded = batch.lastModified,
        let moment = scope.firstSecond(for: batch.place.date)
      else { continue }
      moments[batch.place.date, default: []].append(max(moment, uploaded + scope.age + 1))
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

  /// What can only be packed later: first dates whose objects were uploaded too recently, then dates that
  /// are not old enough themselves.
  func waits() -> [CompactionWait] {
    var (late, recent): ([CalendarDate: Int], [CalendarDate: Int]) = ([:], [:])
    for (date, moments) in moments where scope.dates?.contains(date) != false {
      let month = PackedDates.month(of: date)
      guard !blocked.contains(month), !blocked.contains(.date(date)) else { continue }
      // One object alone is not packed, but goes into a pack that there is.
      let needed = packs[.date(date)] == nil && packs[month] == nil ? 2 : 1
      let sorted = moments.sorted()
      guard sorted.count >= needed else { continue }
      let moment = sorted[needed - 1]
      guard moment > scope.now.secondsSince1970 else { continue }
      if scope.admits(date) { late[date] = moment } else { recent[date] = moment }
    }
    return [wait(late, isLate: true), wait(recent, isLate: false)].compactMap(\.self)
  }

  private func wait(_ moments: [CalendarDate: Int], isLate: Bool) -> CompactionWait? {
    guard let first = moments.keys.min(), let last = moments.keys.max(),
      let soonest = moments.values.min(), let latest = moments.values.max()
    else { return nil }
    return CompactionWait(
      stream: scope.stream, deviceID: device, dates: first...last, count: moments.count,
      isLate: isLate,
      until: Timestamp(secondsSince1970: soonest)...Timestamp(secondsSince1970: latest))
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

extension ListedBatch {
  /// Whether it is small enough for packing to help.
  var isSmall: Bool { size <= 1 << 20 }
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
