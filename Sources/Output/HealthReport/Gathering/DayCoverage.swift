package import HealthLedger
import HealthModel

/// What a date of the range has, in one word: the verdict of R35, and for a sound day how many of
/// its metrics have a number (R10).
package enum DayCoverage: String, CaseIterable, Hashable, Sendable {
  /// Every metric that the collector supports has a number.
  case complete
  /// Some metrics have a number, and others could have one; or numbers are of a part of the day.
  case partial
  /// A revision without any number.
  case noData = "no_data"
  /// A revision that readers are answered with, and an error beside it.
  case faulty
  /// Revisions, none of them valid.
  case invalid
  /// No revision.
  case missing

  package init(_ verdict: DayVerdict) {
    switch verdict.status {
    case .missing: self = .missing
    case .invalid: self = .invalid
    case .faulty: self = .faulty
    case .ok:
      let readings = (verdict.latest?.revision.readings ?? [:]).values
      if readings.allSatisfy({ $0.number == nil }) {
        self = .noData
      } else {
        let lacksSome = readings.contains { $0 == .noData || $0 == .unauthorized }
        self = lacksSome || verdict.has(.partial) ? .partial : .complete
      }
    }
  }

  /// The word for people.
  var label: String {
    switch self {
    case .complete: "complete"
    case .partial: "partial"
    case .noData: "no data"
    case .faulty: "faulty"
    case .invalid: "no valid revision"
    case .missing: "missing"
    }
  }

  /// What the word means.
  var meaning: String {
    switch self {
    case .complete: "every metric has a number"
    case .partial: "some metrics have none, or are of a part of the day"
    case .noData: "published, without any number"
    case .faulty: "readable, with an error beside"
    case .invalid: "its revisions are all broken"
    case .missing: "nothing was published"
    }
  }
}
