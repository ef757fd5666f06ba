import ContentDigests
import HealthModel
import MCPServer

/// The ids of the events of one answer (R53). Each contains the request and the progress, signed for the
/// agent and its session. So any server can continue the answer, and none stores a stream. Pure.
struct AgentEventIDs: Hashable, Sendable {
  let call: ResumableCall
  private let body: String
  private let session: String
  private let seal: AgentSeal

  /// The most bytes of an id: less than proxies take as one header field.
  static let maximumBytes = 6000
  private static let end = "end"

  /// Nil if the request is too long for an id.
  ///
  /// - Parameter session: the session's id; empty without one.
  init?(_ call: ResumableCall, _ seal: AgentSeal, session: String) {
    let body = Base64.encode(call.message.canonicalBytes)
    guard body.utf8.count <= Self.maximumBytes - 100 else { return nil }
    (self.call, self.body, self.session, self.seal) = (call, body, session, seal)
  }

  /// The id of the event that says how much is done; 0 before all.
  func text(_ done: Int) -> String { signed("\(done)") }

  /// The id of the last event: nothing follows.
  var last: String { signed(Self.end) }

  private func signed(_ place: String) -> String {
    let bare = "\(call.version.rawValue).\(place).\(body)"
    return "\(bare).\(seal.mac("event \(session) \(bare)"))"
  }

  /// Where a stream was lost.
  enum Place: Hashable, Sendable {
    case after(done: Int, AgentEventIDs)
    /// Everything was sent.
    case end
  }

  /// Nil unless this agent was given the id in this session.
  static func place(
    _ text: String, _ seal: AgentSeal, session: String
  ) -> Place? {
    guard text.utf8.count <= maximumBytes else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count == 4,
      seal.isMAC(parts[3], of: "event \(session) \(parts[0]).\(parts[1]).\(parts[2])")
    else { return nil }
    guard parts[1] != end else { return .end }
    guard let done = Int(parts[1]), let message = Base64.decode(parts[2].utf8),
      let call = ResumableCall(version: parts[0], message: message),
      let ids = AgentEventIDs(call, seal, session: session)
    else { return nil }
    return .after(done: done, ids)
  }
}
