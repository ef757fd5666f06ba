/// The moments that an input of rows has (R19): the days, as they were written, on which its rows begin.
package struct InputMoments: Hashable, Sendable {
  /// Ascending, with a gap between any two.
  private var stretches: [Range<Int>] = []

  /// None.
  package init() {}

  /// Adds a day, or the end of one.
  package mutating func add(_ day: Range<Int>) {
    let (start, end) = (day.lowerBound, day.upperBound)
    if stretches.last.map({ $0.lowerBound <= start && end <= $0.upperBound }) ?? false { return }
    let before = stretches.prefix { $0.upperBound < start }.count
    let touched = stretches[before...].prefix { $0.lowerBound <= end }
    let first = min(touched.first?.lowerBound ?? start, start)
    stretches.replaceSubrange(
      touched.indices, with: [first..<max(touched.last?.upperBound ?? end, end)])
  }

  /// Adds those of a later payload.
  package mutating func add(_ later: InputMoments) {
    for stretch in later.stretches { add(stretch) }
  }

  /// From the first to the last moment of a span that the input has.
  package func reach(in span: Range<Int>) -> Range<Int> {
    guard let first = stretches.first(where: { $0.upperBound > span.lowerBound }),
      let last = stretches.last(where: { $0.lowerBound < span.upperBound }),
      first.lowerBound <= last.lowerBound
    else { return span.lowerBound..<span.lowerBound }
    return first.lowerBound..<last.upperBound
  }
}
