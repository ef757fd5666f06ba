/// The sum of a day's samples, kept while they come (R18, R58): what `AdditiveTotals` makes of all of
/// them, to the last bit.
///
/// A sample that follows those of its source, where no lesser source has samples of the same time, costs
/// the same however many there are. One that comes late, or covers what a lesser source has counted,
/// costs the counting of what begins after it. One that is taken back costs all.
package struct RunningTotals: Sendable {
  /// The samples of one source, and what they add.
  private struct Group: Sendable {
    let source: Int
    let priority: SourcePriority
    /// In the order in which they are added up.
    var samples: [QuantitySample] = []
    /// After each sample, the sum if there were no other source.
    var offered: [Double] = []
    /// After each sample, the sum.
    var counted: [Double] = []
    /// What its samples cover, and what those of better sources do.
    var own = IntervalSet()
    var better = IntervalSet()
    /// The longest of its samples.
    var longest = 0

    /// The better source first, as `AdditiveTotals` has them.
    func isBefore(_ other: Group) -> Bool {
      (priority.rank, -(offered.last ?? 0), priority.name) < (
        other.priority.rank, -(other.offered.last ?? 0), other.priority.name
      )
    }
  }

  private let span: Range<Int>
  /// The best first.
  private var groups: [Group] = []
  /// How many samples were looked at to keep the sum; for tests of what it costs.
  package private(set) var work = 0

  /// The sum within a stretch of time.
  package init(in span: Range<Int>) { self.span = span }

  /// The sum; nil where no sample counts.
  package var total: Double? {
    groups.isEmpty ? nil : groups.reduce(0) { $0 + ($1.counted.last ?? 0) }
  }

  /// How many samples count.
  package var count: Int { groups.reduce(0) { $0 + $1.samples.count } }

  /// Adds a sample. One that lies outside changes nothing.
  ///
  /// - Parameter priority: the place of its source.
  package mutating func add(_ sample: QuantitySample, from priority: SourcePriority) {
    guard sample.extent.overlaps(span) else { return }
    guard let place = groups.firstIndex(where: { $0.source == sample.source }) else {
      groups.append(Group(source: sample.source, priority: priority))
      insert(sample, in: groups.count - 1)
      return recount()
    }
    let index = insert(sample, in: place)
    offer(place, from: index)
    // A source that now counts more than another of its class comes before it.
    let movesUp = place > 0 && groups[place].isBefore(groups[place - 1])
    let movesDown = place + 1 < groups.count && groups[place + 1].isBefore(groups[place])
    if movesUp || movesDown { return recount() }
    count(place, from: index)
    cover(sample, by: place)
  }

  /// Takes a sample back. It is one that was added.
  package mutating func remove(_ sample: QuantitySample) {
    guard let place = groups.firstIndex(where: { $0.source == sample.source }),
      let index = groups[place].samples.firstIndex(where: { $0.isSame(as: sample) })
    else { return }
    groups[place].samples.remove(at: index)
    if groups[place].samples.isEmpty { groups.remove(at: place) }
    recount()
  }

  /// Puts a sample in its place, and returns that.
  @discardableResult
  private mutating func insert(_ sample: QuantitySample, in place: Int) -> Int {
    var (low, high) = (0, groups[place].samples.count)
    // Most samples come in their order.
    if let last = groups[place].samples.last, !sample.isBefore(last) { low = high }
    while low < high {
      let middle = (low + high) / 2
      if sample.isBefore(groups[place].samples[middle]) { high = middle } else { low = middle + 1 }
    }
    groups[place].samples.insert(sample, at: low)
    groups[place].longest = max(groups[place].longest, sample.extent.count)
    return low
  }

  /// Counts everything anew.
  private mutating func recount() {
    for place in groups.indices { offer(place, from: 0) }
    groups.sort { $0.isBefore($1) }
    var better = IntervalSet()
    for place in groups.indices {
      groups[place].better = better
      groups[place].own = IntervalSet(
        groups[place].samples.lazy.filter { $0.quantity > 0 }
          .map { [span] in $0.extent.clamped(to: span) })
      count(place, from: 0)
      better.formUnion(groups[place].own)
    }
  }

  private mutating func offer(_ place: Int, from index: Int) {
    var sum = index > 0 ? groups[place].offered[index - 1] : 0
    groups[place].offered.removeSubrange(index...)
    for sample in groups[place].samples[index...] {
      let extent = sample.extent
      sum += sample.quantity(of: extent.clamped(to: span).count, in: extent)
      groups[place].offered.append(sum)
    }
  }

  private mutating func count(_ place: Int, from index: Int) {
    var sum = index > 0 ? groups[place].counted[index - 1] : 0
    groups[place].counted.removeSubrange(index...)
    work += groups[place].samples.count - index
    for sample in groups[place].samples[index...] {
      let extent = sample.extent
      let seen = extent.clamped(to: span)
      sum += sample.quantity(of: seen.count - groups[place].better.count(in: seen), in: extent)
      groups[place].counted.append(sum)
    }
  }

  /// What a sample covers, no lesser source counts.
  private mutating func cover(_ sample: QuantitySample, by place: Int) {
    // A zero does not prove that the device was worn.
    guard sample.quantity > 0 else { return }
    let seen = sample.extent.clamped(to: span)
    groups[place].own.insert(seen)
    for lesser in groups.indices where lesser > place {
      groups[lesser].better.insert(seen)
      if let first = firstSample(of: lesser, touching: seen) { count(lesser, from: first) }
    }
  }

  private mutating func firstSample(of place: Int, touching range: Range<Int>) -> Int? {
    // No sample that begins earlier reaches so far; one of a moment may begin in its minute.
    let earliest = range.lowerBound - groups[place].longest - 60
    var (low, high) = (0, groups[place].samples.count)
    while low < high {
      let middle = (low + high) / 2
      if groups[place].samples[middle].start < earliest { low = middle + 1 } else { high = middle }
    }
    while low < groups[place].samples.count,
      groups[place].samples[low].start < range.upperBound + 60
    {
      work += 1
      if groups[place].samples[low].extent.overlaps(range) { return low }
      low += 1
    }
    return nil
  }
}

extension QuantitySample {
  /// The order in which the samples of a source are added up.
  fileprivate func isBefore(_ other: QuantitySample) -> Bool {
    (start, end, quantity) < (other.start, other.end, other.quantity)
  }

  fileprivate func isSame(as other: QuantitySample) -> Bool {
    (start, end, quantity) == (other.start, other.end, other.quantity)
  }
}
