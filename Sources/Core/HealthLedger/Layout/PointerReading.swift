public import HealthModel
public import ObjectStore

/// The result of reading `latest.json`.
public enum PointerReading: Hashable, Sendable {
  /// The object does not exist.
  case absent
  /// The pointer, and the etag under which it may be replaced.
  case valid(LatestPointer, ETag)
  /// An object that is not a pointer of this day (R15) and names nothing. Without its etag it can't
  /// be replaced. The etag is nil only for an object that is too large to read in a store that
  /// lists no etags.
  case corrupt(ETag?, [Violation])

  /// The revision that the pointer names, if there is one.
  public var revisionID: RevisionID? {
    if case .valid(let pointer, _) = self { pointer.revisionID } else { nil }
  }

  /// The precondition under which exactly this pointer may be replaced (R25).
  ///
  /// Without an etag it is "absent", which the store refuses until the object is removed.
  package var replacement: Precondition {
    switch self {
    case .absent, .corrupt(nil, _): .absent
    case .valid(_, let etag), .corrupt(let etag?, _): .matches(etag)
    }
  }

  package init(_ object: StoredObject?, date: CalendarDate) {
    guard let object else {
      self = .absent
      return
    }
    let decoded = LatestPointer.decode(object.body, date: date)
    self =
      if let pointer = decoded.pointer {
        .valid(pointer, object.etag)
      } else {
        .corrupt(object.etag, decoded.violations)
      }
  }
}

extension Violation {
  /// The code for a pointer that can't be read because something else has its name (R29).
  static let unreadable = "unreadable"
}
