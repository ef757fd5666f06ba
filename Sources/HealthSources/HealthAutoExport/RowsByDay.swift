internal import HealthModel

/// Rows of one metric that are no whole days, put to the days that they belong to.
struct RowsByDay {
  private let samples: [QuantitySample]
  private let order: [SourcePriority]

  /// Takes rows in any order; the same row twice is one row.
  init(_ rows: [QuantityRow]) {
    var order: [SourcePriority] = []
    var samples: [QuantitySample] = []
    for row in QuantityRow.distinct(rows) {
      if row.source != order.last { order.append(row.source) }
      samples.append(
        QuantitySample(
          start: row.start, end: row.end ?? row.start, quantity: row.quantity,
          source: order.count - 1))
    }
    (self.samples, self.order) = (samples, order)
  }

  /// The total of each day, and whether sources overlapped anywhere.
  func totals(
    calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> (totals: [CalendarDate: Double], hasOverlap: Bool) {
    var byDay: [CalendarDate: [QuantitySample]] = [:]
    for sample in samples {
      for piece in try calendar.split(sample.extent) {
        byDay[piece.date, default: []].append(sample)
      }
    }
    var totals: [CalendarDate: Double] = [:]
    var hasOverlap = false
    for (date, samples) in byDay {
      let day = try calendar.day(date)
      let shares = AdditiveTotals.shares(of: samples, in: day.range, order: order)
      totals[date] = shares.total
      hasOverlap = hasOverlap || shares.haveOverlap
    }
    return (totals, hasOverlap)
  }

  /// The mean of each day.
  func means(
    calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> [CalendarDate: Double] {
    var byDay: [CalendarDate: [Double]] = [:]
    for sample in samples {
      byDay[try calendar.day(at: sample.middle).date, default: []].append(sample.quantity)
    }
    return byDay.compactMapValues { $0.mean }
  }

  /// The stood hours of each day.
  func standHours(
    calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> [CalendarDate: Double] {
    var byDay: [CalendarDate: [QuantitySample]] = [:]
    for sample in samples {
      byDay[try calendar.day(at: sample.start).date, default: []].append(sample)
    }
    var hours: [CalendarDate: Double] = [:]
    for (date, samples) in byDay {
      hours[date] = try StandHours.found(samples, in: calendar.zones.name(on: date))
    }
    return hours
  }
}
