import HealthModel

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
