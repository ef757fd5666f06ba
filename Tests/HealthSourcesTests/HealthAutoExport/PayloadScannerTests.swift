import HealthModel
import StoreTesting
import Testing

@testable import HealthSources

/// Large payloads are read a part at a time, and say the same as when they are read whole.
@Suite(.unit) struct PayloadScannerTests {
  /// Bytes that come a few at a time, so that each value stands on a border once.
  private func parts(_ bytes: [UInt8], of size: Int) -> PayloadBytes {
    PayloadBytes { (offset, most) throws(SourceError) in
      let end = min(offset + min(most, size), bytes.count)
      return offset < end ? Array(bytes[offset..<end]) : []
    }
  }

  private func scanned(
    _ bytes: [UInt8], by size: Int, keepsRecords: Bool = false
  ) throws -> (SourceResult, [DayRecords]) {
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin", options: options(keepsRecords))
    try series.add(scanning: parts(bytes, of: size))
    return (try series.result(), try series.records())
  }

  private func whole(
    _ bytes: [UInt8], keepsRecords: Bool = false
  ) throws -> (SourceResult, [DayRecords]) {
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin", options: options(keepsRecords))
    try series.add(SourceDocument(parsing: bytes))
    return (try series.result(), try series.records())
  }

  private func options(_ keepsRecords: Bool) -> PayloadOptions {
    var options = PayloadOptions()
    options.keepsRecords = keepsRecords
    return options
  }

  @Test(arguments: [
    "hae_v2_daily_aggregated", "hae_v2_unaggregated", "hae_pre662_12h_narrow_nbsp",
    "marshal_aggregated_sleep_analysis_3", "marshal_non_aggregated_sleep_analysis_4",
    "unmarshal_metrics_6", "marshal_workouts_2", "unmarshal_workouts_7", "empty_data_5",
  ])
  func `a payload in parts of any size has the days of the whole`(name: String) throws {
    let bytes = try Payloads.fixture(name)
    for keepsRecords in [false, true] {
      let expected = try whole(bytes, keepsRecords: keepsRecords)
      for size in [1, 7, 64, 100_000] {
        let found = try scanned(bytes, by: size, keepsRecords: keepsRecords)
        #expect(found.0 == expected.0 && found.1 == expected.1, "\(name) by \(size)")
      }
    }
  }

  @Test(arguments: [
    #"{"data":{"metrics":[{"data":[{"date":"2026-02-08 10:00:00 +0100","qty":7}],"units":"count","name":"step_count"}]}}"#,
    #"{"workouts":[{"name":"x"}],"data":{"stateOfMind":[1,[2],"\"]"],"metrics":[{"name":"step_count","data":[]},{"name":"x","data":[1,2]},{"name":"y"}]}}"#,
    #"{"data":{"metrics":[{"units":"count","data":[{"date":"2026-02-08","qty":"7\\"}]}]}}"#,
    #"{"data":{"metrics":{}}}"#, #"{"data":{"metrics":null}}"#, #"{"data":[]}"#, #"{"data":{}}"#,
    #"{"data":{"metrics":[{},7,{"name":"step_count","data":1}]}}"#,
    #"{"days":[]}"#, #"[1]"#, #"{"x":1}"#, #"7"#,
  ])
  func `odd forms are taken and refused as when they are read whole`(text: String) throws {
    func outcome(_ read: () throws -> (SourceResult, [DayRecords])) -> [String] {
      do {
        let (result, _) = try read()
        return result.days.map { "\($0)" } + result.notes
      } catch let error as SourceError {
        return ["\(error.code)"] + error.problems.map(\.pointer).sorted()
      } catch {
        return ["\(error)"]
      }
    }
    let bytes = Array(text.utf8)
    let expected = outcome { try whole(bytes) }
    for size in [1, 1000] { #expect(outcome { try scanned(bytes, by: size) } == expected) }
  }

  /// Cut, changed and doubled bytes: whatever the whole is, the parts are.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a broken payload is broken in parts, too`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let good = try Payloads.fixture("hae_v2_unaggregated")
    for _ in 0..<20 {
      var bytes = good
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      default: bytes.insert(contentsOf: Array("\"}],{[:0".utf8).shuffled(using: &random), at: place)
      }
      let expected = try? whole(bytes).0
      let found = try? scanned(bytes, by: Int.random(in: 1...999, using: &random)).0
      #expect(found == expected, "seed \(seed) at \(place)")
    }
  }
}
