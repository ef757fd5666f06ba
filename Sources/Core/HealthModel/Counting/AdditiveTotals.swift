/// What one source adds to a sum.
package struct SourceShare: Hashable {
  /// Which of the sources in the order.
  package let source: Int
  /// Samples that touch the stretch.
  package var samples = 0
  /// What they would add if there were no other source.
  package var offered = 0.0
  /// What they add.
  package var counted = 0.0
  /// Seconds of their samples, and how many of these better sources cover.
  package var seconds = 0
  package var coveredSeconds = 0
}

/// Sums samples so that what several devices saw at once counts once (R18).
///
/// Where samples overlap in time the best source counts, and of the others the part of their time
/// that no better source covers, in proportion.
package enum AdditiveTotals {
  /// What each source adds within `span`, the best source first.
  ///
  /// `samples` are distinct, those of one source in the order of time. Of sources of one class that
  /// which offers more within `span` is the better, then the one whose name comes first.
  package static func shares(
    of samples: [QuantitySample], in span: Range<Int>, order: [SourcePriority]
  ) -> [SourceShare] {
    var groups: [(share: SourceShare, samples: [QuantitySample])] = []
    var places: [Int: Int] = [:]
    for sample in samples {
      let extent = sample.extent
      let seen = extent.clamped(to: span).count
      guard seen > 0 else { continue }
      let place = places[sample.source] ?? groups.count
      if place == groups.count {
        places[sample.source] = place
        groups.append((SourceShare(source: sample.source), []))
      }
      groups[place].samples.append(sample)
      groups[place].share.samples += 1
      groups[place].share.seconds += seen
      groups[place].share.offered += sample.quantity(of: seen, in: extent)
    }
    guard groups.count > 1 else {
      return groups.map { group in
        var share = group.share
        share.counted = share.offered
        return share
      }
    }
    groups.sort { a, b in
      let (first, second) = (order[a.share.source], order[b.share.source])
      return (first.rank, -a.share.offered, first.name) < (
        second.rank, -b.share.offered, second.name
      )
    }
    return count(groups, in: span)
  }

  /// Counts groups that are in their order.
  private static func count(
    _ groups: [(share: SourceShare, samples: [QuantitySample])], in span: Range<Int>
  ) -> [SourceShare] {
    var covered = IntervalSet()
    return groups.map { share, samples in
      var share = share
      for sample in samples {
        let extent = sample.extent
        let seen = extent.clamped(to: span)
        let hidden = covered.count(in: seen)
        share.coveredSeconds += hidden
        share.counted += sample.quantity(of: seen.count - hidden, in: extent)
      }
      // A zero does not prove that the device was worn: it must not hide what another one counted.
      covered.formUnion(
        IntervalSet(
          samples.lazy.filter { $0.quantity > 0 }.map { $0.extent.clamped(to: span) }))
      return share
    }
  }
}

extension QuantitySample {
  /// The part of the quantity that falls to some of the sample's seconds.
  func quantity(of seconds: Int, in extent: Range<Int>) -> Double {
    seconds == extent.count ? quantity : quantity * (Double(seconds) / Double(extent.count))
  }
}

extension [SourceShare] {
  /// The sum of all sources; nil where there is none.
  package var total: Double? { isEmpty ? nil : reduce(0) { $0 + $1.counted } }
  /// True where sources saw the same.
  package var haveOverlap: Bool { contains { $0.coveredSeconds > 0 } }
}
