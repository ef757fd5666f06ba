import HealthCollector
import StoreTesting
import Synchronization
import TestSupport
import Testing

/// Runs in pieces, with a clock that the tests move.
@Suite(.unit) struct RunBudgetTests {
  typealias Step = RunBudget.Step

  /// Work of a random size, done in pieces until there is none left.
  private struct World {
    /// How long each unit takes, in milliseconds.
    var work: [Step: [Int]]
    var saved: [UInt8]?
    var now = Duration.seconds(1_000_000)
    /// The steps of each piece's units, in order.
    var pieces: [[Step]] = []

    init(seed: UInt64, longest: Int) {
      var random = SplitMix64(seed: seed)
      work = Dictionary(
        uniqueKeysWithValues: Step.allCases.map { step in
          let count = Int.random(in: 1...40, using: &random)
          // A unit is now and then slow.
          return (
            step,
            (0..<count).map { _ in
              Int.random(
                in: 0...(Bool.random(using: &random) ? longest / 20 : longest), using: &random)
            }
          )
        })
    }

    /// One piece, after whose end nothing but what was saved is left.
    ///
    /// - Returns: whether the run is complete.
    mutating func piece(limit: Duration = .seconds(30)) -> Bool {
      var budget = RunBudget(resuming: saved)
      let start = now
      var units: [Step] = []
      budget.begin(at: now, limit: limit)
      defer {
        pieces.append(units)
        saved = budget.saved
        #expect(now - start <= limit - RunBudget.reserve, "a piece of \(now - start)")
      }
      while true {
        switch budget.next(at: now) {
        case .end(let isComplete): return isComplete
        case .perform(let step, let time):
          #expect(time > .zero && now + time <= start + limit - RunBudget.reserve)
          units.append(step)
          let wanted = work[step]?.first ?? 0
          if .milliseconds(wanted) <= time {
            now += .milliseconds(wanted)
            work[step]?.removeFirst()
          } else {
            // Stopped. What it did is kept, as a feed or a sync keeps it.
            now += time
            let (seconds, rest) = time.components
            work[step]?[0] -= Int(seconds) * 1000 + Int(rest / 1_000_000_000_000_000)
          }
          budget.performed(hasMore: work[step]?.isEmpty == false, at: now)
        }
      }
    }
  }

  @Test(arguments: [500, 8_000, 25_000, 90_000])
  func `every run ends, in pieces that end in time, whatever its units take`(
    longest: Int
  ) {
    for seed in 0..<50 as Range<UInt64> {
      var world = World(seed: seed, longest: longest)
      let total = world.work.values.joined().reduce(0, +)
      var isComplete = false
      // Each piece does something: it is used to a third at least, or it is the last.
      while !isComplete, world.pieces.count < 20 + 3 * total / 8_000 {
        isComplete = world.piece()
        #expect(world.pieces.last?.isEmpty == false)
      }
      #expect(isComplete, "seed \(seed): \(world.pieces.count) pieces for \(total) ms")
      #expect(world.work.values.allSatisfy { $0.isEmpty })
    }
  }

  @Test func `a step that always has more to do does not block the others`() {
    for seed in 0..<20 as Range<UInt64> {
      var world = World(seed: seed, longest: 20_000)
      world.work[.collect] = Array(repeating: 3_000, count: 10_000)
      for _ in 0..<200 { _ = world.piece() }
      // Collecting goes on for weeks; the others were done meanwhile.
      let others = world.work.filter { $0.key != .collect }.values
      #expect(others.allSatisfy { $0.isEmpty })
      #expect(world.work[.collect]?.isEmpty == false)
    }
  }

