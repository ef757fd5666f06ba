internal import HealthModel
internal import HealthSamples

/// Rows of one metric that are not whole days, put to the days that they belong to.
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

  /// A metric's number of each day, made as that of an export is.
  func numbers(
    of metric: DailyMetric, calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> [CalendarDate: Double] {
    let metric = CountedMetric(metric)
    var byDay: [CalendarDate: [QuantitySample]] = [:]
    for sample in samples {
      if metric.aggregation == .duration {
        for piece in try calendar.split(sample.start..<sample.end) {
          byDay[piece.date, default: []].append(sample)
        }
      } else {
        byDay[try calendar.day(at: sample.middle).date, default: []].append(sample)
      }
    }
    var numbers: [CalendarDate: Double] = [:]
    for (date, samples) in byDay {
      let day = try calendar.day(date)
      let window = DayWindow(
        day: day.day, range: day.range, night: try calendar.night(endingOn: date))
      numbers[date] = try metric.number(of: samples, in: window, order: order)
    }
    return numbers
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
