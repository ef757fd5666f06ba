internal import AppleExport
internal import HealthModel

/// A sample in three words, so that millions fit in little memory; the value is in the unit in
/// which its kind is counted.
///
/// In order of start, kind, source, length and value, so that samples that say the same follow one
/// another whatever the order of the file; of these, those inside correlations come last.
struct PackedSample: PackedWords {
  /// From the top: 36 bits of start, 7 of kind, 16 of source, typed by hand, unit unknown.
  private let head: UInt64
  /// From the top: whether it stands inside a correlation, 41 bits of its mark, 22 bits of seconds from
  /// start to end.
  private let tail: UInt64
  private let value: UInt64

  /// Words of one sample in a spool.
  static let wordCount = 3

  /// Seconds since 1970 that a sample may begin at: the years 1900 to 2199.
  static let starts = QuantitySample.starts

  /// `start` within `starts`, `length` of 0 to `QuantitySample.longestStretch`.
  init(
    start: Int, length: Int, kind: SampleKind, source: UInt16, isUserEntered: Bool,
    isConvertible: Bool, value: Double, mark: UInt64 = 0, isInCorrelation: Bool = false
  ) {
    head =
      UInt64(start - Self.starts.lowerBound) << 28 | UInt64(kind.rawValue) << 21
      | UInt64(source) << 5 | (isUserEntered ? 1 << 4 : 0) | (isConvertible ? 0 : 1 << 3)
    tail =
      UInt64(length) | mark << Self.lengthBits & ~Self.correlationBit
      | (isInCorrelation ? Self.correlationBit : 0)
    self.value = value.bitPattern
  }

  /// `QuantitySample.longestStretch` has 22.
  private static let lengthBits: UInt64 = 22
  private static let lengthMask: UInt64 = 1 << lengthBits - 1
  private static let correlationBit: UInt64 = 1 << 63

  var isInCorrelation: Bool { tail & Self.correlationBit != 0 }

  /// Whether both have the same value and time, whatever else differs.
  func saysSame(as other: PackedSample) -> Bool {
    head == other.head && value == other.value
      && tail & Self.lengthMask == other.tail & Self.lengthMask
  }

  var start: Int { Int(head >> 28) + Self.starts.lowerBound }
  var kind: Int { Int(head >> 21 & 127) }
  /// Whether its unit can be converted, and its category is known.
  var isConvertible: Bool { head >> 3 & 1 == 0 }
  var isCategory: Bool { SampleKind(rawValue: UInt8(kind))?.isCategory ?? false }

  /// As a sample of a source's typed or measured values (`SourceTable`).
  var quantity: QuantitySample {
    QuantitySample(
      start: start, end: start + Int(tail & Self.lengthMask), quantity: Double(bitPattern: value),
      source: Int(head >> 4 & 0x1FFFF))
  }

  static func < (a: PackedSample, b: PackedSample) -> Bool {
    if a.head != b.head { return a.head < b.head }
    let (length, other) = (a.tail & lengthMask, b.tail & lengthMask)
    if length != other { return length < other }
    if a.value != b.value { return a.value < b.value }
    return a.tail < b.tail
  }

  init(words: ArraySlice<UInt64>) {
    head = words[words.startIndex]
    tail = words[words.startIndex + 1]
    value = words[words.startIndex + 2]
  }

  func append(to words: inout [UInt64]) {
    words.append(head)
    words.append(tail)
    words.append(value)
  }
}

extension PackedSample {
  /// A sample of an export in the unit in which it is counted, or why it does not count.
  static func packing(_ sample: ExportSample) -> Result<PackedSample, LeftOut> {
    let (start, end) = (Int(sample.start), Int(sample.end))
    do throws(LeftOut) {
      let quantity = try sample.kind.checked(
        sample.value, in: sample.unit, from: start, to: end)
      return .success(
        PackedSample(
          start: start, length: end - start, kind: sample.kind, source: sample.source,
          isUserEntered: sample.isUserEntered, isConvertible: quantity != nil,
          value: quantity ?? sample.value, mark: sample.mark,
          isInCorrelation: sample.isInCorrelation))
    } catch {
      return .failure(error)
    }
  }
}