  @Test func `a run begins in the order of its steps, so that what is new is uploaded`() {
    var world = World(seed: 1, longest: 10)
    for step in Step.allCases { world.work[step] = [100, 100] }
    let isComplete = world.piece()
    #expect(isComplete)
    #expect(
      world.pieces == [
        [.collect, .collect, .sync, .sync, .recompute, .recompute, .push, .push]
      ])
  }

  @Test func `what does not fit is left for the next piece, and what fits is done`() {
    var budget = RunBudget([.sync, .push])
    budget.begin(at: .zero)
    #expect(budget.next(at: .zero) == .perform(.sync, within: .seconds(26)))
    budget.performed(hasMore: true, at: .seconds(12))
    // Another 12 s fit into 14.
    #expect(budget.next(at: .seconds(12)) == .perform(.sync, within: .seconds(14)))
    budget.performed(hasMore: true, at: .seconds(24))
    // Two seconds are left: not for a sync, but for a push, of which nothing is known.
    #expect(budget.next(at: .seconds(24)) == .perform(.push, within: .seconds(2)))
    budget.performed(hasMore: false, at: .seconds(25))
    #expect(budget.next(at: .seconds(25)) == .end(isComplete: false))
    var next = RunBudget([.sync, .push], resuming: budget.saved)
    #expect(next.remaining == [.sync])
    next.begin(at: .zero)
    #expect(next.next(at: .zero) == .perform(.sync, within: .seconds(26)))
    next.performed(hasMore: false, at: .seconds(1))
    #expect(next.next(at: .seconds(1)) == .end(isComplete: true))
    // And the run after it begins anew.
    #expect(RunBudget([.sync, .push], resuming: next.saved).remaining == [.sync, .push])
  }

  @Test func `a unit that takes longer than any piece is still begun`() {
    var budget = RunBudget([.recompute])
    for _ in 0..<3 {
      budget.begin(at: .zero)
      #expect(budget.next(at: .zero) == .perform(.recompute, within: .seconds(26)))
      budget.performed(hasMore: true, at: .seconds(26))
      #expect(budget.next(at: .seconds(26)) == .end(isComplete: false))
      budget = RunBudget([.recompute], resuming: budget.saved)
    }
  }

  @Test func `whatever was saved and damaged, a run begins`() {
    var budget = RunBudget()
    budget.begin(at: .zero)
    _ = budget.next(at: .zero)
    budget.performed(hasMore: false, at: .seconds(3))
    let saved = budget.saved
    #expect(saved.count < 500)
    for index in saved.indices {
      var damaged = saved
      damaged[index] ^= 0x15
      let next = RunBudget(resuming: damaged)
      #expect(!next.remaining.isEmpty && Set(next.remaining).isSubset(of: Step.allCases))
    }
    #expect(RunBudget(resuming: []).remaining == Step.allCases)
    #expect(RunBudget([.sync], resuming: saved).remaining == [.sync])
  }

  @Test func `the identifiers are those that the app's Info.plist names`() {
    #expect(
      BackgroundTask.allCases.map { $0.identifier() } == [
        "com.jaces.ios.refresh", "com.jaces.ios.processing", "com.jaces.ios.sync",
      ])
    #expect(BackgroundTask(identifier: "com.jaces.ios.processing") == .processing)
    #expect(BackgroundTask(identifier: "org.example.sync", prefix: "org.example") == .sync)
    #expect(BackgroundTask(identifier: "org.example.sync") == nil)
  }

  @Test func `a refresh recomputes and pushes like a longer task, and what is left of it goes on`()
  {
    for task in [BackgroundTask.refresh, .processing] {
      #expect(task.steps == [.collect, .sync, .recompute, .push])
    }
    #expect(BackgroundTask.sync.steps == [.sync])
  }

  // MARK: - On the system's clock

  private struct Failed: Error {}

  @Test func `a piece stops the unit that is under way, and the next piece goes on with it`()
    async throws
  {
    var budget = RunBudget([.collect, .sync])
    let saved = Mutex<[[UInt8]]>([])
    let report = try await budget.perform(
      within: RunBudget.reserve + .seconds(2),
      keep: { bytes in saved.withLock { $0.append(bytes) } }
    ) { step in
      if step == .sync { try await Task.sleep(for: .seconds(60)) }
      return false
    }
    #expect(report.units == [.collect, .sync])
    #expect(!report.isComplete && report.failures.isEmpty)
    #expect(saved.withLock { $0.count } == 2)
    #expect(RunBudget([.collect, .sync], resuming: budget.saved).remaining == [.sync])
  }

  @Test func `a step that fails does not stop the others, and is left to the next run`()
    async throws
  {
    var budget = RunBudget([.collect, .sync])
    let report = try await budget.perform { step in
      if step == .collect { throw Failed() }
      return false
    }
    #expect(report.failures.map(\.step) == [.collect] && report.units == [.collect, .sync])
    #expect(report.isComplete)
    #expect(RunBudget([.collect, .sync], resuming: budget.saved).remaining == [.collect, .sync])
  }

  @Test func `the system's word that the time is over ends the piece at once`() async throws {
    let task = Task {
      var budget = RunBudget([.collect, .sync])
      let report = try await budget.perform { _ in
        try await Task.sleep(for: .seconds(60))
        return false
      }
      return (report.units, budget.remaining)
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    let (units, remaining) = try await task.value
    #expect(units.count <= 1 && remaining == [.collect, .sync])
  }
}
