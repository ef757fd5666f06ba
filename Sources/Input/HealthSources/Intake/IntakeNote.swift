import HealthLedger
package import HealthModel

/// A remark on an input, for people. Each front end words those that say what to do.
package enum IntakeNote: Hashable, Sendable {
  /// A remark that suits every front end.
  case text(String)
  /// The records name several zones. Each day uses its own zone.
  case zonesByPeriod(ReportingZones)
  /// The requested zones are not those that the records name.
  case recordsNameOthers(ReportingZones, asked: ZoneChoice)
  /// The export names no zone, and was not made in the zone of its days. `offset` and `own` are
  /// their offsets from UTC in seconds when it was made.
  case exportMadeElsewhere(offset: Int, zone: ZoneChoice, own: Int)
  /// Rows of payloads were written at another offset than the zones that were given have.
  case rowsWrittenElsewhere(OffsetMisfit)
  /// Apple's own figures agree with these only before or only after a date.
  case agreementTurns(ActivityCrossCheck.Turn, zone: ZoneChoice)
  /// This many dates, from the first to the last, are in the future and were left out.
  case leftOutFuture(count: Int, first: CalendarDate, last: CalendarDate)
  /// The same of dates before 1900.
  case leftOutPast(count: Int, first: CalendarDate, last: CalendarDate)
}

/// The progress of reading an input.
package enum IntakeProgress: Sendable {
  /// This many bytes of the input are read, of this many if the total is known.
  case reading(bytes: Int, of: Int?)
  /// Everything is read, and this many days are counted.
  case counting(days: Int)
}

extension SourceResult {
  /// The remarks on the input.
  var allNotes: [IntakeNote] {
    notes.map { .text($0) } + (misfit.map { [.rowsWrittenElsewhere($0)] } ?? [])
  }
}

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

extension LeftOut {
  /// The reason, for people.
  package var sentence: String {
    switch self {
    case .date: "dated before 1900 or after 2199"
    case .endsBeforeStart: "it ends before it begins"
    case .tooLong: "it spans more than 31 days"
    case .value: "a value below 0 or more than a day can hold"
    case .afterExport: "sleep that ends after the export was made"
    case .duplicate: "the same record again"
    case .unit: "a unit that can't be converted"
    case .category: "a value that is not known"
    case .unpaired: "systolic blood pressure without diastolic, or the reverse"
    case .workoutUnit: "a number of a workout in a unit that can't be converted"
    case .workoutNumber: "a number of a workout that is below 0 or not a number"
    case .tooManyWorkouts: "more workouts than can be kept"
    }
  }
}
