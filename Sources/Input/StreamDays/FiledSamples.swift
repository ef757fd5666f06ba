import HealthCollector
package import HealthModel
import HealthSources
import HealthStreams

/// The samples that bear on one day, by kind and feed (R49). Pure: the result depends on the set of
/// what was added, never on the order.
package struct FiledSamples: Sendable {
  /// The day, in its zone.
  package let day: ReportingDay
  /// The zones of the day and of the dates around it.
  let zones: ReportingZones
  let own: Range<Timestamp>
  private let near: Range<Timestamp>
  private let window: DayWindow
  /// The feeds of each kind; there are few.
  private var kinds: [[Feed]] = Array(repeating: [], count: SampleKind.allCases.count)
  /// Whether a feed with all of a person's samples has a sample after the day, or says that the next one
  /// begins after it. Samples arrive in the order of time, so else some of the day may still be missing.
  private var goesOn = false
  /// What was not counted, of the entries that begin on the day.
  private(set) var leftOut = LeftOutEntries()

  struct Feed: Sendable {
    let name: String
    var samples = FeedSamples()
  }

  /// The feeds of a kind.
  func feeds(of kind: SampleKind) -> [Feed] { kinds[Int(kind.rawValue)] }

  /// The feed of a kind that counts: two may have the same samples under other ids (R49). A feed
  /// without samples of the day counts only if there is no other: all of its samples were deleted,
  /// or are of the evening before.
  func best(of kind: SampleKind) -> Feed? {
    let feeds = feeds(of: kind)
    let filled = feeds.filter { $0.samples.count > 0 }
    return (filled.isEmpty ? feeds : filled).min { a, b in
      a.samples.isBetter(than: b.samples, named: a.name, b.name, after: wholeAfter)
    }
  }

  /// The moment after which a complete feed has all of the day; nil if that can't be known.
  private var wholeAfter: Timestamp? { goesOn ? own.upperBound : nil }

  /// When a feed had all of a person's samples of the day; nil if some may be missing.
  ///
  /// - Parameter hasNumber: whether the samples give a number. Without a number, samples may
  ///   still be missing, unless some were deleted.
  func wholeSince(_ feed: Feed, hasNumber: Bool) -> Timestamp? {
    feed.samples.wholeSince(feed.name, wholeAfter, hasNumber: hasNumber)
  }

  /// - Parameters:
  ///   - batches: those that are filed for the date (`TouchedDates.filed`).
  ///   - day: the day, in its zone.
  ///   - zones: the zones of the day and of the dates around it, to which some of its moments may belong.
  init(of batches: [StoredSamples], on day: ReportingDay, in zones: ReportingZones) {
    (self.day, self.zones) = (day, zones)
    own = zones.moments(of: day)
    // Also the night that ends on the day, with an hour for clocks that are set.
    near = own.lowerBound.adding(seconds: -7 * 3600)..<own.upperBound
    let range = own.lowerBound.secondsSince1970..<own.upperBound.secondsSince1970
    window = DayWindow(day: day, range: range, night: zones.night(endingOn: day) ?? range)
    goesOn = batches.contains { batch in
      batch.followedAt(in: CompleteFeed.appleExport).map { $0 >= own.upperBound } ?? false
    }
    var (forms, place) = (Forms(), -1)
    CountedSamples(batches).forEach { sample, batch, next in
      if place != next { (forms, place) = (Forms(), next) }
      add(sample, of: batch, &forms)
    }
  }

  /// What the labels of a batch stand for, each looked up once.
  private struct Forms {
    struct Known {
      let form: Result<TypedSample.Form, TypedSample.Fault>
      let capturedAt: Timestamp
      /// Whether its feed is one with all of a person's samples.
      let isOfAll: Bool
    }

    private var known: [Int: Known] = [:]
    /// Most samples have the label of the one before.
    private var last: (label: Int, known: Known)?

    mutating func find(_ sample: StoredSamples.Sample, in batch: StoredSamples) -> Known {
      if let last, last.label == sample.label { return last.known }
      let label = batch.label(sample)
      let found =
        known[sample.label]
        ?? Known(
          form: Self.form(batch.word(label.type), batch.word(label.unit)),
          capturedAt: batch.capturedAt(label),
          isOfAll: batch.word(label.feed) == CompleteFeed.appleExport)
      known[sample.label] = found
      last = (sample.label, found)
      return found
    }

    private static func form(
      _ type: String, _ unit: String
    ) -> Result<TypedSample.Form, TypedSample.Fault> {
      do throws(TypedSample.Fault) {
        return .success(try TypedSample.Form(type: type, unit: unit))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Adds a sample that counts, or a deletion.
  private mutating func add(
    _ sample: StoredSamples.Sample, of batch: StoredSamples, _ forms: inout Forms
  ) {
    let (label, known) = (batch.label(sample), forms.find(sample, in: batch))
    let (start, end) = (sample.start.secondsSince1970, sample.end.secondsSince1970)
    guard !sample.isDeletion else {
      // A deletion of another type takes nothing away.
      guard case .success(let form) = known.form, isOfDay(form.kind, start, end) else { return }
      change(form.kind, batch.word(label.feed)) { $0.delete(known.capturedAt) }
      return
    }
    if known.isOfAll, sample.start >= own.upperBound { goesOn = true }
    do throws(TypedSample.Fault) {
      try TypedSample.check(from: sample.start, to: sample.end, receivedAt: batch.receivedAt)
      let typed = TypedSample(
        try known.form.get(), value: sample.value, source: batch.word(label.source),
        hardware: batch.word(label.hardware), isUserEntered: sample.isUserEntered, start: start,
        end: end)
      if typed.kind.isCategory, !typed.kind.hasCategory(typed.value), own.contains(sample.start) {
        leftOut.addCategory()
      }
      guard isNear(start, end) else { return }
      let isOfDay = isOfDay(typed.kind, start, end)
      change(typed.kind, batch.word(label.feed)) {
        $0.add(typed, isOfDay: isOfDay, capturedAt: known.capturedAt)
      }
    } catch {
      if own.contains(sample.start) { leftOut.add(error) }
    }
  }

  private func isNear(_ start: Int, _ end: Int) -> Bool {
    start < near.upperBound.secondsSince1970
      && max(end, start + 1) > near.lowerBound.secondsSince1970
  }

  /// Whether a sample of a kind counts on the day, by its times. Only such samples decide between feeds.
  private func isOfDay(_ kind: SampleKind, _ start: Int, _ end: Int) -> Bool {
    guard let metric = Self.metrics[Int(kind.rawValue)] else { return false }
    let sample = QuantitySample(start: start, end: max(start, end), quantity: 0, source: 0)
    return metric.aggregation.reaches(sample, metric.span(of: window))
  }

  /// A metric of each kind. All metrics of one kind count its samples by the same times.
  private static let metrics = SampleKind.allCases.map { kind in
    DailyMetric.allCases.first { $0.kind == kind }.map(CountedMetric.init)
  }

  private mutating func change(
    _ kind: SampleKind, _ name: String, _ body: (inout FeedSamples) -> Void
  ) {
    let kind = Int(kind.family.rawValue)
    let index = kinds[kind].firstIndex { $0.name == name } ?? kinds[kind].count
    if index == kinds[kind].count { kinds[kind].append(Feed(name: name)) }
    body(&kinds[kind][index].samples)
  }
}

/// The samples of one kind in one feed that are near the day. All others are left out: they are many, and do
/// not count.
struct FeedSamples {
  private(set) var samples: [TypedSample] = []
  /// How many samples the day has, and their sum in the unit of their kind.
  private(set) var (count, total) = (0, 0.0)
  /// The latest moment at which any of these can have been read.
  private var capturedAt: Timestamp?
  /// The latest moment at which a sample was known to be deleted.
  private var deletedAt: Timestamp?

  mutating func add(_ sample: TypedSample, isOfDay: Bool, capturedAt moment: Timestamp) {
    samples.append(sample)
    guard isOfDay else { return }
    count += 1
    // A number that can't be converted adds nothing.
    total += sample.kind.counted(sample.value, in: sample.unit) ?? 0
    capturedAt = max(capturedAt ?? moment, moment)
  }

  mutating func delete(_ moment: Timestamp) { deletedAt = max(deletedAt ?? moment, moment) }

  /// A feed that has all of a person's samples, as an export does, and did so after the day; else
  /// the one that has more.
  func isBetter(
    than other: FeedSamples, named name: String, _ otherName: String, after end: Timestamp?
  ) -> Bool {
    let (own, others) = (isComplete(name, after: end), other.isComplete(otherName, after: end))
    if own != others { return own }
    if count != other.count { return count > other.count }
    if total != other.total { return total > other.total }
    return name.utf8.lexicographicallyPrecedes(otherName.utf8)
  }

  private func isComplete(_ name: String, after end: Timestamp?) -> Bool {
    wholeSince(name, end, hasNumber: true) != nil
  }

  func wholeSince(_ name: String, _ end: Timestamp?, hasNumber: Bool) -> Timestamp? {
    guard name == CompleteFeed.appleExport, let end else { return nil }
    let moments = [hasNumber ? capturedAt : nil, deletedAt].compactMap(\.self)
    return moments.max().flatMap { $0 >= end ? $0 : nil }
  }
}

extension SampleKind {
  /// The kind under which its feed is chosen: both halves of a blood pressure come from one.
  var family: SampleKind {
    self == .bloodPressureDiastolic ? .bloodPressureSystolic : self
  }
}
