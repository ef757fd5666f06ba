import HealthModel
import StoreTesting
import Testing

@testable import HealthStreams

@Suite(.unit) struct NormalisationTests {
  private static let halves: [(Double, Int, Double)] = [
    (2.675, 2, 2.68), (1.005, 2, 1.01), (-2.675, 2, -2.68), (0.005, 2, 0.01), (0.25, 1, 0.3),
    (45.65, 1, 45.7), (45.649, 1, 45.6), (-45.65, 1, -45.7), (28.4499999, 1, 28.4),
    (72.5, 0, 73), (71.5, 0, 72), (-0.5, 0, -1), (0.5, 0, 1), (1234.565, 2, 1234.57),
    (1234.5678, 2, 1234.57), (0, 2, 0), (99.995, 2, 100), (1e15 + 0.5, 0, 1e15 + 1),
    (9_007_199_254_740_994, 0, 9_007_199_254_740_994),
    (4_503_599_627_370_495.5, 0, 4_503_599_627_370_496), (123_456_789.125, 2, 123_456_789.13),
  ]

  @Test(arguments: halves)
  func `R44: halves of the shortest text are rounded away from zero`(
    value: Double, digits: Int, expected: Double
  ) {
    let rounded = ValueNormalisation.rounded(value, to: digits)
    #expect(rounded == expected)
    #expect(rounded.sign == .plus || rounded != 0)
    // What was rounded once stays.
    #expect(ValueNormalisation.rounded(rounded, to: digits) == rounded)
  }

  @Test(arguments: [0.04, 0.0049, 0.049, -0.04, 1e-300, 5e-7, 1.5e-5])
  func `R44: what would become 0 keeps its digits`(value: Double) throws {
    for digits in 0...1 { #expect(ValueNormalisation.rounded(value, to: digits) == value) }
    for (type, unit) in [("ActiveEnergyBurned", "kcal"), ("StepCount", "count")] {
      let entry = try Samples.entry(
        #"{"timestamp":"2025-01-30T10:00:00Z","sample_type":"HKQuantityTypeIdentifier\#(type)","value":\#(value),"unit":"\#(unit)"}"#
      )
      #expect(try JSONValue(parsing: entry.bytes)["value"] == .number(value))
    }
  }

  private static let types: [(String, String, Double, String)] = [
    ("HeartRate", "bpm", 72.4, "72"), ("HeartRate", "count/min", 72.5, "73"),
    ("RestingHeartRate", "bpm", 51.5, "52"), ("StepCount", "count", 1233.5, "1234"),
    ("DistanceWalkingRunning", "m", 1234.5678, "1234.57"),
    ("ActiveEnergyBurned", "kcal", 45.65, "45.7"),
    ("HeartRateVariabilitySDNN", "ms", 28.46, "28.5"),
    // Another unit or type keeps its digits.
    ("DistanceWalkingRunning", "km", 1.2345678, "1.2345678"),
    ("HeartRate", "count/s", 1.2083, "1.2083"), ("BodyMass", "kg", 71.234, "71.234"),
  ]

  @Test(arguments: types)
  func `R44: each type is rounded in its unit`(
    type: String, unit: String, value: Double, text: String
  ) throws {
    let entry = try Samples.entry(
      #"{"timestamp":"2025-01-30T10:00:00Z","sample_type":"HKQuantityTypeIdentifier\#(type)","value":\#(value),"unit":"\#(unit)"}"#
    )
    #expect(String(decoding: entry.bytes, as: UTF8.self).contains(#""value":\#(text)}"#))
  }

  @Test func `R44: sleep keeps its raw values, also one that a later system has`() throws {
    func sleep(_ value: String) throws -> StreamEntry {
      try Samples.entry(
        #"{"timestamp":"2025-01-30T10:00:00Z","sample_type":"HKCategoryTypeIdentifierSleepAnalysis","value":\#(value),"unit":""}"#
      )
    }
    for value in [0, 1, 2, 3, 4, 5, 6, 99] { _ = try sleep("\(value)") }
    for value in ["-1", "100", "2.5"] {
      #expect(throws: RequestFault.self) { try sleep(value) }
    }
  }

  @Test func `R44: chunks of 30 s begin every 28 s and cover every recording`() {
    #expect(AudioChunk.chunks(of: [0..<30_000]).map(\.start) == [0])
    #expect(
      AudioChunk.chunks(of: [0..<86_000]).map { [$0.start, $0.end, $0.overlap] } == [
        [0, 30_000, 0], [28_000, 58_000, 2000], [56_000, 86_000, 2000],
      ])
    #expect(AudioChunk.chunks(of: [0..<30_001]).map(\.end) == [30_000, 30_001])
    #expect(AudioChunk.chunks(of: [5..<5]).isEmpty)
    var random = SplitMix64(seed: 14)
    for _ in 0..<300 {
      let stretches = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        let start = Int.random(in: 0...300_000, using: &random)
        return start..<(start + Int.random(in: 0...200_000, using: &random))
      }
      let chunks = AudioChunk.chunks(of: stretches)
      for chunk in chunks {
        #expect((1...30_000).contains(chunk.end - chunk.start))
        #expect(chunk.overlap == 0 || chunk.end - chunk.start > chunk.overlap)
      }
      for (a, b) in zip(chunks, chunks.dropFirst()) {
        #expect(b.overlap > 0 ? a.end - b.start == 2000 : a.end < b.start)
      }
      // Each second of a recording is in a chunk, and no second of a gap is.
      for moment in stride(from: 0, to: 500_000, by: 997) {
        #expect(
          stretches.contains { $0.contains(moment) }
            == chunks.contains { ($0.start..<$0.end).contains(moment) })
      }
    }
  }
}
