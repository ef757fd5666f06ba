package import HealthLedger
package import HealthModel
import HealthSources

/// One day of the entries of a store's streams (R45, R49). Pure: a function of the entries, the zone
/// and the rules.
package struct StreamDay: Hashable, Sendable {
  /// What the entries say of the metrics.
  package private(set) var readings: [DailyMetric: MetricReading] = [:]
  /// Remarks for people.
  package private(set) var notes: [String] = []
  /// What was not counted, of the entries that begin on the day.
  package private(set) var leftOut = LeftOutEntries()
  /// What they say beyond the numbers; nil if it was not asked for.
  package private(set) var detail: DayDetail?

  /// Whether the entries say anything about the day.
  package var saysAnything: Bool { !readings.isEmpty }

  /// What samples say of their day.
  package init(
    of found: FiledSamples, metrics: Set<DailyMetric>, wantsDetail: Bool = false
  ) throws(LedgerError) {
    let samples = SampleKind.allCases.flatMap { found.best(of: $0)?.samples.samples ?? [] }
    try self.init(of: samples, in: found.window, metrics: metrics, wantsDetail: wantsDetail)
    leftOut.add(found.leftOut)
  }

  /// A day of samples, counted as those of an export are (R18).
  ///
  /// - Parameter samples: each sample once, in any order; those that lie elsewhere do no harm.
  package init(
    of samples: [TypedSample], in window: DayWindow,
    metrics: Set<DailyMetric> = Set(DailyMetric.allCases), wantsDetail: Bool = false
  ) throws(LedgerError) {
    var writers = SampleWriters(of: samples)
    var leftOut: [LeftOut: Int] = [:]
    let counted = Self.counted(samples, &writers, in: window, metrics, &leftOut)
    self.leftOut.add(leftOut)
    do throws(ReportingDay.Failure) {
      let wanted = DailyMetric.allCases.filter(metrics.contains).map(CountedMetric.init)
      let figures = try DayFigures(wanted, of: counted, in: window, order: writers.order)
      readings = figures.readings.sayable
      if saysAnything { notes = figures.notes + window.notes }
      if wantsDetail {
        detail = try DayDetail(
          figures, of: counted, in: window, order: writers.order, label: writers.label)
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// The samples that count, each in the unit of its kind.
  private static func counted(
    _ samples: [TypedSample], _ writers: inout SampleWriters, in window: DayWindow,
    _ metrics: Set<DailyMetric>, _ leftOut: inout [LeftOut: Int]
  ) -> DaySamples {
    var wanted = Set(metrics.map(\.kind))
    // A pressure counts with its other half alone.
    let both: Set = [SampleKind.bloodPressureSystolic, .bloodPressureDiastolic]
    if !wanted.isDisjoint(with: both) { wanted.formUnion(both) }
    var found: [(sample: QuantitySample, kind: SampleKind, isConvertible: Bool)] = []
    var pressures = PressureHalves()
    for sample in samples where wanted.contains(sample.kind) {
      do throws(LeftOut) {
        let quantity = try sample.kind.checked(
          sample.value, in: sample.unit, from: sample.start, to: sample.end)
        guard sample.start < window.range.upperBound else { continue }
        let own = QuantitySample(
          start: sample.start, end: sample.end, quantity: quantity ?? sample.value,
          source: writers.number(of: sample))
        pressures.add(own, kind: Int(sample.kind.rawValue))
        found.append((own, sample.kind, quantity != nil))
      } catch {
        leftOut[error, default: 0] += 1
      }
    }
    found.sort {
      let (a, b) = ($0.sample, $1.sample)
      return (a.start, a.source, a.end, a.quantity) < (b.start, b.source, b.end, b.quantity)
    }
    var counted = DaySamples()
    for (sample, kind, isConvertible) in found {
      let number = Int(kind.rawValue)
      if !pressures.isPaired(sample, kind: number) {
        leftOut[.unpaired, default: 0] += 1
        continue
      }
      let span = kind == .sleepAnalysis ? window.night : window.range
      guard sample.start >= span.lowerBound || sample.end > span.lowerBound else { continue }
      counted.add(sample, kind: number, isConvertible: isConvertible)
    }
    return counted
  }
}
