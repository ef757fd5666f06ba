import HealthModel
import HealthReport
import StreamDays

extension DayCourse {
  var isEmpty: Bool { heart.isEmpty && sleep.isEmpty && workouts.isEmpty }

  /// Adds workouts. One with a known id or with known times is the same workout from another source.
  mutating func add(workouts more: [Workout]) {
    for workout in more {
      let isKnown = workouts.contains { known in
        known.id == workout.id || (known.start, known.end) == (workout.start, workout.end)
      }
      if !isKnown { workouts.append(workout) }
    }
  }

  /// Adds heart rate, sleep and workouts: from samples if there are any, else from payloads.
  mutating func add(_ found: DayDeriver.Course) {
    add(workouts: found.workouts)
    var (night, ofPayloads) = (Night(), Night())
    for sample in found.samples {
      if sample.kind == .sleepAnalysis, let value = SleepValue(rawValue: Int(sample.value)) {
        night.add(
          value, sample.start..<max(sample.start, sample.end),
          SourcePriority(
            name: sample.source, hardware: sample.hardware, isUserEntered: sample.isUserEntered,
            preferred: []), named: "\(sample.source)|\(sample.hardware)")
      } else if let rate = sample.unit.convert(
        sample.value, to: DailyMetric.heartRateMean.unit)
      {
        heart.append(Beat(at: sample.start + (sample.end - sample.start) / 2, rate))
      }
    }
    for segment in found.sleep {
      ofPayloads.add(
        segment.value, Int(segment.start)..<Int(max(segment.start, segment.end)),
        SourcePriority(segment.source), named: segment.source)
    }
    if heart.isEmpty {
      heart = found.heart.map { beat in
        Beat(at: beat.at, least: beat.least, mean: beat.mean, most: beat.greatest)
      }
    }
    sleep = night.spans(before: day)
    if sleep.isEmpty { sleep = ofPayloads.spans(before: day) }
  }

  /// Samples of sleep with their sources.
  private struct Night {
    private var samples: [SleepSample] = []
    private var sources: [String: Int] = [:]
    private var order: [SourcePriority] = []

    mutating func add(
      _ value: SleepValue, _ range: Range<Int>, _ source: SourcePriority, named name: String
    ) {
      if sources[name] == nil {
        sources[name] = order.count
        order.append(source)
      }
      samples.append(SleepSample(value: value, range: range, source: sources[name] ?? 0))
    }

    /// When each stage counts in the night that ends on a day.
    func spans(before day: ReportingDay) -> [(value: SleepValue, range: Range<Int>)] {
      guard let window = try? DayWindow(day.date, in: day.timeZoneName), !samples.isEmpty else {
        return []
      }
      let stages = SleepStages(samples, in: window.night, order: order)
      return SleepValue.allCases.flatMap { value in
        stages.spans(of: value).map { (value, $0) }
      }
    }
  }
}