extension DaySamples {
  mutating func add(_ sample: PackedSample) {
    add(sample.quantity, kind: sample.kind, isConvertible: sample.isConvertible)
  }

  /// The sleep samples that begin in a night, as they are, in the order of their starts.
  func segments(of night: Range<Int>, _ sources: SourceTable) -> [SleepSegment] {
    var segments: [SleepSegment] = []
    for sample in self[.sleepAnalysis] where night.contains(sample.start) {
      guard let value = sample.sleep?.value else { continue }
      segments.append(SleepSegment(value, sample, from: sources.source(sample.source)))
    }
    segments.sort { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    // What was also typed in by hand is the same but for that mark.
    return segments.enumerated()
      .filter { $0.offset == 0 || segments[$0.offset - 1].id != $0.element.id }.map(\.element)
  }
}

/// The workouts of an export, the oldest first, handed out day by day.
struct WorkoutLine {
  private let workouts: [Workout]
  private var index = 0
  /// Workouts that stood there again.
  let duplicates: Int

  /// Takes them in any order; a repeated one counts once.
  init(_ workouts: [ExportWorkout], _ sources: [ExportSource]) {
    var known: [String: Workout] = [:]
    for workout in workouts {
      let workout = Workout(workout, from: sources[Int(workout.source)])
      // Of two records of one workout, the one that says more, whatever their order.
      if let other = known[workout.id], !other.tellsLess(than: workout) { continue }
      known[workout.id] = workout
    }
    duplicates = workouts.count - known.count
    self.workouts = known.values.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
  }

  /// When the next one begins; seconds since 1970.
  var nextStart: Int? { index < workouts.count ? Int(workouts[index].start) : nil }

  /// Those that begin before a moment and were not handed out yet.
  mutating func take(before end: Int) -> [Workout] {
    let first = index
    while index < workouts.count, Int(workouts[index].start) < end { index += 1 }
    return Array(workouts[first..<index])
  }
}

extension Workout {
  /// A workout of an export, which gives it no UUID.
  init(_ workout: ExportWorkout, from source: ExportSource) {
    let identity = SampleIdentity(
      type: workout.type, source: source.name, hardware: source.hardware, start: workout.start,
      end: workout.end)
    self.init(
      id: identity.uuid, activity: workout.activity, start: workout.start, end: workout.end,
      duration: workout.duration, source: source.name, figures: workout.figures)
  }

  fileprivate func tellsLess(than other: Workout) -> Bool {
    func numbers(_ workout: Workout) -> [Double] {
      [Double(workout.figures.count), workout.duration ?? -1]
        + WorkoutFigure.allCases.map { workout.figures[$0] ?? -1 }
    }
    return numbers(self).lexicographicallyPrecedes(numbers(other))
  }
}

extension SleepSegment {
  /// A sample of sleep of an export, which gives it no UUID.
  ///
  /// The value stands in the identity as exports write it now: what they wrote before iOS 16 as
  /// `Asleep` they write as `AsleepUnspecified` since, and it is the same sample.
  init(_ value: SleepValue, _ sample: QuantitySample, from source: ExportSource) {
    let identity = SampleIdentity(
      type: SampleKind.sleepAnalysis.identifier, source: source.name, hardware: source.hardware,
      start: Int64(sample.start), end: Int64(sample.end), value: value.exportName)
    self.init(
      id: identity.uuid, value: value, start: Int64(sample.start), end: Int64(sample.end),
      source: source.name)
  }
}

extension SleepValue {
  /// The value as an export writes it.
  fileprivate var exportName: String {
    let name =
      switch self {
      case .inBed: "InBed"
      case .asleepUnspecified: "AsleepUnspecified"
      case .awake: "Awake"
      case .asleepCore: "AsleepCore"
      case .asleepDeep: "AsleepDeep"
      case .asleepREM: "AsleepREM"
      }
    return "HKCategoryValueSleepAnalysis" + name
  }
}
