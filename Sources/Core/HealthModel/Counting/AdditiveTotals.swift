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

/// Which of several sources counts where they saw the same: HealthKit's default order.
///
/// Apple lets a person reorder sources, but no file has that order; `preferred` names stand for it.
package struct SourcePriority: Hashable, Comparable {
  /// What a source is, the best first.
  package enum Class: Hashable, Comparable {
    /// Merged by HealthKit already: all such rows are one source, never de-duplicated again.
    case merged
    /// Typed in by the person.
    case byHand
    /// Put in this place by the caller.
    case preferred(Int)
    case watch
    case phone
    case otherApp
    case unnamed
  }

  package let rank: Class
  /// Decides between sources of one class that counted the same.
  package let name: String

  /// The place of a source of which only the name is known.
  package init(_ name: String) {
    if name.unicodeScalars.contains("|") {
      self.init(rank: .merged, name: "|")
    } else if name.lowercased() == "health" {
      // Without HealthKit's own mark, the name of Apple's app must do.
      self.init(rank: .byHand, name: name)
    } else {
      self.init(name: name, hardware: "", isUserEntered: false, preferred: [])
    }
  }

  /// The place of a source; `preferred` holds folded names (`SourceName`).
  package init(name: String, hardware: String, isUserEntered: Bool, preferred: [SourceName]) {
    let lower = name.lowercased()
    let rank: Class
    if isUserEntered {
      rank = .byHand
    } else if let place = preferred.firstIndex(of: SourceName(name)) {
      rank = .preferred(place)
    } else if hardware.hasPrefix("Watch") {
      rank = .watch
    } else if hardware.hasPrefix("iPhone") {
      rank = .phone
    } else if lower.firstRange(of: "watch") != nil {
      rank = .watch
    } else if lower.firstRange(of: "phone") != nil {
      rank = .phone
    } else {
      rank = name.isEmpty ? .unnamed : .otherApp
    }
    self.init(rank: rank, name: hardware.isEmpty ? name : "\(name) (\(hardware))")
  }

  private init(rank: Class, name: String) { (self.rank, self.name) = (rank, name) }

  package static func < (a: SourcePriority, b: SourcePriority) -> Bool {
    (a.rank, a.name) < (b.rank, b.name)
  }
}

/// A source's name as people type it: case, typographic apostrophes and no-break spaces, which
/// Apple's own names have, make no difference.
package struct SourceName: Hashable {
  package let folded: String

  package init(_ name: String) {
    var folded = ""
    for character in name.lowercased().unicodeScalars {
      switch character {
      case "\u{2018}", "\u{2019}": folded.unicodeScalars.append("'")
      case "\u{A0}", "\u{202F}": folded.unicodeScalars.append(" ")
      default: folded.unicodeScalars.append(character)
      }
    }
    self.folded = folded
  }
}
