/// A set of seconds, kept as disjoint, sorted, non-touching intervals.
struct IntervalSet: Hashable {
  private(set) var spans: [Range<Int>] = []

  init() {}

  /// The union of intervals in any order.
  init(_ intervals: some Sequence<Range<Int>>) {
    for next in intervals.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = spans.last, next.lowerBound <= last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
      } else {
        spans.append(next)
      }
    }
  }

  var isEmpty: Bool { spans.isEmpty }

  /// How many seconds the set holds.
  var count: Int { spans.reduce(0) { $0 + $1.count } }

  func union(_ other: IntervalSet) -> IntervalSet { IntervalSet(spans + other.spans) }

  mutating func formUnion(_ other: IntervalSet) {
    self = isEmpty ? other : other.isEmpty ? self : union(other)
  }

  func subtracting(_ other: IntervalSet) -> IntervalSet {
    other.isEmpty ? self : IntervalSet(spans.flatMap { other.gaps(in: $0) })
  }

  /// The parts of `range` that the set does not hold, in order.
  func gaps(in range: Range<Int>) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var start = range.lowerBound
    var index = firstSpan(endingAfter: start)
    while index < spans.count, spans[index].lowerBound < range.upperBound {
      if spans[index].lowerBound > start { gaps.append(start..<spans[index].lowerBound) }
      start = max(start, spans[index].upperBound)
      index += 1
    }
    if start < range.upperBound { gaps.append(start..<range.upperBound) }
    return gaps
  }

  /// How many seconds of `range` the set holds.
  func count(in range: Range<Int>) -> Int {
    var count = 0
    var index = firstSpan(endingAfter: range.lowerBound)
    while index < spans.count, spans[index].lowerBound < range.upperBound {
      count += spans[index].clamped(to: range).count
      index += 1
    }
    return count
  }

  private func firstSpan(endingAfter second: Int) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].upperBound > second { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
