internal import HealthModel

/// One unaggregated sleep sample.
struct SleepSample {
  enum Stage {
    case inBed
    /// Asleep without a stage, as phones and old watches write it.
    case unspecified
    /// Core, deep or REM.
    case staged
    case awake

    /// The stage that `value` names, in Health Auto Export's or HealthKit's words; nil for another.
    init?(_ value: String) {
      var word = value.lowercased().filter(\.isLetter)
      for prefix in ["hkcategoryvaluesleepanalysis", "asleep"] where word.hasPrefix(prefix) {
        word.removeFirst(prefix.count)
      }
      switch word {
      case "inbed": self = .inBed
      case "", "unspecified": self = .unspecified
      case "core", "deep", "rem": self = .staged
      case "awake": self = .awake
      default: return nil
      }
    }
  }

  let stage: Stage
  /// Seconds since 1970.
  let range: Range<Int>
  let source: String
}

/// Minutes of sleep by night from samples: unions of intervals, never sums.
enum SleepStages {
  struct Minutes {
    var asleep: [CalendarDate: Double] = [:]
    var inBed: [CalendarDate: Double] = [:]
  }

  /// Where one source has stages, these and its Awake beat the unspecified sleep of every source;
  /// Awake also cuts the unspecified sleep of its own source.
  static func minutes(
    _ samples: [SleepSample], calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> Minutes {
    func union(_ samples: [SleepSample], _ stage: SleepSample.Stage) -> IntervalSet {
      IntervalSet(samples.lazy.filter { $0.stage == stage }.map(\.range))
    }
    let staged = union(samples, .staged)
    var judged = staged
    var unspecified = IntervalSet()
    for own in Dictionary(grouping: samples, by: \.source).values {
      let awake = union(own, .awake)
      if own.contains(where: { $0.stage == .staged }) { judged = judged.union(awake) }
      unspecified = unspecified.union(union(own, .unspecified).subtracting(awake))
    }
    let asleep = staged.union(unspecified.subtracting(judged))
    return Minutes(
      asleep: try byNight(asleep, calendar: &calendar),
      inBed: try byNight(union(samples, .inBed), calendar: &calendar))
  }

  private static func byNight(
    _ set: IntervalSet, calendar: inout ZoneCalendar
  ) throws(ReportingDay.Failure) -> [CalendarDate: Double] {
    var minutes: [CalendarDate: Int] = [:]
    for span in set.spans {
      for piece in try calendar.splitByNight(span) {
        minutes[piece.date, default: 0] += piece.range.count
      }
    }
    return minutes.mapValues { Double($0) / 60 }
  }
}
