import HealthCollector
package import HealthModel
import HealthSources
import HealthStreams

/// The samples that bear on one day, by kind and feed (R49). Pure: the result depends on the set of
/// what was added, never on the order.
package struct FiledSamples: Sendable {
  /// The day, in its zone.
  package let day: ReportingDay
  /// The day with the night that ends on it.
  let window: DayWindow
  let own: Range<Timestamp>
  private let near: Range<Timestamp>
  /// The feeds of each kind; there are few.
  private var kinds: [[Feed]] = Array(repeating: [], count: SampleKind.allCases.count)
  /// What was not counted, of the entries that begin on the day.
  private(set) var leftOut = LeftOutEntries()

  struct Feed: Sendable {
    let name: String
    var samples = FeedSamples()
  }

  func feeds(of kind: SampleKind) -> [Feed] { kinds[Int(kind.rawValue)] }

  /// The feed of a kind that counts: two may have the same samples under other ids (R49). A feed
  /// without samples of the day counts only if there is no other: all of its samples are of the
  /// evening before.
  func best(of kind: SampleKind) -> Feed? {
    let feeds = feeds(of: kind)
    let filled = feeds.filter { $0.samples.count > 0 }
    return (filled.isEmpty ? feeds : filled).min { a, b in
      a.samples.isBetter(than: b.samples, named: a.name, b.name)
    }
  }

  /// - Parameters:
  ///   - batches: those that are filed for the date (`TouchedDates.filed`).
  ///   - day: the day, in its zone.
  ///   - zones: the zones of the day and of the dates around it, to which some of its moments may belong.
  init(of batches: [StoredSamples], on day: ReportingDay, in zones: ReportingZones) {
    self.day = day
    window = zones.window(of: day)
    own = zones.moments(of: day)
    // Also the night that ends on the day, with an hour for clocks that are set.
    near = own.lowerBound.adding(seconds: -7 * 3600)..<own.upperBound
    var (forms, place) = (Forms(), -1)
    CountedSamples(batches).forEach { sample, batch, next in
      guard !sample.isDeletion else { return }
      if place != next { (forms, place) = (Forms(), next) }
      add(sample, of: batch, &forms)
    }
  }

  /// What the labels of a batch stand for, each looked up once.
  private struct Forms {
    typealias Form = Result<TypedSample.Form, TypedSample.Fault>

    private var known: [Int: Form] = [:]
    /// Most samples have the label of the one before.
    private var last: (label: Int, form: Form)?

    mutating func find(_ sample: StoredSamples.Sample, in batch: StoredSamples) -> Form {
      if let last, last.label == sample.label { return last.form }
      let label = batch.label(sample)
      let found = known[sample.label] ?? Self.form(batch.word(label.type), batch.word(label.unit))
      known[sample.label] = found
      last = (sample.label, found)
      return found
    }

    private static func form(_ type: String, _ unit: String) -> Form {
      do throws(TypedSample.Fault) {
        return .success(try TypedSample.Form(type: type, unit: unit))
      } catch {
        return .failure(error)
      }
    }
  }

  private mutating func add(
    _ sample: StoredSamples.Sample, of batch: StoredSamples, _ forms: inout Forms
  ) {
    let (label, form) = (batch.label(sample), forms.find(sample, in: batch))
    let (start, end) = (sample.start.secondsSince1970, sample.end.secondsSince1970)
    do throws(TypedSample.Fault) {
      try TypedSample.check(from: sample.start, to: sample.end, receivedAt: batch.receivedAt)
      let typed = TypedSample(
        try form.get(), value: sample.value, source: batch.word(label.source),
        hardware: batch.word(label.hardware), isUserEntered: sample.isUserEntered, start: start,
        end: end)
      if own.contains(sample.start) { leftOut.add(typed, unit: batch.word(label.unit)) }
      guard isNear(start, end) else { return }
      let isOfDay = isOfDay(typed.kind, start, end)
      add(typed, isOfDay: isOfDay, from: batch.word(label.feed))
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

  private mutating func add(_ sample: TypedSample, isOfDay: Bool, from name: String) {
    let kind = Int(sample.kind.family.rawValue)
    let index = kinds[kind].firstIndex { $0.name == name } ?? kinds[kind].count
    if index == kinds[kind].count { kinds[kind].append(Feed(name: name)) }
    kinds[kind][index].samples.add(sample, isOfDay: isOfDay)
  }
}

/// The samples of one kind in one feed that are near the day. All others are left out: they are many, and do
/// not count.
struct FeedSamples {
  private(set) var samples: [TypedSample] = []
  /// How many samples the day has, and their sum in the unit of their kind.
  private(set) var (count, total) = (0, 0.0)

  mutating func add(_ sample: TypedSample, isOfDay: Bool) {
    samples.append(sample)
    guard isOfDay else { return }
    count += 1
    // A number that can't be converted adds nothing.
    total += sample.kind.counted(sample.value, in: sample.unit) ?? 0
  }

  /// Whether a feed has more than another.
  func isBetter(than other: FeedSamples, named name: String, _ otherName: String) -> Bool {
    if count != other.count { return count > other.count }
    if total != other.total { return total > other.total }
    return name.utf8.lexicographicallyPrecedes(otherName.utf8)
  }
}

extension SampleKind {
  /// The kind under which its feed is chosen: both halves of a blood pressure come from one.
  var family: SampleKind {
    self == .bloodPressureDiastolic ? .bloodPressureSystolic : self
  }
}

/// How many entries were not counted, and why.
package struct LeftOutEntries: Hashable, Sendable {
  /// By type, for types of which no metric is made.
  package private(set) var types: [String: Int] = [:]
  /// Those that last too long.
  package private(set) var tooLong = 0
  /// Those that begin before 2000 or after their receipt.
  package private(set) var time = 0
  /// Categories with a value that is not known.
  package private(set) var category = 0
  /// Those whose unit can't be converted.
  package private(set) var units = UnknownUnits()
  /// Samples that the counting left out, by its reasons.
  package private(set) var samples: [LeftOut: Int] = [:]

  package init() {}

  /// Most types that are kept by name, and most that are named.
  private static let (keptTypes, namedTypes) = (1000, 10)

  mutating func add(_ fault: TypedSample.Fault) {
    switch fault {
    case .type(let type):
      let isKept = types[type] != nil || types.count < Self.keptTypes
      types[isKept ? type : "others", default: 0] += 1
    case .tooLong: tooLong += 1
    case .time: time += 1
    }
  }

  /// Counts a sample with a value of a category that is not known, or in a unit that can't be converted.
  ///
  /// - Returns: whether it is one.
  @discardableResult
  mutating func add(_ sample: TypedSample, unit: String) -> Bool {
    if sample.kind.isCategory {
      guard !sample.kind.hasCategory(sample.value) else { return false }
      category += 1
    } else {
      guard sample.kind.counted(sample.value, in: sample.unit) == nil else { return false }
      units.add(unit, of: sample.kind)
    }
    return true
  }

  mutating func add(_ counts: [LeftOut: Int]) { samples.merge(counts, uniquingKeysWith: +) }

  /// Adds those of another day.
  package mutating func add(_ other: LeftOutEntries) {
    types.merge(other.types, uniquingKeysWith: +)
    (tooLong, time) = (tooLong + other.tooLong, time + other.time)
    category += other.category
    units.take(other.units)
    add(other.samples)
  }

  /// A sentence for each reason, for people.
  package var words: [String] {
    var words: [String] = []
    let unknown = types.values.reduce(0, +)
    if unknown > 0 {
      var names = types.keys.sorted().prefix(Self.namedTypes).joined(separator: ", ")
      if types.count > Self.namedTypes { names += " and \(types.count - Self.namedTypes) more" }
      words.append("\(Self.samples(unknown)) of types that no metric is made of: \(names)")
    }
    if tooLong > 0 { words.append("\(Self.samples(tooLong)) longer than 28 hours not counted") }
    if time > 0 {
      words.append("\(Self.samples(time)) dated before 2000 or after their receipt not counted")
    }
    if category > 0 { words.append("\(Self.samples(category)) with an unknown category value") }
    if let units = units.words { words.append(units) }
    for (reason, text) in Self.reasons {
      if let count = samples[reason], count > 0 {
        words.append("\(Self.samples(count)) \(text)")
      }
    }
    return words
  }

  private static func samples(_ count: Int) -> String {
    count == 1 ? "1 sample" : "\(count) samples"
  }

  private static let reasons: [(LeftOut, String)] = [
    (.value, "with a value out of range not counted"),
    (.unpaired, "of a blood pressure without its other half not counted"),
  ]
}
