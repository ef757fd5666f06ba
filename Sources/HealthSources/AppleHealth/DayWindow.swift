internal import HealthModel

/// One day and the night that ends on it.
struct DayWindow {
  let day: ReportingDay
  /// From 18:00 to 18:00 by the clock on the wall; seconds since 1970.
  let night: Range<Int>
}
