import HealthCollector
import HealthModel
import HealthSources
import HealthStreams
import StoreTesting
import StreamDays
import Testing

/// Live totals beside the day function of the hub (R58).
@Suite(.unit, .slow) struct LiveTotalsTests {
  /// What a source says, and what is true of it now.
  struct World {
    var random: SplitMix64
    let day: ReportingDay
    /// By id, what counts now; nil for what was deleted.
    var alive: [String: TypedSample?] = [:]
    var sent: [StreamEntry] = []

    init(seed: UInt64, _ date: CalendarDate, _ zone: String) throws {
      random = SplitMix64(seed: seed)
      day = try ReportingDay(date: date, timeZoneName: zone)
    }

    static let kinds: [(SampleKind, String)] = [
      (.stepCount, "count"), (.stepCount, "count"), (.stepCount, "count"),
      (.distanceWalkingRunning, "m"), (.activeEnergyBurned, "kcal"), (.heartRate, "count/min"),
      (.restingHeartRate, "count/min"), (.sleepAnalysis, ""), (.appleStandHour, ""),
      (.appleExerciseTime, "min"), (.bloodPressureSystolic, "mmHg"), (.stepCount, "furlong"),
      (.bloodPressureDiastolic, "mmHg"), (.mindfulSession, ""),
    ]
    static let writers = [
      ("Ann's iPhone", "iPhone14,5", false), ("Ann's Watch", "Watch6,2", false),
      ("Ann's iPhone", "iPhone14,5", true), ("App A", "", false), ("App B", "", false),
    ]

    mutating func uuid() -> String {
      let digits = (0..<32).map { _ in String(Int.random(in: 0...15, using: &random), radix: 16) }
      let text = digits.joined()
      let cuts = [8, 12, 16, 20]
      return text.enumerated().map { cuts.contains($0.offset) ? "-\($0.element)" : "\($0.element)" }
        .joined()
    }

    mutating func entry(id: String) throws -> (StreamEntry, TypedSample) {
      let (kind, unit) = Self.kinds.randomElement(using: &random) ?? Self.kinds[0]
      let writer = Self.writers.randomElement(using: &random) ?? Self.writers[0]
      let (first, last) = (day.start.timestamp, day.end.timestamp)
      // Around the day and its night, often at the edges.
      let start = Int.random(
        in: first.secondsSince1970 - 9 * 3600...last.secondsSince1970 + 600, using: &random)
      let lengths = [0, 60, 61, 600, 600, 3600, 20_000]
      let end = start + (lengths.randomElement(using: &random) ?? 0)
      let value: Double
      switch kind {
      case .sleepAnalysis: value = Double(Int.random(in: 0...5, using: &random))
      case .appleStandHour: value = Double(Int.random(in: 0...1, using: &random))
      case .mindfulSession: value = 0
      default:
        let thousandths = Int.random(in: 0...99_999, using: &random)
        // Halves, so that sums lie where rounding decides.
        value = random.next() % 3 == 0 ? Double(thousandths / 1000) / 2 : Double(thousandths) / 1000
      }
      var members: [String: JSONValue] = [
        "sample_type": .string(kind.identifier), "uuid": .string(id),
        "timestamp": .string("\(Timestamp(secondsSince1970: start))"),
        "end_timestamp": .string("\(Timestamp(secondsSince1970: end))"),
        "value": .number(value), "unit": .string(unit), "source": .string(writer.0),
      ]
      if !writer.1.isEmpty { members["hardware"] = .string(writer.1) }
      if writer.2 { members["user_entered"] = .bool(true) }
      let entry = try StreamEntry(.object(members), of: .healthKit)
      let now = last.adding(seconds: 3600)
      let counted = try #require(
        CountedEntry(entry, feed: "", receivedAt: now))
      return (entry, try TypedSample(counted))
    }

