import HealthModel
import HealthReport

extension DayCourse {
  var isEmpty: Bool { heart.isEmpty && sleep.isEmpty && workouts.isEmpty }

  /// Takes the samples of the heart and of the night.
  mutating func add(_ samples: [TypedSample]) {
    var sources: [String: Int] = [:]
    var order: [SourcePriority] = []
    var night: [SleepSample] = []
    for sample in samples {
      if sample.kind == .sleepAnalysis, let value = SleepValue(rawValue: Int(sample.value)) {
        let name = "\(sample.source)|\(sample.hardware)"
        if sources[name] == nil {
          sources[name] = order.count
          order.append(
            SourcePriority(
              name: sample.source, hardware: sample.hardware,
              isUserEntered: sample.isUserEntered, preferred: []))
        }
        night.append(
          SleepSample(
            value: value, range: sample.start..<max(sample.start, sample.end),
            source: sources[name] ?? 0))
      } else if let rate = sample.unit.convert(
        sample.value, to: DailyMetric.heartRateMean.unit)
      {
        heart.append((sample.start + (sample.end - sample.start) / 2, rate))
      }
    }
    guard let window = try? DayWindow(day.date, in: day.timeZoneName), !night.isEmpty else {
      return
    }
    let stages = SleepStages(night, in: window.night, order: order)
    sleep = SleepValue.allCases.flatMap { value in
      stages.spans(of: value).map { (value, $0) }
    }
  }
}
