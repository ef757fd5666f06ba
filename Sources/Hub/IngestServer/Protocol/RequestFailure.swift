import HealthModel

/// Why a request is refused or could not be done: a status and a document that says what is wrong
/// where (R54).
package struct RequestFailure: Error, Hashable, Sendable {
  package struct Fault: Hashable, Sendable {
    /// Such as `missing_member`.
    package let code: String
    /// The JSON pointer of the member at fault; empty for the whole body.
    package let pointer: String
    /// A sentence; it quotes at most a few characters of the body.
    package var message: String

    package init(code: String, pointer: String, message: String) {
      (self.code, self.pointer, self.message) = (code, pointer, message)
    }
  }

  package let status: Int
  /// Such as `not_authorized`.
  package let code: String
  /// A sentence for people. It quotes neither a token nor a value of the body.
  package private(set) var message: String
  package var faults: [Fault] = []
  /// What helps.
  package var remedy: TokenRemedy?
  /// How long the client should wait before it sends the same again, in seconds.
  package var retryAfter: Int?
  /// Further header fields of the answer.
  package var headers: [HeaderField] = []
  /// What is wrong behind the server, for its own log. It is not sent to the client.
  package var cause: String?

  package init(
    _ status: Int, _ code: String, _ message: String, faults: [Fault] = [],
    remedy: TokenRemedy? = nil, retryAfter: Int? = nil, headers: [HeaderField] = [],
    cause: String? = nil
  ) {
    (self.status, self.code, self.message, self.faults) = (status, code, message, faults)
    (self.remedy, self.retryAfter) = (remedy, retryAfter)
    (self.headers, self.cause) = (headers, cause)
  }

  /// The body has more bytes than the limit.
  static func bodyTooLarge(_ limit: Int) -> Self {
    Self(413, "too_large", "the body has more than \(limit) bytes, packed or unpacked")
  }

  /// Something behind the server does not work: nothing was acknowledged, and the client sends the
  /// same again later.
  package static func unavailable(
    _ message: String, retryAfter: Int = 30, cause: String? = nil
  ) -> Self {
    Self(503, "unavailable", message, retryAfter: retryAfter, cause: cause)
  }

  /// With what helps in words, in the sentence that clients quote: a fault's if there is one.
  func worded(by words: (TokenRemedy) -> String) -> Self {
    guard let remedy else { return self }
    var worded = self
    if faults.isEmpty {
      worded.message += "; \(words(remedy))"
    } else {
      worded.faults[0].message += "; \(words(remedy))"
    }
    return worded
  }

  /// `{"error": {"code", "message", "faults": [{"code", "message", "pointer"}]}}`.
  var answer: Answer {
    var members: [String: JSONValue] = ["code": .string(code), "message": .string(message)]
    if !faults.isEmpty {
      members["faults"] = .array(
        faults.map {
          .object([
            "code": .string($0.code), "pointer": .string($0.pointer),
            "message": .string($0.message),
          ])
        })
    }
    var answer = Answer(status, json: .object(["error": .object(members)]))
    answer.headers += headers
    if let retryAfter { answer.headers.append(HeaderField("Retry-After", "\(retryAfter)")) }
    return answer
  }
}

extension RequestFailure {
  /// OwnTracks deletes a message that is answered by 4xx, so what will pass is said by 503.
  var asOwnTracksKeeps: RequestFailure {
    guard status == 408 || status == 429 else { return self }
    return .unavailable(message, retryAfter: retryAfter ?? 30, cause: cause)
  }
}
