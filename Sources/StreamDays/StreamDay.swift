package import HealthCollector
package import HealthModel
package import HealthSamples
package import HealthSources

/// One day of the entries of a store's streams (R45, R49). Pure: a function of the entries, the
/// zone and the rules.
package struct StreamDay: Hashable, Sendable {
  /// What the entries say of the metrics of v0.
  package private(set) var readings: [Metric: MetricReading] = [:]
  /// What they say of the further metrics.
  package private(set) var further: [DailyMetric: Double] = [:]
  /// The metrics whose samples are those of a complete feed, received after the day.
  package private(set) var whole: Set<DailyMetric> = []
  /// Remarks for people.
  package private(set) var notes: [String] = []
  /// What was not counted, of the entries that begin on the day.
  package private(set) var leftOut = LeftOutEntries()
  /// What they say beyond the numbers; nil if it was not asked for.
  package private(set) var detail: DayDetail?

  /// Whether the entries say anything of the day.
  package var saysAnything: Bool { !readings.isEmpty || !further.isEmpty }

  /// - Parameters:
  ///   - entries: those that are filed for the date (`TouchedDates.filed`), each once.
  ///   - day: the day, in its zone.
  package init(
    of entries: [CountedEntries.Entry], on day: ReportingDay, further wanted: Set<DailyMetric>,
    wantsDetail: Bool = false
  ) throws(SampleDay.Failure) {
    let own = day.start.timestamp..<max(day.start.timestamp, day.end.timestamp)
    // Also the night that ends on the day, with an hour for clocks that are set.
    let near = own.lowerBound.adding(seconds: -7 * 3600)..<own.upperBound
    var feeds: [SampleKind: [String: FeedSamples]] = [:]
    for entry in entries {
      do throws(EntryFault) {
        let sample = try TypedSample(entry)
        feeds[sample.kind.family, default: [:]][entry.feed, default: FeedSamples()]
          .add(sample, receivedAt: entry.receivedAt, near: near)
      } catch {
        if own.contains(entry.entry.start) { leftOut.add(error) }
      }
    }
    // One feed for each kind: two may have the same samples under other ids (rule 11).
    var samples: [TypedSample] = []
    for kind in SampleKind.allCases {
      guard let found = feeds[kind]?.filter({ $0.value.isNear }), !found.isEmpty else { continue }
      let best = found.min { a, b in
        a.value.isBetter(than: b.value, named: a.key, b.key, after: own.upperBound)
      }
      samples += best?.value.samples ?? []
      if let best, best.value.isComplete(best.key, after: own.upperBound) {
        whole.formUnion(DailyMetric.allCases.filter { $0.kind.family == kind })
      }
    }
    let counted = try SampleDay(
      of: samples, on: day.date, in: day.timeZoneName, further: wanted,
      wantsDetail: wantsDetail)
    leftOut.add(counted.leftOut)
    detail = counted.detail
    guard let found = counted.readings else { return }
    (readings, further, notes) = (found.readings, found.further, found.notes)
  }
}

/// The samples of one kind in one feed.
private struct FeedSamples {
  var samples: [TypedSample] = []
  /// Of the samples near the day.
  var (total, count) = (0.0, 0)
  var receivedAt: Timestamp?

  var isNear: Bool { count > 0 }

  mutating func add(_ sample: TypedSample, receivedAt: Timestamp, near: Range<Timestamp>) {
    samples.append(sample)
    let (start, end) = (near.lowerBound.secondsSince1970, near.upperBound.secondsSince1970)
    guard sample.start < end, max(sample.end, sample.start + 1) > start else { return }
    (total, count) = (total + sample.value, count + 1)
    self.receivedAt = max(self.receivedAt ?? receivedAt, receivedAt)
  }

  /// A feed that has all of a person's samples, as an export does, and did so after the day; else
  /// the one that has more.
  func isBetter(
    than other: FeedSamples, named name: String, _ otherName: String, after end: Timestamp
  ) -> Bool {
    let (own, others) = (isComplete(name, after: end), other.isComplete(otherName, after: end))
    if own != others { return own }
    if count != other.count { return count > other.count }
    if total != other.total { return total > other.total }
    return name.utf8.lexicographicallyPrecedes(otherName.utf8)
  }

  func isComplete(_ name: String, after end: Timestamp) -> Bool {
    guard let receivedAt, receivedAt >= end else { return false }
    return name == CompleteFeed.appleExport
  }
}

extension SampleKind {
  /// The kind under which its feed is chosen: both halves of a blood pressure come from one.
  fileprivate var family: SampleKind {
    self == .bloodPressureDiastolic ? .bloodPressureSystolic : self
  }
}
