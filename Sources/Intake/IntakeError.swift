package import HealthLedger
package import HealthModel
package import HealthSources

/// Why an input gives no days.
package struct IntakeError: Error, Hashable, Sendable {
  /// What to do, where a front end has words of its own for it.
  package enum Advice: Hashable, Sendable {
    /// There is no such file.
    case checkInputPath
    /// The order of sources was given for an input that has merged its sources already.
    case leaveOutSourcePriority
    /// Only the day of the export is left, which was not over.
    case includeExportDay(CalendarDate)
    /// The export has days, and none of the dates asked for.
    case askForOtherDates
    /// The input has several days, of which this is the last, and none was asked for.
    case chooseDates(last: CalendarDate)
    /// The input has days, and not the one asked for.
    case askForHeldDate
    /// The dates are still to come.
    case allowFuture
    /// The input is a metrics JSON, perhaps, among payloads.
    case publishMetricsAlone
    /// The name is none of the time zone database.
    case nameZone
    /// What the variable TZ holds is no zone's name; the one that was meant, where that is known.
    case setZone(meant: String?)
  }

  /// What failed; with what to do, where that is the same for every front end.
  package var failure: LedgerError
  package var advice: Advice?
  /// Who named the input, where the caller did not.
  package var origin: String?

  package init(_ failure: LedgerError, advice: Advice? = nil) {
    (self.failure, self.advice) = (failure, advice)
  }

  /// An error of the given code, with a remedy that holds for every front end.
  package init(
    _ code: LedgerError.Code, _ message: String, rule: String? = nil,
    remedy: LedgerError.Remedy? = nil
  ) {
    self.init(LedgerError(code, message, rule: rule, remedy: remedy))
  }

  /// An error of the given code, where each front end says itself what to do.
  init(_ code: LedgerError.Code, _ message: String, rule: String? = nil, advice: Advice) {
    self.init(LedgerError(code, message, rule: rule), advice: advice)
  }
}

extension IntakeError {
  /// An input that can't be read: all that is wrong with it.
  package init(_ error: SourceError, _ name: String) {
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

  /// A day or a zone that there is not.
  package init(_ failure: ReportingDay.Failure) {
    switch failure {
    case .unknownTimeZone(let name):
      self.init(
        .invalidArguments, "the time zone database has no \"\(name)\"", rule: "R4",
        advice: .nameZone)
    case .skippedDate(let date, let zone):
      self.init(
        .invalidArguments, "\(zone) skipped \(date): that day did not exist there", rule: "R4",
        remedy: "leave the date out, or name another zone")
    }
  }

  /// Zones by period that can't be read.
  package init(_ failure: ReportingZones.Failure) {
    let form = "write the first zone alone and each further one with its first day, as in "
    let example = "Europe/Paris, America/New_York@2024-03-02"
    switch failure {
    case .unknown(let name): self.init(ReportingDay.Failure.unknownTimeZone(name))
    case .badDate(let text):
      self.init(
        .invalidArguments, "\"\(text.prefix(40))\" is not a date from which a time zone holds",
        rule: "R1", remedy: .text(form + example))
    case .needsFirst:
      self.init(
        .invalidArguments, "the time zones lack the one that holds before the first date",
        rule: "R4", remedy: .text(form + example))
    case .needsDate(let name):
      self.init(
        .invalidArguments, "the time zone \(name) lacks the date from which it holds", rule: "R4",
        remedy: .text(form + example))
    case .twice(let date):
      self.init(
        .invalidArguments, "two time zones begin on \(date)", rule: "R4",
        remedy: "give each date one zone")
    }
  }
}

extension LedgerError.Remedy {
  /// A remedy of an input, in the ledger's terms.
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
