import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import StoreTesting
import Testing

@testable import StreamDays

/// Exports of different ages that are imported, queued and uploaded in any order (R20, R49).
@Suite(.unit, .slow) struct ExportHistoryTests {
  @Test func `a day is that of the newest export, however each of them arrived (R49)`() async throws
  {
    var corrected = 0
    for seed in 0..<300 {
      var history = ExportHistory(seed: UInt64(seed))
      let (shown, allowed) = try await history.run()
      #expect(allowed.contains(shown), "seed \(seed): \(history.log.joined(separator: ", "))")
      if history.isCorrected { corrected += 1 }
    }
    // A later export in the stream over an earlier import is the case that this is about.
    #expect(corrected > 50)
  }
}

/// Two exports, the second with some samples more and some fewer, and how they reach a store.
private struct ExportHistory {
  private struct Export {
    let made: String
    /// By hour: weights, and steps.
    var weights: [Int: Double] = [:]
    var steps: [Int: Double] = [:]

    var numbers: [DailyMetric: Double] {
      var numbers: [DailyMetric: Double] = [:]
      if !weights.isEmpty {
        let mean = weights.values.reduce(0, +) / Double(weights.count)
        numbers[.weight] = (mean * 1e6).rounded() / 1e6
      }
      if !steps.isEmpty { numbers[.steps] = steps.values.reduce(0, +) }
      return numbers
    }
  }

  private enum Step: String { case queueFirst, queueSecond, importFirst, importSecond, derive }

  private(set) var log: [String] = []
  private(set) var isCorrected = false
  private var random: SplitMix64
  private var exports = [
    Export(made: "2026-03-03T09:00:00Z"), Export(made: "2026-03-04T09:00:00Z"),
  ]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    for hour in 6..<22 {
      // Quarters, so that a sum is exact in any order.
      let (weight, steps) = (
        Double.random(in: 280...320, using: &random).rounded() / 4,
        Double(Int.random(in: 1...2000, using: &random))
      )
      for place in exports.indices {
        if Int.random(in: 0..<4, using: &random) == 0 { exports[place].weights[hour] = weight }
        if Int.random(in: 0..<2, using: &random) == 0 { exports[place].steps[hour] = steps }
      }
    }
  }

  /// What the day shows at the end, and what it may show.
  mutating func run() async throws -> (
    shown: [DailyMetric: Double], allowed: [[DailyMetric: Double]]
  ) {
    let world = try StreamWorld(at: "2026-03-05T12:00:00Z")
    let person = Collector(collectorID: UUID(), deviceID: UUID())
    var steps: [Step] = [.queueFirst, .queueSecond, .importFirst, .importSecond]
      .filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
    steps.shuffle(using: &random)
    // A queue sends what differs from the export before, and refuses an older one.
    if let first = steps.firstIndex(of: .queueFirst),
      let second = steps.firstIndex(of: .queueSecond), second < first
    {
      steps.swapAt(first, second)
    }
    for step in steps {
      log.append(step.rawValue)
      switch step {
      case .queueFirst: try await send(exports[0], after: nil, world)
      case .queueSecond:
        let isNext = log.contains(Step.queueFirst.rawValue)
        try await send(exports[1], after: isNext ? exports[0] : nil, world)
      case .importFirst: try await publish(exports[0], as: person, world)
      case .importSecond: try await publish(exports[1], as: person, world)
      case .derive: break
      }
      world.advance(60)
      if Bool.random(using: &random) {
        log.append(Step.derive.rawValue)
        _ = try await world.derive("2026-03-02")
      }
    }
    _ = try await world.derive("2026-03-02")
    let shown = try await world.latest("2026-03-02")?.revision.readings.compactMapValues(\.number)
    return (shown ?? [:], allowed(of: Set(steps)))
  }

  private mutating func allowed(of steps: Set<Step>) -> [[DailyMetric: Double]] {
    guard !steps.isDisjoint(with: [.queueSecond, .importSecond]) else {
      return [steps.isEmpty ? [:] : exports[0].numbers]
    }
    var numbers = exports[1].numbers
    guard steps.contains(.importFirst) else { return [numbers] }
    if !steps.contains(.importSecond) {
      isCorrected = true
      // Without a sample or a deletion nothing says that the number is gone.
      if !steps.contains(.queueFirst) {
        numbers[.weight] = numbers[.weight] ?? exports[0].numbers[.weight]
      }
    }
    // A smaller sum may be one of which not all has arrived. An import that says what the day has already is
    // not stored, and so counts for nothing.
    var larger = numbers
    larger[.steps] = exports.compactMap { $0.numbers[.steps] }.max()
    return [numbers, larger]
  }

  private func publish(_ export: Export, as collector: Collector, _ world: StreamWorld) async throws
  {
    let day = try ReportingDay(date: world.date("2026-03-02"), timeZoneName: world.zone)
    _ = try await world.ledger.publish(
      DayDraft(
        day: day, collector: collector, source: .appleHealthExport,
        readings: export.numbers.mapValues { .value($0) },
        capturedAt: Timestamp(export.made)
      ).export)
  }

  /// Sends what an export has that the one before had not, and the other way round.
  private func send(_ export: Export, after old: Export?, _ world: StreamWorld) async throws {
    func entries(
      _ kind: String, _ unit: String, _ new: [Int: Double], _ old: [Int: Double], id: Int
    ) throws -> [StreamEntry] {
      try Set(new.keys).symmetricDifference(old.keys).sorted().map { hour in
        let said = new[hour].map { #""value":\#($0),"unit":"\#(unit)","source":"Phone""# }
        return try Entries.entry(
          """
          {"sample_type":"HKQuantityTypeIdentifier\(kind)","feed":"apple_health_export",\
          "timestamp":"2026-03-02T\(hour < 10 ? "0" : "")\(hour):00:00Z",\
          "uuid":"\(Entries.uuid(id + hour))","exported_at":"\(export.made)",\
          \(said ?? #""deleted":true"#)}
          """)
      }
    }
    var all = try entries("BodyMass", "kg", export.weights, old?.weights ?? [:], id: 100)
    all += try entries("StepCount", "count", export.steps, old?.steps ?? [:], id: 200)
    if old == nil {
      // The next morning: exports go on after the day.
      all.append(
        try Entries.entry(
          """
          {"sample_type":"HKQuantityTypeIdentifierBodyMass","feed":"apple_health_export",\
          "timestamp":"2026-03-03T07:00:00Z","uuid":"\(Entries.uuid(1))","value":70,"unit":"kg",\
          "source":"Phone","exported_at":"\(export.made)"}
          """))
    }
    try await world.send(all)
  }
}
