package import HealthModel
package import ObjectStore
import Synchronization

/// The result of reading a revision's key.
package enum RevisionReading: Hashable, Sendable {
  case absent
  /// The whole object.
  case object(RevisionObject)
  /// An object larger than R13 allows; its bytes were not kept.
  case tooLarge

  package var body: [UInt8]? {
    if case .object(let object) = self { object.body } else { nil }
  }

  /// The content as readers take it (R41), its boundaries as written; nil if there is none.
  package func decoded(date: CalendarDate, id: RevisionID) -> DailyRevision.Decoded? {
    if case .object(let object) = self { object.decoded(date: date, id: id) } else { nil }
  }

  /// Whether it can be understood, and has what was written (R60).
  func isSound(_ date: CalendarDate, _ id: RevisionID) -> Bool {
    guard let decoded = decoded(date: date, id: id) else { return false }
    return decoded.revision != nil && !decoded.isDamaged
  }

  /// An object, and when it was written according to the store (seconds since 1970).
  package static func found(_ body: [UInt8], lastModified: Int?) -> RevisionReading {
    .object(RevisionObject(body, lastModified: lastModified))
  }

  package init(_ object: StoredObject?) {
    self = object.map { .found($0.body, lastModified: $0.lastModified) } ?? .absent
  }
}

/// The object of a revision, which is decoded once however many machines look at it.
package struct RevisionObject: Hashable, Sendable {
  let body: [UInt8]
  let lastModified: Int?
  private let memory = Memory()

  private final class Memory: Sendable {
    let decoded = Mutex<(date: CalendarDate, id: RevisionID, DailyRevision.Decoded)?>(nil)
  }

  init(_ body: [UInt8], lastModified: Int?) {
    (self.body, self.lastModified) = (body, lastModified)
  }

  /// As written: a reader with an older time zone database must not hide what others see.
  func decoded(date: CalendarDate, id: RevisionID) -> DailyRevision.Decoded {
    memory.decoded.withLock { known in
      if let known, known.date == date, known.id == id { return known.2 }
      let decoded = DailyRevision.decode(body, date: date, id: id, boundaries: .asWritten)
      known = (date, id, decoded)
      return decoded
    }
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.body == b.body && a.lastModified == b.lastModified
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(body) }
}

extension Violation {
  /// A revision larger than R13 allows; its bytes were not kept.
  static let revisionTooLarge = Violation(
    rule: "R13", code: "too_large", pointer: "",
    message: "the object is larger than \(DailyRevision.maximumBytes) bytes", hidesDocument: true)
}
