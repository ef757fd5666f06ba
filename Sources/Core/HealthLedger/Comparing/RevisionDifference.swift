public import HealthModel

/// What changed from one document to another, member by member (R37).
public struct RevisionDifference: Hashable, Sendable {
  /// All changes, sorted by their pointers.
  public let changes: [Change]

  /// One place where two documents differ.
  public struct Change: Hashable, Sendable {
    /// JSON pointer of the innermost value that differs.
    public let pointer: String
    /// The value in the first document; nil if it has none.
    public let old: JSONValue?
    /// The value in the second document; nil if it has none.
    public let new: JSONValue?
  }

  /// The changes from `old` to `new`. Objects are compared member by member, arrays as a whole.
  ///
  /// What does not describe the day is left out: the digests, which differ wherever anything does
  /// (R60), and what the sources say beside the figures (R20).
  public init(from old: JSONValue, to new: JSONValue) {
    var changes: [Change] = []
    Self.compare(old, new, at: "", into: &changes)
    self.changes = changes.filter { change in
      let member = change.pointer.dropFirst().prefix { $0 != "/" }
      return !["digest", "sources", "parent", "covers", "kept_from"].contains(member)
    }
  }

  /// The changes, without the timestamps that differ between any two revisions (R7, R8).
  public var payloadChanges: [Change] {
    changes.filter { $0.pointer != "/generated_at" && $0.pointer != "/captured_at" }
  }

  private static func compare(
    _ old: JSONValue?, _ new: JSONValue?, at pointer: String, into changes: inout [Change]
  ) {
    guard let before = old?.objectValue, let after = new?.objectValue else {
      if old != new { changes.append(Change(pointer: pointer, old: old, new: new)) }
      return
    }
    let keys = Set(before.keys).union(after.keys).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    for key in keys {
      compare(before[key], after[key], at: "\(pointer)/\(key.pointerToken)", into: &changes)
    }
  }
}
