extension RunBudget {
  /// What a piece has done.
  public struct Report: Sendable {
    /// Whether the run has nothing more to do.
    public internal(set) var isComplete = false
    /// The units that were begun, in order.
    public internal(set) var units: [Step] = []
    /// Why steps failed; each is tried again in the next run.
    public internal(set) var failures: [(step: Step, error: any Error)] = []
  }

  /// Does one piece of the run: begins units while they fit, and stops the one that is under way when
  /// the time is over, by cancelling its task.
  ///
  /// If the caller's task is cancelled, as by the system's expiration handler, the unit that is under
  /// way is cancelled too, and the piece ends with it.
  ///
  /// - Parameters:
  ///   - limit: what the system grants; more than 30 s are taken for 30 s.
  ///   - keep: called with `saved` after each unit, on the caller's actor, so that a process that is
  ///     killed goes on from there.
  ///   - work: does one unit, and says whether the step has more to do. It ends soon after its task
  ///     was cancelled; what it has done by then must be durable, and done again without harm.
  public nonisolated(nonsending) mutating func perform(
    within limit: Duration = longestPiece, keep: ([UInt8]) throws -> Void = { _ in },
    _ work: @escaping @Sendable (Step) async throws -> Bool
  ) async throws -> Report {
    let clock = ContinuousClock()
    let start = clock.now
    var report = Report()
    begin(at: .zero, limit: limit)
    while !Task.isCancelled {
      guard case .perform(let step, let time) = next(at: clock.now - start) else { break }
      report.units.append(step)
      let unit = Task { try await work(step) }
      let timer = Task {
        try await Task.sleep(for: time)
        unit.cancel()
      }
      let result = await withTaskCancellationHandler {
        await unit.result
      } onCancel: {
        unit.cancel()
      }
      timer.cancel()
      switch result {
      case .success(let hasMore):
        performed(hasMore: hasMore || unit.isCancelled, at: clock.now - start)
      case .failure where unit.isCancelled: performed(hasMore: true, at: clock.now - start)
      case .failure(let error):
        report.failures.append((step, error))
        performed(hasMore: false, at: clock.now - start)
      }
      try keep(saved)
    }
    report.isComplete = remaining.isEmpty
    return report
  }
}
