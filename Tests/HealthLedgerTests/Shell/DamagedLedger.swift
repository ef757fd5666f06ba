import HealthModel
import ObjectStore
import StoreTesting

@testable import HealthLedger

/// Days damaged at random in every way that R34 names, and in several at once.
struct DamagedLedger {
  let bench = LedgerBench()
  let range: DateRange

  init(days: Int, seed: UInt64) async throws {
    var generator = SplitMix64(seed: seed)
    let first = try Sample.date("2026-02-20")
    let dates = (0..<days).compactMap { first.adding(days: $0) }
    range = try DateRange(from: dates[0], to: dates[days - 1])
    for date in dates { try await damage(date, &generator) }
    // Outside the range, and outside any day.
    try await bench.place("health/v0/data/2026/02/19/latest.json", [0x7B])
    try await bench.place("health/v0/data/2026/junk", [1])
    try await bench.place("other/health/v0/data/2026/02/20/latest.json", [1])
  }

  private func damage(_ date: CalendarDate, _ generator: inout SplitMix64) async throws {
    let layout = bench.ledger.layout
    var ids: [RevisionID] = []
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let id = Sample.id(
        Int.random(in: 0...9, using: &generator),
        entropy: UInt32.random(in: 0...0xFF, using: &generator))
      ids.append(id)
      let draft = try Sample.draft(
        steps: Double.random(in: 0...9, using: &generator).rounded(), on: date)
      let sound = Sample.body(draft, id)
      let body: [UInt8] =
        switch Int.random(in: 0...7, using: &generator) {
        case 0: Array("{}".utf8)
        case 1: sound.dropLast(3) + []
        case 2: [UInt8](repeating: 0x20, count: 70_000)
        case 3: Sample.body(draft, Sample.id(-500))
        default: sound
        }
      try await bench.place(layout.revisionKey(date, id).rawValue, body)
    }
    try await placePointer(date, ids.sorted(), &generator)
    let prefix = layout.dayPrefix(date)
    for name in [
      "note.txt", "revisions/x.json", "revisions/\(Sample.id(1)).json.tmp", "latest.JSON",
    ]
    where Int.random(in: 0...5, using: &generator) == 0 {
      try await bench.place(prefix + name, [1, 2])
    }
  }

  private func placePointer(
    _ date: CalendarDate, _ ids: [RevisionID], _ generator: inout SplitMix64
  ) async throws {
    let key = bench.ledger.layout.pointerKey(date).rawValue
    switch Int.random(in: 0...7, using: &generator) {
    case 0: return
    case 1: try await bench.place(key, Array("{}".utf8))
    case 2: try await bench.place(key, [UInt8](repeating: 0x20, count: 5000))
    case 3:
      try await bench.placePointer(date, to: Sample.id(Int.random(in: -9...19, using: &generator)))
    case 4:
      // Another day's pointer, copied here.
      let other = LatestPointer(date: range.to.adding(days: 9) ?? date, revisionID: Sample.id(1))
      try await bench.place(key, other.encoded)
    case 5:
      if let id = ids.randomElement(using: &generator) {
        try await bench.placePointer(date, to: id)
      }
    default:
      if let id = ids.last { try await bench.placePointer(date, to: id) }
    }
  }
}
