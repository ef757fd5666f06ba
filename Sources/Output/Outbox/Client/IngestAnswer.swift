package import HTTPClient
import HealthModel
package import HealthStreams

/// What an answer of the server means. Pure.
package struct IngestAnswer: Sendable {
  private let response: HTTPResponse
  private let host: String

  package init(_ response: HTTPResponse, from host: String) {
    (self.response, self.host) = (response, host)
  }

  /// The result of a delivery. Whatever is not a clear success is a failure.
  package func result(for batch: SealedBatch) -> DeliveryResult {
    guard response.status == 403 else { return result(of: batch.recordCount, id: batch.id) }
    // Most often the token is another device's, and the person needs to know which one to ask for.
    return .failed(
      DeliveryFailure(
        .unauthorized,
        "\(host) refused the device token with 403\(quotation); the batch is of the device "
          + batch.deviceID))
  }

  /// The result of posting a payload: a server that has no such endpoint refuses it for good.
  package var resultOfPayload: DeliveryResult {
    switch response.status {
    case 404, 405, 501:
      .failed(
        DeliveryFailure(
          .refused,
          "\(host) takes no payloads of Health Auto Export (\(response.status)); sync them to a "
            + "bucket, or to s3healthd"))
    case 403:
      .failed(
        DeliveryFailure(
          .unauthorized,
          "the device token may not post payloads to \(host) (403); it needs the endpoint "
            + "health-auto-export"))
    default: result(of: 1)
    }
  }

  /// The same, of so many entries or records.
  ///
  /// - Parameter id: the batch's, if the answer may repeat it.
  package func result(of count: Int, id: String? = nil) -> DeliveryResult {
    let status = response.status
    let retryAfter = response.retryAfter
    func failed(_ kind: DeliveryFailure.Kind, _ message: String) -> DeliveryResult {
      .failed(DeliveryFailure(kind, message, retryAfter: retryAfter))
    }
    switch status {
    case 200..<300 where setsAside:
      return failed(.refused, "\(host) set entries of the batch aside\(quotation)")
    case 200..<300:
      guard let contradiction = contradiction(to: count, id) else {
        return .confirmed(at: response.date.map { Timestamp(secondsSince1970: $0) })
      }
      return failed(.server, "\(host) answered \(status), but \(contradiction)")
    case 300..<400:
      return failed(.server, redirection)
    case 400, 422:
      // A proxy or firewall may answer so as well, which proves nothing about the entries.
      guard isRefusal else {
        return failed(
          .server,
          "\(host) answered \(status) without saying what is wrong with the batch\(quotation)")
      }
      return failed(.refused, "\(host) refused the batch with \(status)\(quotation)")
    case 401:
      return failed(.unauthorized, "\(host) refused the device token with \(status)")
    case 403:
      return failed(
        .unauthorized, "\(host) refused the device token with \(status)\(quotation)")
    case 407:
      return failed(.unauthorized, "a proxy before \(host) asks for a password")
    case 413:
      return failed(.tooLarge, "the batch is too large for \(host)")
    case 429:
      return failed(.server, "\(host) gets too many requests (429)")
    case 507:
      return failed(.storageFull, "\(host) has no room (507)")
    case 500..<600:
      return failed(.server, "\(host) failed with \(status)\(quotation)")
    default:
      return failed(
        .server, "\(host) answered \(status), which is not part of the protocol\(quotation)")
    }
  }

  /// Whether a refusal is in the protocol's form: a JSON object with an `error`.
  private var isRefusal: Bool {
    guard let value = try? JSONValue(parsing: response.body, maximumDepth: 16) else { return false }
    switch value["error"] {
    case .object, .string: return true
    default: return false
    }
  }

  /// Whether a 2xx says that not all entries are what they should be.
  private var setsAside: Bool {
    (try? JSONValue(parsing: response.body, maximumDepth: 16))?["refused"]?.arrayValue?.isEmpty
      == false
  }

  /// Why a 2xx is not a confirmation; nil if it is one. R46 leaves the body open.
  private func contradiction(to count: Int, _ id: String?) -> String? {
    guard let value = try? JSONValue(parsing: response.body, maximumDepth: 16) else {
      return isPlainLine ? nil : "the body is neither JSON nor a line of text\(quotation)"
    }
    if value == .bool(false) { return "it says false" }
    if let received = value["received"], received != .number(Double(count)) {
      return "\"received\" is not \(count), the number of entries sent"
    }
    if let id, let named = value["batch_id"], named != .string(id) {
      return "\"batch_id\" is not that of the batch\(quotation)"
    }
    if let error = value["error"], error != .null { return "it reports an error\(quotation)" }
    for name in ["success", "ok"] where value[name] == .bool(false) {
      return "\"\(name)\" is false\(quotation)"
    }
    if let status = value["status"]?.stringValue, Self.deniesStorage(status) {
      return "\"status\" is \"\(Self.shown(Array(status.utf8)))\""
    }
    return nil
  }

  /// Whether the body is empty, or one short line of text that reports no failure. A page of HTML is
  /// not: a login page can be the answer of whatever stands before the server.
  private var isPlainLine: Bool {
    let text = String(decoding: response.body, as: UTF8.self)
    return response.body.count <= 200 && !text.unicodeScalars.contains("<")
      && !Self.deniesStorage(text)
      && text.unicodeScalars.allSatisfy {
        ($0.properties.generalCategory != .control && $0 != "\u{FFFD}") || $0 == "\n" || $0 == "\r"
      }
  }

  /// Whether a word or line says that something was not stored.
  private static func deniesStorage(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["error", "fail", "reject", "refuse", "denied", "invalid", "forbidden", "unauthorized"]
      .contains { text.firstRange(of: $0) != nil }
  }

  /// Where a redirect leads, for people.
  package var redirection: String {
    let target = response.header("location").map { " to \"\(Self.shown(Array($0.utf8)))\"" } ?? ""
    return "\(host) redirects\(target), which is not followed"
  }

  /// What the body says is wrong, or its beginning, for people.
  private var quotation: String {
    let text = Self.shown(reason.map { Array($0.utf8) } ?? response.body)
    return text.isEmpty ? "" : ": \"\(text)\""
  }

  /// The words for people of a body in JSON: those of its first fault, else those of its error.
  private var reason: String? {
    guard let value = try? JSONValue(parsing: response.body, maximumDepth: 16) else { return nil }
    let error = value["error"]
    let words = [
      value["refused"]?.arrayValue?.first?["message"],
      error?["faults"]?.arrayValue?.first?["message"],
      error?["message"], error,
    ]
    return words.lazy.compactMap { $0?.stringValue }.first { !$0.isEmpty }
  }

  /// At most 80 characters of printable ASCII.
  private static func shown(_ bytes: [UInt8]) -> String { ShownBytes.text(bytes, limit: 80) }
}
