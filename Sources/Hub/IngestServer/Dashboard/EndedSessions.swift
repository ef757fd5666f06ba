import HealthModel
import Synchronization

/// Sessions that were ended before their time: cookies of them that somebody has kept are refused, also
/// after a restart (R59).
package final class EndedSessions: Sendable {
  /// By the session's id, when it would have ended.
  private let ended: Mutex<[String: Timestamp]>
  private let save: @Sendable ([UInt8]) -> Void

  private static let maximum = 10_000
  /// The most bytes of the document.
  package static let maximumBytes = 1 << 20

  /// - Parameters:
  ///   - document: what was saved last; nil if nothing was.
  ///   - save: keeps a document for the next start.
  package init(
    _ document: [UInt8]? = nil, save: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) {
    var held: [String: Timestamp] = [:]
    if case .object(let members)? = document.flatMap({ try? JSONValue(parsing: $0) }) {
      held = members.compactMapValues { $0.stringValue.flatMap { Timestamp($0) } }
    }
    ended = Mutex(held)
    self.save = save
  }

  func contains(_ session: Session) -> Bool { ended.withLock { $0[session.id] != nil } }

  func end(_ session: Session, at now: Timestamp) {
    ended.withLock { ended in
      ended = ended.filter { $0.value > now }
      guard ended.count < Self.maximum else { return }
      ended[session.id] = session.expires
      save(JSONValue.object(ended.mapValues { .string("\($0)") }).canonicalBytes)
    }
  }
}
