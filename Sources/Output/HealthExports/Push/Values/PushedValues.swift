package import HealthModel

/// What one push says: today's totals as counters, the last known values as gauges (R57). Pure.
package struct PushedValues: Hashable, Sendable {
  /// In the order of the catalogue. Empty if the ledger has no day and nothing was kept.
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
  ///   - days: the days that the ledger has, which need not hold today. The newest says how fresh
  ///     the data is, whatever its age.
  ///   - detail: what today's samples say; of another day, only its heart rates are in the cache.
  ///   - cache: has taken `days` and `detail`.
  ///   - hasDateLabel: whether values have their date as a label, which makes a series a day.
  package init(
    at now: Int, today: CalendarDate, days: [PushedDay], detail: PushedDetail?, cache: ValueCache,
    selection: PushSelection = .all, hasDateLabel: Bool = false
  ) {
    (self.now, self.today) = (now, today)
    (self.selection, self.hasDateLabel) = (selection, hasDateLabel)
    let detail = detail?.date == "\(today)" ? detail : nil
    let own = days.first { $0.date == today }
    var ages: [(key: String, seconds: Int)] = []
    for metric in DailyMetric.inOrder where selection.metrics.contains(metric) {
      switch metric.prometheusType {
      case .counter:
        guard let own, let number = own.numbers[metric] else { continue }
        families.append(total(metric, number, detail))
        ages.append((metric.rawValue, now - own.moment))
      case .gauge:
        guard let value = cache.gauges[metric.rawValue] else { continue }
        families.append(gauge(metric, value))
        ages.append((metric.rawValue, now - value.at))
      }
    }
    if selection.hasHeartRate, !cache.heartRates.isEmpty {
      families.append(heartRates(cache.heartRates, dayStart: own?.start))
      if let newest = cache.heartRates.values.map(\.at).max() {
        ages.append((PushSelection.heartRate, now - newest))
      }
    }
    if selection.hasWorkouts, let detail { families += workouts(detail.workouts) }
    families += freshness(ages, days.max { $0.date < $1.date })
  }

  /// The names, as a gateway keeps them.
  package var names: Set<String> { Set(families.map(\.name)) }

  package var sampleCount: Int { families.reduce(0) { $0 + $1.samples.count } }

  /// The body of a push.
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

  private func total(
    _ metric: DailyMetric, _ number: Double, _ detail: PushedDetail?
  ) -> MetricFamily {
    let own = detail?.totals(of: metric, number) ?? []
    return MetricFamily(
      metric.prometheusName, .counter, help: metric.prometheusHelp(),
      ([(source: SourceLabel.all, value: number)] + own).map { total in
        MetricSample(
          labels: labels(metric, source: total.source, date: "\(today)"), value: total.value)
      })
  }

  private mutating func gauge(_ metric: DailyMetric, _ value: ValueCache.Value) -> MetricFamily {
    let isCached = value.date != "\(today)"
    if isCached { cached += 1 }
    return MetricFamily(
      metric.prometheusName, .gauge,
      help: metric.prometheusHelp(isLatest: value.isLatest),
      [
        MetricSample(
          labels: labels(
            metric, source: value.source, date: value.date,
            age: isCached ? DataAge.word(now - value.at) : nil), value: value.value)
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
