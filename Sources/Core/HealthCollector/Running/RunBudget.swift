import HealthModel

/// Cuts a run of a collector into pieces of at most 30 s, as a pure state machine.
///
/// A phone's system ends a background task after 30 s. So a run (collect, sync, recompute, push) is
/// done in units, such as a feed, a sync or a day, and the budget says which unit fits into what is
/// left of the piece. What does not fit goes on in the next piece, also after the process has ended:
/// keep `saved` and begin with it. It reads no clock: times are those of a clock that never goes back.
///
/// - A piece ends 4 s before its limit, so that a unit that is cut then can end cleanly.
/// - Each piece begins at least one unit, so that every run ends, even if a unit takes longer than
///   such units have taken before.
/// - A step with more to do keeps its turn for half a piece. Then the next one has its turn, so that
///   a week of samples does not keep the first of them from being uploaded.
///
/// ```swift
/// func onePiece(_ saved: [UInt8]?, work: (RunBudget.Step) -> Bool) -> [UInt8] {
///   var budget = RunBudget(BackgroundTask.processing.steps, resuming: saved)
///   let clock = ContinuousClock()
///   let start = clock.now
///   budget.begin(at: .zero)
///   while case .perform(let step, within: _) = budget.next(at: clock.now - start) {
///     budget.performed(hasMore: work(step), at: clock.now - start)
///   }
///   return budget.saved
/// }
/// ```
public struct RunBudget: Hashable, Sendable {
  /// What a run is made of.
  public enum Step: String, CaseIterable, Hashable, Sendable {
    /// Move new samples into the queue.
    case collect
    /// Upload what is queued.
    case sync
    /// Publish the days that may have changed.
    case recompute
    /// Push the newest values to a gateway.
    case push
  }

  /// What comes next.
  public enum Action: Hashable, Sendable {
    /// Do one unit of the step. What is not done after this time must be stopped, and is not lost.
    case perform(Step, within: Duration)
    /// End the piece and keep `saved`. `isComplete` says that the run has nothing more to do.
    case end(isComplete: Bool)
  }

  /// The longest piece.
  public static let longestPiece = Duration.seconds(30)
  /// What is kept free at the end of a piece, to stop a unit and to record what was done.
  public static let reserve = Duration.seconds(4)

  private let steps: [Step]
  /// Those that have more to do; the first has its turn.
  public private(set) var remaining: [Step]
  /// How long a unit is expected to take, in milliseconds.
  private var expected: [Step: Int]
  private var piece = Piece()

  private struct Piece: Hashable {
    var start = Duration.zero
    var end = Duration.zero
    var units = 0
    var running: Step?
    var runningSince = Duration.zero
    /// What the step that has its turn has used of the piece.
    var used = Duration.zero
  }

  /// A run.
  ///
  /// - Parameters:
  ///   - steps: what is to be done, in this order.
  ///   - saved: what the last piece left: it goes on from there. A new run begins where it is nil,
  ///     complete, damaged, or of a run with other steps.
  public init(_ steps: [Step] = Step.allCases, resuming saved: [UInt8]? = nil) {
    var known: Set<Step> = []
    self.steps = steps.filter { known.insert($0).inserted }
    (remaining, expected) = (self.steps, [:])
    guard let saved, let left = Saved(saved), left.steps == self.steps else { return }
    expected = left.expected
    if !left.remaining.isEmpty { remaining = left.remaining }
  }

  /// Begins a piece.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - limit: what the system grants; more than 30 s are taken for 30 s.
  public mutating func begin(at now: Duration, limit: Duration = longestPiece) {
    let usable = max(.zero, min(limit, Self.longestPiece) - Self.reserve)
    piece = Piece(start: now, end: now + usable)
  }

  /// What comes next. Answer a `perform` with `performed`.
  public mutating func next(at now: Duration) -> Action {
    guard !remaining.isEmpty else { return .end(isComplete: true) }
    let left = piece.end - now
    guard left > .zero, let step = fitting(into: left) else { return .end(isComplete: false) }
    piece.units += 1
    (piece.running, piece.runningSince) = (step, now)
    return .perform(step, within: left)
  }

  /// Takes what became of a unit.
  ///
  /// - Parameters:
  ///   - hasMore: whether the step has more to do in this run; true for a unit that was stopped. A
  ///     step that failed has no more: the next run tries it again.
  ///   - now: the time.
  public mutating func performed(hasMore: Bool, at now: Duration) {
    guard let step = piece.running else { return }
    piece.running = nil
    let took = max(.zero, now - piece.runningSince)
    // The longest of late: one quick unit does not promise that the next is quick.
    expected[step] = max(took.milliseconds, expected[step, default: 0] * 3 / 4)
    // What merely filled the rest of a piece takes no turn from the step that did not fit.
    let hasTurn = step == remaining.first
    if hasTurn { piece.used += took }
    let wasLong = piece.used * 2 >= piece.end - piece.start
    guard !hasMore || (hasTurn && wasLong) else { return }
    remaining.removeAll { $0 == step }
    if hasMore { remaining.append(step) }
    if hasTurn { piece.used = .zero }
  }

  /// The first step whose next unit is expected to fit. In a piece without a unit yet it is the one
  /// that has its turn, whatever is expected of it.
  private func fitting(into left: Duration) -> Step? {
    piece.units == 0
      ? remaining.first
      : remaining.first { .milliseconds(expected[$0, default: 0]) <= left }
  }

  /// What is left of the run, to be kept until the next piece. Small: less than 500 bytes.
  public var saved: [UInt8] {
    Saved(steps: steps, remaining: remaining, expected: expected).bytes
  }
}

/// What outlasts a piece.
private struct Saved {
  var steps: [RunBudget.Step]
  var remaining: [RunBudget.Step]
  var expected: [RunBudget.Step: Int]

  var bytes: [UInt8] {
    func names(_ steps: [RunBudget.Step]) -> JSONValue {
      .array(steps.map { .string($0.rawValue) })
    }
    return JSONValue.object([
      "steps": names(steps), "remaining": names(remaining),
      "expected_ms": .object(
        Dictionary(
          uniqueKeysWithValues: expected.map { ($0.key.rawValue, .number(Double($0.value))) })),
    ]).canonicalBytes
  }
}

extension Saved {
  /// Nil for bytes that are damaged.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 4096, let value = try? JSONValue(parsing: bytes, maximumDepth: 4),
      let steps = Self.steps(value["steps"]), let remaining = Self.steps(value["remaining"]),
      Set(remaining).count == remaining.count, Set(remaining).isSubset(of: steps)
    else { return nil }
    var expected: [RunBudget.Step: Int] = [:]
    for step in steps {
      // At most an hour: no unit of a piece takes longer.
      expected[step] = value["expected_ms"]?[step.rawValue]?.numberValue
        .flatMap { Int(exactly: $0.rounded()) }.map { min(max(0, $0), 3_600_000) }
    }
    self.init(steps: steps, remaining: remaining, expected: expected)
  }

  private static func steps(_ value: JSONValue?) -> [RunBudget.Step]? {
    guard let names = value?.arrayValue, names.count <= 16 else { return nil }
    let steps = names.compactMap { $0.stringValue.flatMap(RunBudget.Step.init) }
    return steps.count == names.count ? steps : nil
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    Int(clamping: components.seconds) * 1000
      + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
