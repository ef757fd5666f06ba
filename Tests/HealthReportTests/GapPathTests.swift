import HealthModel
import StoreTesting
import Testing

@testable import HealthReport

/// The sparkline's path: every number once, no line over a gap.
@Suite(.unit) struct GapPathTests {
  /// A path read back: the height of each day drawn, and the days joined with the next.
  private struct Drawn: Equatable {
    var heights: [Int: Int] = [:]
    var joined: Set<Int> = []

    init(_ path: GapPath) throws {
      for part in path.line.split(separator: "M") {
        let pieces = part.split(separator: "l")
        let start = pieces[0].split(separator: " ").compactMap { Int($0) }
        var (x, y) = (start[0], start[1])
        heights[x] = y
        let numbers = pieces[1].matches(of: #/-?\d+/#).compactMap { Int($0.0) }
        for pair in stride(from: 0, to: numbers.count, by: 2) {
          try #require(numbers[pair] == 1)
          joined.insert(x)
          (x, y) = (x + 1, y + numbers[pair + 1])
          heights[x] = y
        }
      }
      for part in path.dots.split(separator: "M") {
        let numbers = part.matches(of: #/\d+/#).compactMap { Int($0.0) }
        try #require(heights[numbers[0]] == nil && numbers[2] == 0)
        heights[numbers[0]] = numbers[1]
      }
    }
  }

  @Test(arguments: 0..<300)
  func `R10 each number is drawn once at its height, and no line crosses a gap`(
    seed: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let share = Int.random(in: 1...5, using: &random)
    let values: [Double?] = (0..<Int.random(in: 1...120, using: &random)).map { _ in
      Int.random(in: 0...share, using: &random) == 0
        ? nil : Double.random(in: 0...20_000, using: &random)
    }
    let numbers = values.compactMap(\.self)
    guard let least = numbers.min(), let greatest = numbers.max() else {
      #expect(GapPath(values, bounds: 0...0).line.isEmpty)
      return
    }
    let drawn = try Drawn(GapPath(values, bounds: least...greatest))
    #expect(drawn.heights.keys.sorted() == values.indices.filter { values[$0] != nil })
    let joined = values.indices.dropLast().filter { values[$0] != nil && values[$0 + 1] != nil }
    #expect(drawn.joined == Set(joined))
    for (place, height) in drawn.heights {
      let share = ((values[place] ?? 0) - least) / max(greatest - least, .leastNonzeroMagnitude)
      let exact = numbers.count == 1 ? 100 : 200 - share * 200
      #expect(abs(Double(height) - exact) <= 0.5 || least == greatest)
    }
  }

  @Test(
    arguments: [
      [0, 0, 0], [5], [0, .greatestFiniteMagnitude], [.leastNonzeroMagnitude, 0],
      [1e308, 1.5e308, nil, 0.1], [8432, 8432],
    ] as [[Double?]])
  func `extreme and equal numbers stay inside the drawing`(values: [Double?]) throws {
    let numbers = values.compactMap(\.self)
    let least = try #require(numbers.min())
    let drawn = try Drawn(GapPath(values, bounds: least...(numbers.max() ?? least)))
    #expect(drawn.heights.count == numbers.count)
    #expect(drawn.heights.values.allSatisfy { (0...GapPath.height).contains($0) })
  }

  @Test func `the means of months break where a month has no number`() throws {
    var values = Array(repeating: Double?.none, count: 120)
    for (place, value) in [(1, 10.0), (3, 30), (63, 10), (90, 10)] { values[place] = value }
    let first = try #require(CalendarDate("2026-01-01"))
    let series = MetricSeries(.steps, first: first, values: values)
    #expect(series.monthlyMeans.map { $0.map(\.value) } == [[20], [10, 10]])
    #expect(series.monthlyMeans.map { $0.map(\.place) } == [[15], [74, 104.5]])
    #expect(series.count == 4 && series.last?.date.description == "2026-04-01")
  }
}
