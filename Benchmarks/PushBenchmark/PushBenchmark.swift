import HealthExports
import HealthModel

/// Measures what it takes to make the text of a push of 60 metrics from a day of the ledger.
///
/// Prints one JSON object: microseconds of one text, the median and the most of 2,000.
@main struct PushBenchmark {
  static func main() {
    let metrics = Array(DailyMetric.inOrder.prefix(60))
    guard let today = CalendarDate("2026-02-08") else { return }
    let day = PushedDay(
      date: today, start: 1_770_505_200, end: 1_770_591_600, generatedAt: 1_770_550_000,
      numbers: Dictionary(
        uniqueKeysWithValues: metrics.enumerated().map { ($1, Double($0) * 97.125 + 1) }))
    let stored = NewestValues([day])
    var times: [Double] = []
    var bytes = 0
    for _ in 0..<2000 {
      let begin = ContinuousClock.now
      let values = PushedValues(at: 1_770_550_100, today: today, stored)
      bytes = values.body.count
      let took = ContinuousClock.now - begin
      times.append(Double(took.components.attoseconds) / 1e12)
    }
    times.sort()
    print(
      "{\"metrics\":\(metrics.count),\"bytes\":\(bytes),\"median_us\":\(times[1000]),"
        + "\"most_us\":\(times[1999])}")
  }
}
