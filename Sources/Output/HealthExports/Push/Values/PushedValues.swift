package import HealthModel

/// What one push says: today's totals as counters, the last known values as gauges (R57). Pure.
package struct PushedValues: Hashable, Sendable {
  /// In the order of the catalogue. Empty if the ledger has no day.
  package private(set) var families: [MetricFamily] = []
  /// How many of the gauges are not of today.
  package private(set) var cached = 0

  private let now: Int
  private let today: CalendarDate
  private let selection: PushSelection
  private let hasDateLabel: Bool

  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - today: the date of `now` in the reporting zone: only its totals are pushed.
  ///   - stored: what the days of the ledger say. The newest day says how fresh the data is, whatever its
  ///     age.
  ///   - details: what the samples of today and of the newest days with a heart rate say.
  ///   - hasDateLabel: whether values have their date as a label, which makes a series a day.
  package init(
    at now: Int, today: CalendarDate, _ stored: NewestValues, _ details: [PushedDetail] = [],
    selection: PushSelection = .all, hasDateLabel: Bool = false
  ) {
    (self.now, self.today) = (now, today)
    (self.selection, self.hasDateLabel) = (selection, hasDateLabel)
    let detail = details.first { $0.date == "\(today)" }
    let own = stored.newest?.date == today ? stored.newest : nil
    var ages: [(key: String, seconds: Int)] = []
    for metric in DailyMetric.inOrder where selection.metrics.contains(metric) {
      switch metric.prometheusType {
      case .counter:
        guard let own, let number = own.numbers[metric] else { continue }
        families.append(total(metric, number, own, detail))
        ages.append((metric.rawValue, now - own.moment))
      case .gauge:
        guard let gauge = stored.gauges[metric.rawValue] else { continue }
        families.append(family(metric, gauge))
        ages.append((metric.rawValue, now - gauge.at))
      }
    }
    let rates = details.reduce(into: [:]) { newest, day in
      newest.merge(day.heartRates) { $0.at < $1.at ? $1 : $0 }
    }
    if selection.hasHeartRate, let newest = rates.values.map(\.at).max() {
      families.append(heartRates(rates, dayStart: own?.start))
      ages.append((PushSelection.heartRate, now - newest))
    }
    if selection.hasWorkouts, let detail { families += workouts(detail.workouts) }
    families += freshness(ages, stored.newest)
  }

  /// The names, as a gateway keeps them.
  package var names: Set<String> { Set(families.map(\.name)) }

  package var sampleCount: Int { families.reduce(0) { $0 + $1.samples.count } }

  package var body: [UInt8] { Array(PrometheusText.text(families).utf8) }

  // MARK: - The families

  private func labels(
    _ metric: DailyMetric, source: String, date: String, age: String? = nil
  ) -> [MetricLabel] {
    var labels = [MetricLabel("source", source)]
    if let unit = metric.prometheusUnit { labels.append(MetricLabel("unit", unit)) }
    if hasDateLabel { labels.append(MetricLabel("date", date)) }
    if let age { labels.append(MetricLabel("data_age", age)) }
    return labels
  }

  /// The ledger's number, and what each source has by itself: as the samples say, if they give that
  /// number, else as the ledger knows it.
  private func total(
    _ metric: DailyMetric, _ number: Double, _ day: PushedDay, _ detail: PushedDetail?
  ) -> MetricFamily {
    let own =
      detail?.totals(of: metric, number)
      ?? (day.bySource[metric] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return MetricFamily(
      metric.prometheusName, .counter, help: metric.prometheusHelp(),
      ([(source: SourceLabel.all, value: number)] + own).map { total in
        MetricSample(
          labels: labels(metric, source: total.source, date: "\(today)"), value: total.value)
      })
  }

  private mutating func family(_ metric: DailyMetric, _ gauge: NewestValues.Gauge) -> MetricFamily {
    let isCached = gauge.date != "\(today)"
    if isCached { cached += 1 }
    return MetricFamily(
      metric.prometheusName, .gauge,
      help: metric.prometheusHelp(isLatest: gauge.isLatest),
      [
        MetricSample(
          labels: labels(
            metric, source: gauge.source, date: gauge.date,
            age: isCached ? DataAge.word(now - gauge.at) : nil), value: gauge.value)
      ])
  }

  private mutating func heartRates(
    _ rates: [String: PushedDetail.Newest], dayStart: Int?
  ) -> MetricFamily {
    MetricFamily(
      PushNames.heartRate, .gauge, help: PushNames.heartRateHelp,
      TimeOfDay.allCases.compactMap { time in
        guard let rate = rates[time.rawValue] else { return nil }
        var labels = [
          MetricLabel("source", rate.source), MetricLabel("time_of_day", time.rawValue),
        ]
        if dayStart.map({ rate.at < $0 }) ?? true {
          labels.append(MetricLabel("data_age", DataAge.word(now - rate.at)))
          cached += 1
        }
        return MetricSample(labels: labels, value: rate.value)
      })
  }

  private func workouts(
    _ workouts: [String: [String: PushedDetail.Workouts]]
  ) -> [MetricFamily] {
    func samples(_ number: (PushedDetail.Workouts) -> Double?) -> [MetricSample] {
      workouts.sorted { $0.key < $1.key }.flatMap { activity, sources in
        sources.sorted { $0.key < $1.key }.compactMap { source, sum in
          number(sum).map {
            MetricSample(
              labels: [MetricLabel("source", source), MetricLabel("activity", activity)],
              value: ($0 * 1000).rounded() / 1000)
          }
        }
      }
    }
    return [
      MetricFamily(
        PushNames.workoutMinutes, .counter, help: "Time of today's workouts in minutes.",
        samples(\.minutes)),
      MetricFamily(
        PushNames.workoutCalories, .counter,
        help: "Energy of today's workouts in kilocalories.", samples(\.calories)),
    ].filter { !$0.samples.isEmpty }
  }

  /// How old the values are, and which day is the newest.
  private func freshness(
    _ ages: [(key: String, seconds: Int)], _ newest: PushedDay?
  ) -> [MetricFamily] {
    var families = [
      MetricFamily(
        PushNames.dataAge, .gauge, help: "Age of the newest data of a metric in seconds.",
        ages.map { age in
          MetricSample(labels: [MetricLabel("metric", age.key)], value: Double(max(0, age.seconds)))
        })
    ]
    if let newest {
      families += [
        MetricFamily(
          PushNames.dayStart, .gauge, help: "Start of the newest day with data, in Unix time.",
          [MetricSample(value: Double(newest.start))]),
        MetricFamily(
          PushNames.revisionGenerated, .gauge,
          help: "When the newest day's revision was generated, in Unix time.",
          [MetricSample(value: Double(newest.generatedAt))]),
      ]
    }
    return families.filter { !$0.samples.isEmpty }
  }
}

/// The names that are not in the catalogue of daily metrics.
package enum PushNames {
  package static let heartRate = "healthkit_heart_rate_bpm"
  package static let heartRateHelp = "Current heart rate in beats per minute."
  package static let workoutMinutes = "healthkit_workout_minutes_total"
  package static let workoutCalories = "healthkit_workout_calories_total"
  package static let dataAge = "healthkit_data_age_seconds"
  package static let dayStart = "healthkit_day_start_timestamp_seconds"
  package static let revisionGenerated = "healthkit_revision_generated_timestamp_seconds"
  package static let test = "healthkit_push_test"

  package static let all = [
    heartRate, workoutMinutes, workoutCalories, dataAge, dayStart, revisionGenerated, test,
  ]
}

/// How old a cached value is, as the label `data_age` says it: few words, so that there are few
/// series.
package enum DataAge {
  private static let words: [(seconds: Int, word: String)] = [
    (300, "5m"), (3600, "1h"), (21_600, "6h"), (86_400, "1d"), (604_800, "7d"),
  ]

  /// The first of `5m 1h 6h 1d 7d` that is not exceeded, else `older`.
  package static func word(_ seconds: Int) -> String {
    words.first { seconds <= $0.seconds }?.word ?? "older"
  }

  package static var all: [String] { words.map(\.word) + ["older"] }
}
