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
  /// For each kind its feeds: few.
  private var kinds: [[Feed]] = Array(repeating: [], count: SampleKind.allCases.count)
  /// What was not counted, of the entries that begin on the day.
  private(set) var leftOut = LeftOutEntries()

  struct Feed: Sendable {
    let name: String
    var samples = FeedSamples()
  }

  /// The feeds of a kind.
  func feeds(of kind: SampleKind) -> [Feed] { kinds[Int(kind.rawValue)] }

  /// The feed of a kind that counts: two may have the same samples under other ids (R49).
  func best(of kind: SampleKind) -> Feed? {
    feeds(of: kind).filter(\.samples.isNear).min { a, b in
      a.samples.isBetter(than: b.samples, named: a.name, b.name, after: own.upperBound)
    }
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
    var (forms, place) = (Forms(), -1)
    CountedSamples(batches).forEachAlive { sample, index, batch, next in
      if place != next { (forms, place) = (Forms(), next) }
      add(sample, at: index, of: batch, &forms)
    }
  }

  /// The types and units of a batch, each looked up once.
  private struct Forms {
    typealias Found = Result<TypedSample.Form, TypedSample.Fault>

    private var known: [Int: Found] = [:]
    /// Most samples have the form of the one before.
    private var last: (label: Int, form: Found)?

    mutating func form(
      of sample: StoredSamples.Sample, in batch: StoredSamples
    ) throws(TypedSample.Fault) -> TypedSample.Form {
      if let last, last.label == sample.label { return try last.form.get() }
      let label = batch.label(sample)
      let form = known[sample.label] ?? Self.find(batch.word(label.type), batch.word(label.unit))
      known[sample.label] = form
      last = (sample.label, form)
      return try form.get()
    }

    private static func find(_ type: String, _ unit: String) -> Found {
      do throws(TypedSample.Fault) {
        return .success(try TypedSample.Form(type: type, unit: unit))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Adds a sample that counts.
  private mutating func add(
    _ sample: StoredSamples.Sample, at place: Int, of batch: StoredSamples, _ forms: inout Forms
  ) {
    let label = batch.label(sample)
    do throws(TypedSample.Fault) {
      try TypedSample.check(from: sample.start, to: sample.end, receivedAt: batch.receivedAt)
      let typed = try TypedSample(
        forms.form(of: sample, in: batch), value: sample.value, source: batch.word(label.source),
        hardware: batch.word(label.hardware), isUserEntered: sample.isUserEntered,
        start: sample.start.secondsSince1970, end: sample.end.secondsSince1970)
      let (kind, name) = (Int(typed.kind.family.rawValue), batch.word(label.feed))
      let index = kinds[kind].firstIndex { $0.name == name } ?? kinds[kind].count
      if index == kinds[kind].count { kinds[kind].append(Feed(name: name)) }
      let readAt = name == CompleteFeed.appleExport ? batch.exportedAt(place) : nil
      kinds[kind][index].samples.add(
        typed, readAt: min(readAt ?? batch.receivedAt, batch.receivedAt), near: near)
    } catch {
      if own.contains(sample.start) { leftOut.add(error) }
    }
  }
}

extension StoredSamples {
  /// When the export that a sample is of was made, if the entry says it.
  fileprivate func exportedAt(_ place: Int) -> Timestamp? {
    text(CompleteFeed.exportedAt, of: place).flatMap { Timestamp($0) }
  }

  /// The time up to which the batch can say anything: an export may have waited in a queue.
  var readAt: Timestamp {
    var last: Timestamp?
    for place in samples.indices {
      guard let exported = exportedAt(place) else { return receivedAt }
      last = max(last ?? exported, exported)
    }
    return min(last ?? receivedAt, receivedAt)
  }
}

/// The samples of one kind in one feed that are near the day: others have no part in it, and they
/// are many.
struct FeedSamples {
  var samples: [TypedSample] = []
  var total = 0.0
  /// When the newest of them was read: when it was received, or when its export was made.
  var readAt: Timestamp?

  var isNear: Bool { !samples.isEmpty }

  mutating func add(_ sample: TypedSample, readAt: Timestamp, near: Range<Timestamp>) {
    let (start, end) = (near.lowerBound.secondsSince1970, near.upperBound.secondsSince1970)
    guard sample.start < end, max(sample.end, sample.start + 1) > start else { return }
    samples.append(sample)
    total += sample.value
    self.readAt = max(self.readAt ?? readAt, readAt)
  }

  /// A feed that has all of a person's samples, as an export does, and did so after the day; else
  /// the one that has more.
  func isBetter(
    than other: FeedSamples, named name: String, _ otherName: String, after end: Timestamp
  ) -> Bool {
    let (own, others) = (isComplete(name, after: end), other.isComplete(otherName, after: end))
    if own != others { return own }
    if samples.count != other.samples.count { return samples.count > other.samples.count }
    if total != other.total { return total > other.total }
    return name.utf8.lexicographicallyPrecedes(otherName.utf8)
  }

  func isComplete(_ name: String, after end: Timestamp) -> Bool {
    guard let readAt, readAt >= end else { return false }
    return name == CompleteFeed.appleExport
  }
}

extension SampleKind {
  /// The kind under which its feed is chosen: both halves of a blood pressure come from one.
  var family: SampleKind {
    self == .bloodPressureDiastolic ? .bloodPressureSystolic : self
  }
}
