package import HealthLedger
package import HealthModel

/// Why an input has no usable days.
package struct IntakeError: Error, Hashable, Sendable {
  /// What to do, for front ends to word.
  package enum Advice: Hashable, Sendable {
    /// The file does not exist.
    case checkInputPath
    /// The order of sources was given for an input that has already merged its sources.
    case leaveOutSourcePriority
    /// Only the day of the export remains, and it was not over.
    case includeExportDay(CalendarDate)
    /// The export has days, but none of the requested dates.
    case askForOtherDates
    /// The input has several days, this being the last, but no date was given.
    case chooseDates(last: CalendarDate)
    /// The input has days, but not the requested one.
    case askForHeldDate
    /// The input has days, but none that a collector's run looks at.
    case collectFurther
    /// What was read of a source before is not known any more.
    case resetAnchors
    /// Many samples are gone that the last export had.
    case confirmLoss
    /// The dates are in the future.
    case allowFuture
    /// The dates are before 1900.
    case allowPast
    /// One of several payloads may be a metrics JSON.
    case publishMetricsAlone
    /// The time zone database does not have the name.
    case nameZone
    /// The variable TZ does not hold a zone's name. `meant` is the intended zone, if it is known.
    case setZone(meant: String?)
    /// The input has no number of a day, but workouts.
    case exportWorkouts(of: String)
    /// No zone was given, and this machine's is not the one in which the rows were written.
    case giveZone
  }

  /// What failed, with a remedy if it is the same for every front end.
  package var failure: LedgerError
  package var advice: Advice?
  /// The setting that names the input, if the caller did not name it.
  package var origin: String?

  package init(_ failure: LedgerError, advice: Advice? = nil) {
    (self.failure, self.advice) = (failure, advice)
  }

  /// The same, of an input that a setting names.
  func named(by origin: String?) -> IntakeError {
    guard failure.code == .invalidArguments else { return self }
    var named = self
    named.origin = origin ?? named.origin
    return named
  }

  /// An error of the given code, with a remedy that suits every front end.
  package init(
    _ code: LedgerError.Code, _ message: String, rule: String? = nil,
    remedy: LedgerError.Remedy? = nil
  ) {
    self.init(LedgerError(code, message, rule: rule, remedy: remedy))
  }

  /// An error of the given code, with a remedy that each front end words.
  init(_ code: LedgerError.Code, _ message: String, rule: String? = nil, advice: Advice) {
    self.init(LedgerError(code, message, rule: rule), advice: advice)
  }
}

extension IntakeError {
  /// An input without a metric that is read, with what else is known of it.
  static func noMetrics(
    _ name: String, workouts: Int = 0, notes: [IntakeNote]
  ) -> IntakeError {
    let held =
      workouts == 0 ? "" : workouts == 1 ? "1 workout and " : "\(workouts.grouped) workouts and "
    let message = "\(name) holds \(held)none of the metrics that are read"
    var error =
      workouts == 0
      ? IntakeError(.dataNotFound, message, remedy: "check what was exported")
      : IntakeError(.dataNotFound, message, advice: .exportWorkouts(of: name))
    error.failure.details = notes.compactMap { note in
      if case .text(let text) = note { .init(text) } else { nil }
    }
    return error
  }

  /// An input that can't be read, with all its problems.
  package init(_ error: SourceError, _ name: String) {
    if error.code == .spool {
      self.init(
        .storageUnavailable, error.problems.first?.message ?? "a temporary file failed",
        remedy: error.problems.first.map { .init($0.remedy) })
      return
    }
    let more = error.problemCount - error.problems.count
    guard error.problemCount > 1, let first = error.problems.first else {
      let problem = error.problems.first
      let place = problem.map { $0.pointer.isEmpty ? "" : "\($0.pointer): " } ?? ""
      self.init(
        .invalidArguments, "\(name): \(place)\(problem?.message ?? "not readable")",
        remedy: problem.map { .init($0.remedy) })
      return
    }
    self.init(
      .invalidArguments, "\(name) has \(error.problemCount.grouped) problems:",
      remedy: "correct them, beginning at \(first.pointer.isEmpty ? "the top" : first.pointer)")
    failure.details = error.problems.map { problem in
      let place = problem.pointer.isEmpty ? "" : "\(problem.pointer): "
      return .init("\(place)\(problem.message)", remedy: .init(problem.remedy))
    }
    if more > 0 { failure.details.append(.init("and \(more.grouped) more")) }
  }

  /// A day or a zone that does not exist.
  package init(_ failure: ReportingDay.Failure) {
    switch failure {
    case .unknownTimeZone(let name):
      self.init(
        .invalidArguments, "the time zone database has no \"\(name)\"", rule: "R4",
        advice: .nameZone)
    case .noTimeZoneDatabase:
      self.init(
        .invalidArguments, "this machine has no time zone database", rule: "R4",
        remedy: "install the package tzdata, or name the folder of the zone files with TZDIR")
    case .skippedDate(let date, let zone):
      self.init(
        .invalidArguments, "\(zone) skipped \(date): that day did not exist there", rule: "R4",
        remedy: "leave the date out, or name another zone")
    }
  }

  /// Zones by period that can't be parsed.
  package init(_ failure: ReportingZones.Failure) {
    let form = "write the first zone alone and each further one with its first day, as in "
    let example = "Europe/Paris, America/New_York@2024-03-02"
    switch failure {
    case .unknown(let name): self.init(ReportingDay.Failure.unknownTimeZone(name))
    case .badDate(let text):
      self.init(
        .invalidArguments, "\"\(text.prefix(40))\" is not a valid first date of a time zone",
        rule: "R1", remedy: .text(form + example))
    case .needsFirst:
      self.init(
        .invalidArguments, "no time zone is given for the time before the first date",
        rule: "R4", remedy: .text(form + example))
    case .needsDate(let name):
      self.init(
        .invalidArguments, "the time zone \(name) has no first date", rule: "R4",
        remedy: .text(form + example))
    case .twice(let date):
      self.init(
        .invalidArguments, "two time zones begin on \(date)", rule: "R4",
        remedy: "give each date one zone")
    }
  }
}

extension LedgerError.Remedy {
  /// A remedy of an input as one of the ledger.
  init(_ remedy: SourceError.Remedy) {
    self =
      switch remedy {
      case .text(let words): .text(words)
      case .nameTheDate: .nameTheDate
      case .publishAlone: .publishAlone
      case .importExport: .importExport
      }
  }
}
