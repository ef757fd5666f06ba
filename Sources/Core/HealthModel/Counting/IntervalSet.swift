/// A set of seconds, kept as disjoint, sorted, non-touching intervals.
package struct IntervalSet: Hashable {
  package private(set) var spans: [Range<Int>] = []

  package init() {}

  /// The union of intervals in any order.
  package init(_ intervals: some Sequence<Range<Int>>) {
    for next in intervals.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = spans.last, next.lowerBound <= last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
      } else {
        spans.append(next)
      }
    }
  }

  package var isEmpty: Bool { spans.isEmpty }

  /// How many seconds the set holds.
  package var count: Int { spans.reduce(0) { $0 + $1.count } }

  package func union(_ other: IntervalSet) -> IntervalSet { IntervalSet(spans + other.spans) }

  package mutating func formUnion(_ other: IntervalSet) {
    self = isEmpty ? other : other.isEmpty ? self : union(other)
  }

  /// Adds one interval. At the end of the set it costs the same however large the set is.
  package mutating func insert(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    // Spans that only touch are joined, too.
    let first = firstSpan(endingAfter: range.lowerBound - 1)
    var (last, joined) = (first, range)
    while last < spans.count, spans[last].lowerBound <= range.upperBound {
      joined =
        min(
          joined.lowerBound, spans[last].lowerBound)..<max(
          joined.upperBound, spans[last].upperBound)
      last += 1
    }
    if first == spans.count {
      spans.append(joined)
    } else {
      spans.replaceSubrange(first..<last, with: CollectionOfOne(joined))
    }
  }

  package func subtracting(_ other: IntervalSet) -> IntervalSet {
    other.isEmpty ? self : IntervalSet(spans.flatMap { other.gaps(in: $0) })
  }

  /// The parts of `range` that the set does not hold, in order.
  package func gaps(in range: Range<Int>) -> [Range<Int>] {
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
  package func count(in range: Range<Int>) -> Int {
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
