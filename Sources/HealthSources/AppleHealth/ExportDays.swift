package import AppleExport
internal import HealthModel

/// The days of an export, one after another, the oldest first.
///
/// Holds the samples of one day and those that reach beyond it, however many there are in all.
package struct ExportDays<File: SpoolFile> {
  /// The zone whose days these are.
  package let zone: ZoneChoice
  /// Complete once `next` has returned nil.
  package private(set) var tally: ExportTally
  /// Our figures beside Apple's, of the days so far.
  package private(set) var crossCheck = ActivityCrossCheck()

  private let options: ExportOptions
  private let sources: SourceTable
  private let background: ExportBackground
  private var calendar: ZoneCalendar
  private var stream: SortedSamples<File>
  /// The next sample of the stream, and the last one taken from it.
  private var head: PackedSample?
  private var last: PackedSample?
  private var hasBegun = false
  private var samples = DaySamples()
  private var nextDay: ReportingDay?

  init(
    samples: SortedSamples<File>, options: ExportOptions, zone: ZoneChoice, sources: SourceTable,
    background: ExportBackground, tally: ExportTally
  ) throws(SourceError) {
    guard let calendar = ZoneCalendar(zone.name) else {
      throw SourceError(
        .unknownTimeZone, "no time zone is named '\(zone.name)'", remedy: "give another zone")
    }
    (stream, self.options, self.zone, self.sources) = (samples, options, zone, sources)
    (self.background, self.tally, self.calendar) = (background, tally, calendar)
  }

  /// The next day that has data and lies within the range; nil after the last.
  package mutating func next() throws(ExportFailure) -> ExportDay? {
    do throws(SpoolFailure) {
      if !hasBegun { try advance() }
    } catch {
      throw .spool(error)
    }
    hasBegun = true
    while let window = try window() {
      try fill(upTo: window.day.range.upperBound)
      let day = try take(window)
      if let day { return day }
    }
    return nil
  }

  /// The next day that samples can bear on; nil where there is none within the range.
  private mutating func window() throws(ExportFailure) -> DayWindow? {
    do throws(ReportingDay.Failure) {
      var day = nextDay
      if samples.isEmpty {
        guard let head else { return nil }
        day = try calendar.day(at: head.start)
      }
      guard let day, options.lastDate.map({ day.date <= $0 }) ?? true else { return nil }
      return DayWindow(day: day, night: try calendar.night(endingOn: day))
    } catch {
      throw .calendar(error)
    }
  }

  /// Takes all samples that begin before a moment.
  private mutating func fill(upTo end: Int) throws(ExportFailure) {
    do throws(SpoolFailure) {
      while let sample = head, sample.start < end {
        if sample == last {
          tally.leaveOut(.duplicate)
        } else if isAfterExport(sample) {
          tally.leaveOut(.afterExport)
        } else {
          if !sample.isConvertible { tally.leaveOut(.unit) }
          samples.add(sample)
        }
        last = sample
        try advance()
      }
    } catch {
      throw .spool(error)
    }
  }

  /// Sleep that ends after the export was made is a guess of the phone's, not a measurement.
  private func isAfterExport(_ sample: PackedSample) -> Bool {
    guard sample.kind == Int(SampleKind.sleepAnalysis.rawValue),
      let exportDate = background.exportDate
    else { return false }
    return sample.quantity.end > exportDate
  }

  /// Counts a day and lets go of its samples; nil where it has no data or is not wanted.
  private mutating func take(_ window: DayWindow) throws(ExportFailure) -> ExportDay? {
    do throws(ReportingDay.Failure) {
      let day = window.day
      defer { samples.drop(endingBy: day.range.upperBound, sleepEndingBy: window.night.upperBound) }
      nextDay = try calendar.day(at: day.range.upperBound)
      guard options.firstDate.map({ $0 <= day.date }) ?? true else { return nil }
      let figures = try DayFigures(
        samples, in: window, order: sources.order, calendar: calendar)
      guard !figures.readings.isEmpty else { return nil }
      let comparisons = background.activity.comparisons(of: day.date, with: figures.readings)
      crossCheck.add(comparisons)
      let notes = figures.notes + comparisons.filter { !$0.agrees }.map(\.note)
      return ExportDay(
        readings: DayReadings(
          date: day.date, timeZoneName: zone.name, readings: figures.readings, notes: notes))
    } catch {
      throw .calendar(error)
    }
  }

  private mutating func advance() throws(SpoolFailure) { head = try stream.next() }
}
