import HealthModel

/// The zones of the app's days (R4): each date keeps the one that it was first published in, so that a
/// flight changes no day of the past. Pure.
struct PhoneZones: Codable, Hashable, Sendable {
  private struct Period: Codable, Hashable {
    let first: String
    let zone: String
  }

  /// In the order of their first dates.
  private var periods: [Period] = []
  /// More than a run looks back at.
  private static let maximumCount = 32

  /// The zone of a date; nil if none was noted.
  func zone(of date: CalendarDate) -> String? {
    (periods.last { CalendarDate($0.first).map { $0 <= date } ?? false } ?? periods.first)?.zone
  }

  /// From this date on, days are in this zone. The date can also go back: after a flight over the date
  /// line, or if the clock was set.
  mutating func note(_ zone: String, today: CalendarDate) {
    periods.removeAll { CalendarDate($0.first).map { $0 > today } ?? true }
    guard periods.last?.zone != zone else { return }
    if periods.last?.first == today.description { periods.removeLast() }
    if periods.last?.zone != zone { periods.append(Period(first: today.description, zone: zone)) }
    periods.removeFirst(max(0, periods.count - Self.maximumCount))
  }
}