    /// Something new, a correction, a repetition or a deletion.
    mutating func change() throws -> SampleChanges {
      var changes = SampleChanges(added: [], deleted: [], newAnchor: [], isComplete: true)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        guard let id = alive.keys.sorted().randomElement(using: &random) else { break }
        let known = sent.last { $0.id == id }
        alive[id] = .some(nil)
        let entry = try StreamEntry(
          .object([
            "sample_type": .string(known?.sampleType ?? ""), "uuid": .string(id),
            "timestamp": .string("\(known?.start ?? day.start.timestamp)"),
            "deleted": .bool(true),
          ]), of: .healthKit)
        changes.deleted = [entry]
      case 1:
        if let entry = sent.randomElement(using: &random) {
          // Only what was sent last for an id may be sent again.
          changes.added = sent.last { $0.id == entry.id }.map { [$0] } ?? []
        }
      case 2:
        guard let id = alive.keys.sorted().randomElement(using: &random) else { break }
        let (entry, sample) = try entry(id: id)
        if alive[id] != .some(nil) { alive[id] = sample }
        sent.append(entry)
        changes.added = [entry]
      default:
        let (entry, sample) = try entry(id: uuid())
        alive[entry.id] = sample
        sent.append(entry)
        changes.added = [entry]
      }
      return changes
    }

    /// The day made of all that counts, as the hub makes it.
    func scratch(_ date: CalendarDate, _ zone: String) throws -> [DailyMetric: MetricReading] {
      try StreamDay(of: alive.values.compactMap(\.self), in: DayWindow(date, in: zone)).readings
    }
  }

  /// Without optional metrics that have no number: a day's document leaves them out.
  private func comparable(_ readings: [DailyMetric: MetricReading]) -> [DailyMetric: MetricReading]
  {
    readings.filter { $0.key.isRequired || $0.value.number != nil }
  }

  @Test(arguments: [
    ("2026-07-10", "Europe/Berlin"), ("2026-03-29", "Europe/Berlin"),
    ("2026-10-25", "Europe/Berlin"), ("2026-04-05", "Australia/Lord_Howe"),
    ("2026-03-08", "America/New_York"),
  ])
  func `R58: at every moment the totals are those of a computation from scratch`(
    date: String, zone: String
  ) throws {
    let date = try #require(CalendarDate(date))
    for seed in 1...8 {
      var world = try World(seed: UInt64(seed), date, zone)
      var live = try LiveTotals(of: date, timeZoneName: zone)
      let now = world.day.end.timestamp.adding(seconds: 3600)
      for step in 1...150 {
        live.apply(try world.change(), at: now)
        // Each moment is compared where it costs little, and then now and then.
        guard step < 40 || step % 10 == 0 else { continue }
        let (found, scratch) = (live.readings, try world.scratch(date, zone))
        try #require(comparable(found) == scratch, "seed \(seed), step \(step)")
        let steps = live.number(of: .steps)
        #expect(steps == scratch[.steps]?.number)
      }
    }
  }

  @Test(arguments: [
    ("2026-03-28", "2026-03-29", "Europe/Berlin", "Europe/Berlin"),
    ("2026-10-25", "2026-10-26", "Europe/Berlin", "Europe/Berlin"),
    ("2026-07-10", "2026-07-11", "Europe/Berlin", "America/New_York"),
    ("2026-07-10", "2026-07-11", "America/New_York", "Asia/Tokyo"),
    ("2026-07-10", "2026-07-10", "Europe/Berlin", "Europe/London"),
  ])
  func `R58: midnight and a change of the zone lead to the day that a fresh start makes`(
    date: String, next: String, zone: String, later: String
  ) throws {
    let (date, next) = (try #require(CalendarDate(date)), try #require(CalendarDate(next)))
    for seed in 1...6 {
      var world = try World(seed: UInt64(100 + seed), date, zone)
      var live = try LiveTotals(of: date, timeZoneName: zone)
      let now = world.day.end.timestamp.adding(seconds: 3600)
      for _ in 1...120 { live.apply(try world.change(), at: now) }
      let before = live.readings
      let scratchBefore = try world.scratch(date, zone)
      try #require(comparable(before) == scratchBefore, "seed \(seed), before")
      if try !live.move(to: next, timeZoneName: later) {
        // The day begins before what was kept: everything is asked for again.
        #expect(live.sampleCount == 0)
        for (id, sample) in world.alive where sample != nil {
          let entry = try #require(world.sent.last { $0.id == id })
          live.apply(
            SampleChanges(added: [entry], deleted: [], newAnchor: [], isComplete: true), at: now)
        }
      }
      var (found, scratch) = (live.readings, try world.scratch(next, later))
      try #require(comparable(found) == scratch, "seed \(seed)")
      for _ in 1...30 { live.apply(try world.change(), at: now) }
      (found, scratch) = (live.readings, try world.scratch(next, later))
      try #require(comparable(found) == scratch, "seed \(seed), after")
    }
  }

  @Test func `R57: for the labels the totals say of their samples what the hub's count says`()
    throws
  {
    let (zone, date) = ("Europe/Berlin", try #require(CalendarDate("2026-07-10")))
    var worldsWithSteps = 0
    for seed in 1...6 {
      var world = try World(seed: UInt64(200 + seed), date, zone)
      var live = try LiveTotals(of: date, timeZoneName: zone)
      let now = world.day.end.timestamp.adding(seconds: 3600)
      for _ in 1...120 { live.apply(try world.change(), at: now) }
      let detail = try live.detail
      let counted = try #require(
        StreamDay(
          of: world.alive.values.compactMap(\.self), in: DayWindow(date, in: zone),
          wantsDetail: true
        ).detail)
      #expect(detail.numbers == counted.numbers, "seed \(seed)")
      #expect(detail.totals == counted.totals, "seed \(seed)")
      #expect(detail.latest.mapValues(\.end) == counted.latest.mapValues(\.end), "seed \(seed)")
      #expect(detail.heartRates.mapValues(\.end) == counted.heartRates.mapValues(\.end))
      if detail.totals[.steps]?["Apple Watch"] != nil { worldsWithSteps += 1 }
    }
    #expect(worldsWithSteps > 0)
  }

  @Test func `phone and watch count once, and a late watch takes the phone's place (R58)`()
    throws
  {
    let date = try #require(CalendarDate("2026-07-10"))
    var live = try LiveTotals(of: date, timeZoneName: "UTC")
    let now = live.day.end.timestamp
    func steps(_ count: Int, _ device: String, minute: Int, id: Int) throws -> SampleChanges {
      let start = live.day.start.timestamp.adding(seconds: minute * 60)
      let digits = String(id)
      let uuid =
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
      let entry = try StreamEntry(
        .object([
          "sample_type": .string(SampleKind.stepCount.identifier), "uuid": .string(uuid),
          "timestamp": .string("\(start)"),
          "end_timestamp": .string("\(start.adding(seconds: 600))"),
          "value": .number(Double(count)), "unit": .string("count"), "source": .string(device),
        ]), of: .healthKit)
      return SampleChanges(added: [entry], deleted: [], newAnchor: [], isComplete: true)
    }
    func expectSteps(_ count: Double, line: Int = #line) {
      let found = live.number(of: .steps)
      #expect(found == count, "line \(line)")
    }
    live.apply(try steps(1000, "iPhone", minute: 600, id: 1), at: now)
    expectSteps(1000)
    live.apply(try steps(900, "Watch", minute: 600, id: 2), at: now)
    expectSteps(900)
    live.apply(try steps(100, "Watch", minute: 605, id: 3), at: now)
    expectSteps(1000)
    // Repeated, nothing changes.
    live.apply(try steps(100, "Watch", minute: 605, id: 3), at: now)
    expectSteps(1000)
  }

  private func changes(
    _ type: String, _ value: Double, _ unit: String, from start: String, to end: String
  ) throws -> SampleChanges {
    let entry = try StreamEntry(
      .object([
        "sample_type": .string(type), "timestamp": .string(start), "end_timestamp": .string(end),
        "value": .number(value), "unit": .string(unit), "source": .string("Watch"),
      ]), of: .healthKit)
    return SampleChanges(added: [entry], deleted: [], newAnchor: [], isComplete: true)
  }

  @Test func `R18, R58: the least and the greatest of a day are of samples whose middle is in it`()
    throws
  {
    let date = try #require(CalendarDate("2026-07-10"))
    let now = try #require(Timestamp("2026-07-10T12:00:00Z"))
    // From a minute before midnight in Berlin to three minutes after it.
    let (start, end) = ("2026-07-09T21:59:00Z", "2026-07-09T22:03:00Z")
    for (day, number) in [(date, 171.0), (try #require(date.adding(days: -1)), nil)] {
      var live = try LiveTotals(of: day, timeZoneName: "Europe/Berlin")
      live.apply(
        try changes("HKQuantityTypeIdentifierHeartRate", 171, "count/min", from: start, to: end),
        at: now)
      #expect(live.number(of: .heartRateMinimum) == number)
      #expect(live.number(of: .heartRateMaximum) == number)
    }
  }

  @Test(arguments: [("2026-03-29", "2026-03-28T17:00:00Z"), ("2026-10-25", "2026-10-24T16:00:00Z")])
  func `R18, R58: the night begins at 18:00 of the day before, also where clocks change in it`(
    day: String, evening: String
  ) throws {
    let date = try #require(CalendarDate(day))
    let begin = try #require(Timestamp(evening))
    var live = try LiveTotals(of: date, timeZoneName: "Europe/Berlin")
    // Half an hour before that evening, and half an hour of it.
    live.apply(
      try changes(
        "HKCategoryTypeIdentifierSleepAnalysis", 3, "", from: "\(begin.adding(seconds: -1800))",
        to: "\(begin.adding(seconds: 1800))"), at: begin.adding(seconds: 7200))
    #expect(live.number(of: .sleepAsleep) == 30)
  }

  @Test func `R58: a sum that is kept is the sum of all samples, to the last bit`() throws {
    let span = 36_000..<122_400
    let priorities = World.writers.map {
      SourcePriority(name: $0.0, hardware: $0.1, isUserEntered: $0.2, preferred: [])
    }
    for seed in 1...400 {
      var random = SplitMix64(seed: UInt64(seed))
      var (totals, samples): (RunningTotals, [QuantitySample]) = (RunningTotals(in: span), [])
      for step in 1...60 {
        if random.next() % 12 == 0, let index = samples.indices.randomElement(using: &random) {
          totals.remove(samples.remove(at: index))
        } else {
          let start = Int.random(in: 30_000...124_000, using: &random)
          let length = [0, 0, 60, 700, 4000, 30_000].randomElement(using: &random) ?? 0
          let sample = QuantitySample(
            start: start, end: start + length,
            quantity: Double(Int.random(in: 0...300, using: &random)) / 7,
            source: Int.random(in: 0..<priorities.count, using: &random))
          samples.append(sample)
          totals.add(sample, from: priorities[sample.source])
        }
        let sorted = samples.sorted {
          ($0.start, $0.source, $0.end, $0.quantity) < ($1.start, $1.source, $1.end, $1.quantity)
        }
        let scratch = AdditiveTotals.shares(of: sorted, in: span, order: priorities).total
        try #require(totals.total == scratch, "seed \(seed), step \(step)")
      }
    }
  }

  @Test(arguments: [100, 100_000])
  func `a sample that follows the others costs the same however many there are (R58)`(
    count: Int
  ) {
    let day = 0..<86_400_000
    var totals = RunningTotals(in: day)
    let watch = SourcePriority(name: "Watch", hardware: "", isUserEntered: false, preferred: [])
    let phone = SourcePriority(name: "Phone", hardware: "", isUserEntered: false, preferred: [])
    func sample(_ place: Int, _ source: Int) -> QuantitySample {
      QuantitySample(start: place * 60, end: place * 60 + 50, quantity: 7.5, source: source)
    }
    totals.add(sample(0, 1), from: phone)
    for place in 0..<count { totals.add(sample(place, 0), from: watch) }
    let before = totals.work
    totals.add(sample(count, 0), from: watch)
    totals.add(sample(count, 1), from: phone)
    totals.add(sample(count + 1, 1), from: phone)
    // The phone's is covered first and the watch's comes late: one sample is counted again.
    totals.add(sample(count + 1, 0), from: watch)
    #expect(totals.work - before <= 12, "\(totals.work - before)")
    #expect(totals.total == 7.5 * Double(count + 2))
  }
}
