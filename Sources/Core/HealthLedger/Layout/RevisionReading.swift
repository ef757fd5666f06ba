import HealthModel
package import ObjectStore

/// The result of reading a revision's key.
package enum RevisionReading: Hashable, Sendable {
  case absent
  /// The whole object, and when it was written according to the store (seconds since 1970).
  case found([UInt8], lastModified: Int?)
  /// An object larger than R13 allows; its bytes were not kept.
  case tooLarge

  package var body: [UInt8]? {
    if case .found(let body, _) = self { body } else { nil }
  }

  package init(_ object: StoredObject?) {
    self = object.map { .found($0.body, lastModified: $0.lastModified) } ?? .absent
  }
}

extension Violation {
  /// A revision larger than R13 allows; its bytes were not kept.
  static let revisionTooLarge = Violation(
    rule: "R13", code: "too_large", pointer: "",
    message: "the object is larger than \(DailyRevision.maximumBytes) bytes", hidesDocument: true)
}
