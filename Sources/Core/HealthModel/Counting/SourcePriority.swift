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
