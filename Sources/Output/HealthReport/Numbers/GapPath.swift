/// A line through the numbers of consecutive days that breaks where a day has none.
///
/// A run of days is a line; a day between two gaps is a dot, a line without length. Coordinates:
/// one unit a day along x; along y 0 is the greatest number and `height` the least.
struct GapPath {
  /// The runs of two days and more.
  private(set) var line = ""
  /// The days that stand alone.
  private(set) var dots = ""

  private let bounds: ClosedRange<Double>

  /// Units from the least to the greatest number.
  static let height = 200

  /// - Parameters:
  ///   - values: one for each day, nil where there is no number.
  ///   - bounds: the numbers at the bottom and the top; equal where the line is flat.
  init(_ values: [Double?], bounds: ClosedRange<Double>) {
    self.bounds = bounds
    var start = 0
    while start < values.count {
      guard values[start] != nil else {
        start += 1
        continue
      }
      var run: [Int] = []
      while start + run.count < values.count, let value = values[start + run.count] {
        run.append(Self.y(value, bounds))
      }
      add(run, from: start)
      start += run.count
    }
  }

  /// Every day that has a number, as a dot.
  func points(_ values: [Double?]) -> String {
    values.enumerated().map { place, value in
      value.map { "M\(place) \(Self.y($0, bounds))h0" } ?? ""
    }.joined()
  }

  private mutating func add(_ run: [Int], from start: Int) {
    guard run.count > 1 else {
      dots += "M\(start) \(run[0])h0"
      return
    }
    line += "M\(start) \(run[0])l"
    // Relative and without needless blanks: a decade is some thousand points.
    line += zip(run, run.dropFirst()).map { from, to in
      to < from ? "1\(to - from)" : "1 \(to - from)"
    }.joined(separator: " ")
  }

  /// Where a number lies; the middle where all are equal.
  static func y(_ value: Double, _ bounds: ClosedRange<Double>) -> Int {
    let span = bounds.upperBound - bounds.lowerBound
    guard span > 0 else { return height / 2 }
    let part = (value - bounds.lowerBound) / span
    return height - Int((min(1, max(0, part)) * Double(height)).rounded())
  }
}
