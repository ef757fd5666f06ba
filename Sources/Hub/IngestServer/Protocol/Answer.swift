import HTTPTypes
package import HealthLedger
package import HealthModel

package struct HeaderField: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

package struct Answer: Hashable, Sendable {
  package let status: Int
  package var headers: [HeaderField] = []
  package internal(set) var body: [UInt8]
  /// Whether it may be compressed (see `AnswerPacking`).
  var mayBePacked = false
  /// What came of the request's data, for the log.
  package var counts = DataCounts()
  /// The name of the token, and whose it is, where the route itself identified the client.
  package var device: String?
  package var person: PersonID?
  /// Why the route has refused the request, for the log.
  package var code: String?
  /// Events that follow the head for as long as both sides stay; then there is no body.
  package var events: EventSubscription?

  /// What a request has brought, and what came of it; never its values.
  package struct DataCounts: Hashable, Sendable {
    /// How many entries or records it had.
    package var received: Int?
    /// How many of them were new, and how many were there already, where that is known.
    package var inserted, duplicates: Int?
    /// How many points were kept aside because they are not valid.
    package var refused: Int?
    /// How many members beside the points were not kept.
    package var ignored: Int?
    /// What of them is in no day, by metric: names of the catalogue and counts.
    package var leftOut: String?
  }

  /// Says whose token it was, for the log.
  mutating func note(_ sender: AuthenticatedDevice) {
    (device, person) = (sender.name, sender.person)
  }

  package init(_ status: Int) { (self.status, body) = (status, []) }

  package init(_ status: Int, json: JSONValue) {
    self.status = status
    body = json.canonicalBytes
    headers = [HeaderField("Content-Type", "application/json")]
  }

  package init(_ status: Int, bytes: [UInt8], type: String) {
    (self.status, body) = (status, bytes)
    headers = [HeaderField("Content-Type", type)]
  }

  package init(_ status: Int, text: String, type: String = "text/plain; charset=utf-8") {
    self.status = status
    body = Array(text.utf8)
    headers = [HeaderField("Content-Type", type)]
  }

  /// Leads a browser to another address.
  init(to address: String) {
    self.init(303, bytes: [], type: "text/plain")
    headers.append(HeaderField("Location", address))
  }

  /// A page for people.
  init(_ status: Int, page bytes: [UInt8], policy: String) {
    self.init(status, bytes: bytes, type: "text/html; charset=utf-8")
    headers.append(HeaderField("Content-Security-Policy", policy))
    headers += PageSessions.safety
  }

  /// A file without health data. Another version of the server has another one: it is asked for each
  /// hour.
  init(file bytes: [UInt8], type: String) {
    self.init(200, bytes: bytes, type: type)
    // Pictures are compressed already.
    mayBePacked = !type.hasPrefix("image/") || type == "image/svg+xml"
    headers.append(HeaderField("Cache-Control", "public, max-age=3600"))
  }
}

extension Answer {
  /// The header fields of the answer, without those of its length and its connection.
  ///
  /// - Parameter isSecure: whether the server speaks https itself.
  func fields(isSecure: Bool) -> HTTPFields {
    var fields = HTTPFields()
    for field in headers {
      if let name = HTTPField.Name(field.name) {
        fields.append(.init(name: name, value: field.value))
      }
    }
    if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    fields[.xContentTypeOptions] = "nosniff"
    if isSecure { fields[.strictTransportSecurity] = "max-age=31536000" }
    return fields
  }
}
