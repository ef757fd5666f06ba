package import HealthModel

/// Interprets a JSON value as a message to a server.
enum IncomingMessage {
  case request(IncomingRequest)
  case notification(method: String, params: [String: JSONValue])
  /// An answer. It is unexpected, because this server sends no requests.
  case response
  /// Not a message. The id is for the error, if one could be read.
  case malformed(RequestID?, ProtocolError)

  init(_ value: JSONValue) {
    guard case .object(let members) = value else {
      self = .malformed(nil, .invalidRequest("a message is an object"))
      return
    }
    let id = members["id"].flatMap(RequestID.init)
    guard members["jsonrpc"] == "2.0" else {
      self = .malformed(id, .invalidRequest("`jsonrpc` must be \"2.0\""))
      return
    }
    guard let named = members["method"] else {
      let isResponse = members["result"] != nil || members["error"] != nil
      self = isResponse ? .response : .malformed(id, .invalidRequest("`method` is missing"))
      return
    }
    guard let method = named.stringValue else {
      self = .malformed(id, .invalidRequest("`method` must be a string"))
      return
    }
    guard members["id"] != nil else {
      self = .notification(method: method, params: members["params"]?.objectValue ?? [:])
      return
    }
    guard let id else {
      let reason = "`id` must be a string, or an integer below 2^53"
      self = .malformed(nil, .invalidRequest(reason))
      return
    }
    self = .request(IncomingRequest(id: id, method: method, params: members["params"] ?? [:]))
  }
}

/// A request whose parameters are not checked yet.
struct IncomingRequest {
  let id: RequestID
  let method: String
  let params: JSONValue

  /// - Throws: `invalidParams` if they are not an object.
  var members: [String: JSONValue] {
    get throws(ProtocolError) {
      guard case .object(let members) = params else {
        throw .invalidParams("`params` must be an object")
      }
      return members
    }
  }
}

/// The id of a request: a string, or an integer that a double can hold exactly.
///
/// Compared by its JSON text: `1` and `"1"` differ, and so do strings that are equivalent in
/// Unicode.
package struct RequestID: Hashable, Sendable {
  /// As it was received.
  package let value: JSONValue
  private let text: [UInt8]
  /// The size of its JSON text in bytes.
  var byteCount: Int { text.count }

  /// Nil for any other kind of value, for fractions, and for integers above 2^53 - 1, which this
  /// server could not send back unchanged.
  package init?(_ value: JSONValue) {
    switch value {
    case .string: break
    case .number(let number):
      guard let whole = Int(exactly: number), whole.magnitude < 1 << 53 else { return nil }
    default: return nil
    }
    self.value = value
    text = value.canonicalBytes
  }

  package static func == (a: RequestID, b: RequestID) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
