package import AppleExport

/// Which of several sources counts where they saw the same: HealthKit's default order.
///
/// Apple lets a person reorder sources, but no file has that order; `preferred` names stand for it.
struct SourcePriority: Hashable, Comparable {
  /// What a source is, the best first.
  enum Class: Hashable, Comparable {
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

  let rank: Class
  /// Decides between sources of one class that counted the same.
  let name: String

  /// The place of a source of which only the name is known.
  init(_ name: String) {
    if name.contains("|") {
      self.init(rank: .merged, name: "|")
    } else if name.lowercased() == "health" {
      // Without HealthKit's own mark, the name of Apple's app must do.
      self.init(rank: .byHand, name: name)
    } else {
      self.init(ExportSource(name: name), isUserEntered: false, preferred: [])
    }
  }

  /// The place of a source of an export; `preferred` holds folded names (`SourceName`).
  init(_ source: ExportSource, isUserEntered: Bool, preferred: [SourceName]) {
    let lower = source.name.lowercased()
    let rank: Class
    if isUserEntered {
      rank = .byHand
    } else if let place = preferred.firstIndex(of: SourceName(source.name)) {
      rank = .preferred(place)
    } else if source.hardware.hasPrefix("Watch") {
      rank = .watch
    } else if source.hardware.hasPrefix("iPhone") {
      rank = .phone
    } else if lower.contains("watch") {
      rank = .watch
    } else if lower.contains("phone") {
      rank = .phone
    } else {
      rank = source.name.isEmpty ? .unnamed : .otherApp
    }
    self.init(rank: rank, name: source.hardware.isEmpty ? source.name : source.label)
  }

  private init(rank: Class, name: String) { (self.rank, self.name) = (rank, name) }

  static func < (a: SourcePriority, b: SourcePriority) -> Bool {
    (a.rank, a.name) < (b.rank, b.name)
  }
}

extension ExportSource {
  /// The name and, where it is known, the hardware: `Ann's Watch (Watch6,2)`.
  package var label: String { hardware.isEmpty ? name : "\(name) (\(hardware))" }
}

/// A source's name as people type it: case, typographic apostrophes and no-break spaces, which
/// Apple's own names have, make no difference.
struct SourceName: Hashable {
  let folded: String

  init(_ name: String) {
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
