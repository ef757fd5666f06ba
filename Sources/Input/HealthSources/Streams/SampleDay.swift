internal import AppleExport
package import HealthLedger
package import HealthModel

/// One day of samples, counted as those of an export are (R18): overlapping devices once, days and
/// nights by the zone, blood pressures by pairs.
package struct SampleDay: Hashable, Sendable {
  /// What the samples say of the day; nil where they say nothing.
  package let readings: DayReadings?
  /// Samples that were left out, and why.
  package let leftOut: [LeftOut: Int]
  /// What they say beyond the numbers; nil if it was not asked for.
  package let detail: DayDetail?

  /// Most sources that can be distinguished.
  private static let maximumSources = Int(UInt16.max)

  /// - Parameters:
  ///   - samples: each sample once, in any order; those that lie elsewhere do no harm.
  ///   - zones: the zones of the day and of the dates around it.
  package init(
    of samples: [TypedSample], on date: CalendarDate, in zones: ReportingZones,
    metrics: Set<DailyMetric> = Set(DailyMetric.allCases), wantsDetail: Bool = false
  ) throws(LedgerError) {
    do throws(ReportingDay.Failure) {
      _ = try zones.day(date)
    } catch {
      throw LedgerError(error)
    }
    var options = ExportOptions()
    options.zones = zones
    (options.firstDate, options.lastDate) = (date, date)
    options.metrics = metrics
    if wantsDetail { options.explainedDate = date }
    options.countsEqualSamples = true
    options.samplesInMemory = max(1, samples.count)
    var collector = ExportCollector(options: options, spool: UnlinkedFile())
    // Sorted, so that a source's number does not depend on the order of the samples.
    var (named, last): (Set<ExportSource>, ExportSource?) = ([], nil)
    for sample in samples {
      // Most samples are of the writer of the one before.
      if let last, sample.isWritten(by: last) { continue }
      last = sample.writer
      named.insert(sample.writer)
    }
    let writers = named.sorted {
      ($0.name, $0.hardware) < ($1.name, $1.hardware)
    }
    guard writers.count <= Self.maximumSources else {
      throw LedgerError(.internal, "more than \(Self.maximumSources) sources in one day")
    }
    for writer in writers { collector.take(source: writer) }
    let numbers = Dictionary(
      uniqueKeysWithValues: writers.enumerated().map { ($1, UInt16($0)) })
    do {
      var (writer, number): (ExportSource?, UInt16) = (nil, 0)
      for sample in samples {
        if writer.map(sample.isWritten) != true {
          (writer, number) = (sample.writer, numbers[sample.writer] ?? 0)
        }
        try collector.take(sample.record(source: number))
      }
      var days = try collector.days()
      var found: DayReadings?
      var detail: DayDetail?
      while let day = try days.next() {
        detail = day.explanation?.detail ?? detail
        if day.readings.date == date, day.readings.saysAnything { found = day.readings }
      }
      (readings, leftOut, self.detail) = (found, days.tally.leftOut, detail)
    } catch let error as LedgerError {
      throw error
    } catch {
      throw LedgerError(.internal, "\(error)")
    }
  }
}

extension TypedSample {
  /// Who wrote it.
  var writer: ExportSource { ExportSource(name: source, hardware: hardware) }

  func isWritten(by other: ExportSource) -> Bool {
    source == other.name && hardware == other.hardware
  }

  /// The same as a record of an export.
  func record(source: UInt16) -> ExportSample {
    ExportSample(
      kind: kind, unit: unit, isUserEntered: isUserEntered, source: source, start: Int64(start),
      end: Int64(end), value: value)
  }
}
