package import HealthLedger
package import HealthModel

/// What the log records of one request: no health values, no tokens, nothing that a client chose (R54).
package struct RequestRecord: Hashable, Sendable, CustomStringConvertible {
  package let at: Timestamp
  /// `GET`, `HEAD`, `POST`; `-` for others.
  package var method = "-"
  /// The path of a route; `-` for others.
  package var path = "-"
  package var status = 0
  /// The name of the device's token.
  package var device: String?
  /// Whose token it is; nil for a token without a person (R65).
  package var person: PersonID?
  /// Bytes of the body as they were sent.
  package var bytes = 0
  package var received: Int?
  package var inserted: Int?
  package var duplicates: Int?
  package var refused: Int?
  package var ignored: Int?
  package var milliseconds = 0
  /// The code of a refusal, and what was wrong behind the server.
  package var code: String?
  package var cause: String?

  package init(at: Timestamp) { self.at = at }

  /// One line.
  package var description: String {
    var words = ["\(at)", method, path, "\(status)"]
    if let device { words.append("device=\(device)") }
    if let person { words.append("person=\(person)") }
    if let received { words.append("received=\(received)") }
    if let inserted { words.append("inserted=\(inserted)") }
    if let duplicates { words.append("duplicates=\(duplicates)") }
    if let refused, refused > 0 { words.append("refused=\(refused)") }
    if let ignored, ignored > 0 { words.append("ignored=\(ignored)") }
    words += ["bytes=\(bytes)", "ms=\(milliseconds)"]
    if let code { words.append("code=\(code)") }
    if let cause { words.append("cause=\(JSONValue.string(cause).quoted)") }
    return words.joined(separator: " ")
  }
}

extension JSONValue {
  /// The value as JSON text.
  fileprivate var quoted: String { String(decoding: canonicalBytes, as: UTF8.self) }
}
