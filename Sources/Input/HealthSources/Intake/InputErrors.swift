import HealthLedger
import HealthModel

// Why an input has no usable days, as errors of the ledger.

extension LedgerError {
  /// The same, with the setting that names the input, if a setting does.
  func named(by origin: String?) -> LedgerError {
    guard code == .invalidArguments, let origin else { return self }
    var named = self
    named.remedy = .all([remedy, "\(origin) names the source"].compactMap(\.self))
    return named
  }
}

extension LedgerError {
  /// An input without a supported metric, with what else is known about it.
  ///
  /// - Parameter skipped: how many records of such metrics could not be read.
  static func noMetrics(
    _ name: String, workouts: Int = 0, skipped: Int = 0, notes: [IntakeNote]
  ) -> LedgerError {
    let held =
      workouts == 0 ? "" : workouts == 1 ? "1 workout and " : "\(workouts.grouped) workouts and "
    let unreadable =
      skipped == 0
      ? ""
      : skipped == 1 ? "; 1 record can't be read" : "; \(skipped.grouped) records can't be read"
    let message = "\(name) holds \(held)none of the metrics that are read\(unreadable)"
    var error =
      workouts == 0
      ? LedgerError(.dataNotFound, message, remedy: "check what was exported")
      : LedgerError(.dataNotFound, message, remedy: .input(.exportWorkouts(of: name)))
    error.details = notes.compactMap { note in
      if case .text(let text) = note { .init(text) } else { nil }
    }
    return error
  }

  /// An input that can't be read, with all its problems.
  package init(_ error: SourceError, _ name: String) {
    if error.code == .spool {
      self.init(
        .storageUnavailable, error.problems.first?.message ?? "a temporary file failed",
        remedy: error.problems.first?.remedy)
      return
    }
    let more = error.problemCount - error.problems.count
    guard error.problemCount > 1, let first = error.problems.first else {
      let problem = error.problems.first
      let place = problem.map { $0.pointer.isEmpty ? "" : "\($0.pointer): " } ?? ""
      self.init(
        .invalidArguments, "\(name): \(place)\(problem?.message ?? "not readable")",
        remedy: problem?.remedy)
      return
    }
    self.init(
      .invalidArguments, "\(name) has \(error.problemCount.grouped) problems:",
      remedy: "correct them, beginning at \(first.pointer.isEmpty ? "the top" : first.pointer)")
    details = error.problems.map { problem in
      let place = problem.pointer.isEmpty ? "" : "\(problem.pointer): "
      return .init("\(place)\(problem.message)", remedy: problem.remedy)
    }
    if more > 0 { details.append(.init("and \(more.grouped) more")) }
  }
}
