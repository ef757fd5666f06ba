import HealthModel
package import ObjectStore

/// What a read of a revision's key gave.
package enum RevisionReading: Hashable, Sendable {
  case absent
  /// The whole object, and when the store says that it was written (seconds since 1970).
  case found([UInt8], lastModified: Int?)
  /// An object over the bound of R13, of which nothing was kept.
  case tooLarge

  package var body: [UInt8]? {
    if case .found(let body, _) = self { body } else { nil }
  }

  package init(_ object: StoredObject?) {
    self = object.map { .found($0.body, lastModified: $0.lastModified) } ?? .absent
  }
}

extension Violation {
  /// A revision over the bound of R13, of which nothing was kept.
  static let revisionTooLarge = Violation(
    rule: "R13", code: "too_large", pointer: "",
    message: "the object is larger than \(DailyRevision.maximumBytes) bytes", hidesDocument: true)
}
