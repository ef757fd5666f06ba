public import HealthModel
public import ObjectStore

/// What a read of `latest.json` gave.
public enum PointerReading: Hashable, Sendable {
  /// There is no such object.
  case absent
  /// The pointer, and the etag under which it may be replaced.
  case valid(LatestPointer, ETag)
  /// An object that is no pointer of this day (R15); it names nothing. Its etag, without which it
  /// can't be replaced, is nil only for an object too large to read in a store that lists none.
  case corrupt(ETag?, [Violation])

  /// The revision that the pointer names, if it names one.
  public var revisionID: RevisionID? {
    if case .valid(let pointer, _) = self { pointer.revisionID } else { nil }
  }

  /// The precondition under which this very reading may be replaced (R25).
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
  /// The code of a pointer in whose place something stands that can't be read (R29).
  static let unreadable = "unreadable"
}
