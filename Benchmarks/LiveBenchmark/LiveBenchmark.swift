import Foundation
import HealthCollector
import HealthModel
import HealthStreams

/// Measures what one more sample of a day costs while the day fills: reading its entry, counting it,
/// and asking for the day's total (R58). And what it costs to make the total from all samples.
///
///     LiveBenchmark [SAMPLES]     # of the fullest day, 100,000
@main
struct LiveBenchmark {
  static func main() throws {
    let date = CalendarDate(year: 2026, month: 7, day: 10)
    guard let date else { return }
    print("samples of the day   in order   watch beside phone   all again")
    let most = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    for count in [100, 1000, 10_000, 100_000] where count <= most {
      let own = try entries(count + extra, date, devices: ["Watch"])
      let both = try entries(count + extra, date, devices: ["iPhone", "Watch"])
      let (alone, _) = try perSample(own, after: count, date)
      let (beside, again) = try perSample(both, after: count, date)
      print(
        "\(pad("\(count)", 18)) \(pad(alone, 7)) µs \(pad(beside, 17)) µs \(pad(again, 8)) ms")
    }
  }

  /// Samples that are timed, after those that are there.
  private static let extra = 500

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Samples one after another, on a day that is cut into as many pieces. The watch's come late: after
  /// the phone's of the same time.
  private static func entries(
    _ count: Int, _ date: CalendarDate, devices: [String]
  ) throws -> [StreamEntry] {
    let start = date.daysSince1970 * 86_400
    return try (0..<count).map { place in
      let device = devices[place % devices.count]
      let first = start + place / devices.count * devices.count * 80_000 / count
      let digits = String(place)
      let id =
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
      return try StreamEntry(
        .object([
          "sample_type": .string(SampleKind.activeEnergyBurned.identifier), "uuid": .string(id),
          "timestamp": .string("\(Timestamp(secondsSince1970: first))"),
          "end_timestamp": .string("\(Timestamp(secondsSince1970: first + 1))"),
          "value": .number(0.25), "unit": .string("kcal"), "source": .string(device),
        ]), of: .healthKit)
    }
  }

  /// Microseconds of one more sample, the median of five runs, and milliseconds of all.
  private static func perSample(
    _ entries: [StreamEntry], after count: Int, _ date: CalendarDate
  ) throws -> (one: String, all: String) {
    let now = Timestamp(secondsSince1970: (date.daysSince1970 + 1) * 86_400)
    var (ones, all): ([Double], [Double]) = ([], [])
    for _ in 0..<5 {
      var totals = try LiveTotals(of: date, timeZoneName: "UTC")
      let begin = ContinuousClock.now
      totals.apply(
        SampleChanges(
          added: Array(entries.prefix(count)), deleted: [], newAnchor: [], isComplete: true),
        at: now)
      _ = totals.number(of: .activeEnergy)
      all.append((ContinuousClock.now - begin) / .milliseconds(1))
      let rest = entries.dropFirst(count).map {
        SampleChanges(added: [$0], deleted: [], newAnchor: [], isComplete: true)
      }
      let middle = ContinuousClock.now
      for change in rest {
        totals.apply(change, at: now)
        guard totals.number(of: .activeEnergy) != nil else { fatalError("the total is gone") }
      }
      ones.append((ContinuousClock.now - middle) / .microseconds(rest.count))
    }
    let one = (ones.sorted()[2] * 10).rounded() / 10
    let whole = (all.sorted()[2] * 10).rounded() / 10
    return ("\(one)", "\(whole)")
  }
}
