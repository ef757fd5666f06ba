import HealthModel

/// The scale of a chart: round numbers that enclose all that counts.
struct AxisScale {
  /// Bottom and top, as stored numbers.
  let bounds: ClosedRange<Double>
  /// Where the chart has a number beside it, lowest first.
  let ticks: [(value: Double, label: String)]

  /// - Parameter isFromZero: whether the scale begins at 0: of what adds up in a day, which is drawn
  ///   as bars.
  init(_ numbers: ClosedRange<Double>, _ unit: PersonUnit, isFromZero: Bool) {
    func shown(_ value: Double) -> Double { value * unit.factor + unit.offset }
    func stored(_ value: Double) -> Double { (value - unit.offset) / unit.factor }
    var (low, high) = (shown(numbers.lowerBound), shown(numbers.upperBound))
    if isFromZero { (low, high) = (min(0, low), max(0, high)) }
    let finest = unit.isDuration ? 1 : [1, 0.1, 0.01, 0.001][unit.decimals]
    let step = max(finest, unit.isDuration ? Self.minutes(high - low) : Self.round(high - low))
    var first = (low / step).rounded(.down) * step
    var last = (high / step).rounded(.up) * step
    if first == last {
      (first, last) = (max(isFromZero ? 0 : -.infinity, first - step), last + step)
    }
    guard stored(first).isFinite, stored(last).isFinite, last > first,
      (last - first) / step < 20
    else {
      // Numbers at the end of what a number can be: no round ones beside them.
      bounds = numbers
      ticks = [(numbers.lowerBound, unit.bare(numbers.lowerBound))]
      return
    }
    bounds = stored(first)...stored(last)
    let count = Int(((last - first) / step).rounded())
    ticks = (0...count).map { place in
      let value = first + Double(place) * step
      return (
        stored(value),
        unit.isDuration ? unit.tick(value) : value.fixed(Self.decimals(of: step))
      )
    }
  }

  /// Where a number lies, in parts of the whole from the bottom.
  func part(_ value: Double) -> Double {
    (value - bounds.lowerBound) / (bounds.upperBound - bounds.lowerBound)
  }

  /// Three steps over a span, or a few more: 1, 2, 2.5 or 5 times a power of ten.
  private static func round(_ span: Double) -> Double {
    guard span > 0, span.isFinite else { return 0 }
    var power = 1.0
    while power * 10 <= span / 3 { power *= 10 }
    while power > span / 3, power > 1e-9 { power /= 10 }
    return [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= span / 3 } ?? power * 10
  }

  /// The same of minutes: steps that divide an hour, or whole hours.
  private static func minutes(_ span: Double) -> Double {
    [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440].first { $0 >= span / 3 }
      ?? round(span / 1440) * 1440
  }

  private static func decimals(of step: Double) -> Int {
    (0...2).first { place in
      let scaled = step * [1, 10, 100][place]
      return abs(scaled - scaled.rounded()) < 1e-9 * max(1, scaled)
    } ?? 3
  }
}
