/// Which element the next tag stands in.
///
/// In a well-formed export this follows the elements one by one. Where a tag is missing it recovers
/// by what the format allows: no record or workout holds another, so that a lost end tag does
/// not hide the rest of the file. Correlations, which hold records, are not among its
/// elements (`HeldRecords`).
struct ElementStack {
  enum Element {
    case record
    case workout
    case other

    init(_ name: RawText) {
      switch name.count {
      case 6: self = name.equals("Record") ? .record : .other
      case 7: self = name.equals("Workout") ? .workout : .other
      default: self = .other
      }
    }
  }

  /// How many elements are open, `HealthData` included.
  private(set) var depth = 0
  /// The open child of `HealthData`, if `depth` is over 1.
  private(set) var child = Element.other

  var isInside: Bool { depth > 0 }

  mutating func begin() { depth = 1 }

  mutating func end() { depth = 0 }

  mutating func open(_ element: Element) {
    depth += 1
    if depth == 2 { child = element }
  }

  /// Closes the open child of `HealthData`, whatever is open in it.
  mutating func closeChild() { depth = min(depth, 1) }

  /// Records that an end tag was read whose name is not known. A record or workout closes with the
  /// next one.
  mutating func closeUnnamed() {
    if depth > 2 || depth == 2 && child == .other { depth -= 1 }
  }

  /// Whether an element of this name can stand only in `HealthData`, so that what is open there has
  /// lost its end.
  func mustBeChild(_ name: RawText) -> Bool {
    guard depth > 1, child != .other else { return false }
    switch name.count {
    case 6: return name.equals("Record")
    case 7: return name.equals("Workout")
    case 11: return name.equals("Correlation")
    case 15: return name.equals("ActivitySummary")
    default: return false
    }
  }

  /// Records that an end tag was read. True if it closes the child of `HealthData`.
  mutating func close(_ name: RawText) -> Bool {
    guard depth > 1 else { return false }
    let closesKnown = child != .other && Element(name) == child
    if depth > 2, !closesKnown {
      depth -= 1
      return false
    }
    guard closesKnown || child == .other else { return false }
    depth = 1
    return true
  }
}
