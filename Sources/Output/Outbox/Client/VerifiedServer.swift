package import HTTPClient
package import HealthModel
package import ObjectStore

/// A server that answered as the protocol says, with the token that it accepted (R46).
package struct VerifiedServer: Hashable, Sendable {
  /// Where batches are sent.
  package let endpoint: IngestEndpoint
  /// What is sent along.
  package let token: DeviceToken
  /// When it was verified, by this machine's clock.
  package let verifiedAt: Timestamp

  /// The name of the file in the user's private folder.
  package static let fileName = "server.json"
  /// The most bytes of the file.
  package static let maximumBytes = 16_384

  /// Asks the server: GET without the token must answer 401, and with the token 204.
  ///
  /// The token is sent only after the first answer was right.
  /// - Throws: `notAuthorized` if it refuses the token, `unavailable` if nothing answers in time, and
  ///   `unsupported` if something answers that does not speak the protocol.
  package init(
    verifying endpoint: IngestEndpoint, token: DeviceToken, transport: any HTTPTransport,
    timeout: Duration = .seconds(30), now: Timestamp
  ) async throws(StoreError) {
    let without = try await Self.ask(endpoint, nil, transport, timeout)
    guard without.status == 401 else {
      throw Self.unfit(without, endpoint, "a request without a token must be answered with 401")
    }
    let with = try await Self.ask(endpoint, token, transport, timeout)
    switch with.status {
    case 204: break
    case 401, 403:
      throw StoreError(
        .notAuthorized, "\(endpoint.host) refused the device token with \(with.status)",
        remedy: "check the device token")
    default:
      throw Self.unfit(with, endpoint, "a request with the token must be answered with 204")
    }
    self.init(endpoint: endpoint, token: token, verifiedAt: now)
  }

  private init(endpoint: IngestEndpoint, token: DeviceToken, verifiedAt: Timestamp) {
    (self.endpoint, self.token, self.verifiedAt) = (endpoint, token, verifiedAt)
  }

  private static let check: StoreError.Remedy =
    "check the address, and that the server runs and serves /api/ingest"

  private static func ask(
    _ endpoint: IngestEndpoint, _ token: DeviceToken?, _ transport: any HTTPTransport,
    _ timeout: Duration
  ) async throws(StoreError) -> HTTPResponse {
    let headers = token.map { [HTTPField("X-Device-Token", $0.text)] } ?? []
    do {
      return try await transport.send(
        HTTPRequest(
          .get, endpoint.url, headers: headers, timeout: timeout,
          maximumResponseBytes: IngestReceiver.maximumAnswerBytes))
    } catch {
      switch error.code {
      case .responseTooLarge, .malformedResponse:
        throw StoreError(.unsupported, error.message, remedy: Self.check)
      case .tlsFailed:
        throw StoreError(
          .unavailable, error.message,
          remedy: error.adviceOnCertificateDates.map { .text($0) } ?? .trustAuthority)
      default:
        throw StoreError(.unavailable, error.message, remedy: Self.check)
      }
    }
  }

  private static func unfit(
    _ response: HTTPResponse, _ endpoint: IngestEndpoint, _ rule: String
  ) -> StoreError {
    let answer = IngestAnswer(response, from: endpoint.host)
    let what =
      (300..<400).contains(response.status)
      ? answer.redirection : "\(endpoint.host) answered \(response.status)"
    return StoreError(.unsupported, "\(what); \(rule)", remedy: Self.check)
  }

  // MARK: - The file

  /// The content of the file: canonical JSON and a newline. It contains the token.
  package var document: [UInt8] {
    JSONValue.object([
      "endpoint": .string(endpoint.url), "token": .string(token.text),
      "verified_at": .string("\(verifiedAt)"),
    ]).canonicalBytes + [UInt8(ascii: "\n")]
  }

  /// Reads the content of the file; nil if it is damaged.
  package init?(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes, let value = try? JSONValue(parsing: bytes),
      let url = value["endpoint"]?.stringValue,
      let token = value["token"]?.stringValue.flatMap({ DeviceToken($0) }),
      let verifiedAt = value["verified_at"]?.stringValue.flatMap({ Timestamp($0) }),
      // Plain http was allowed when it was verified.
      let endpoint = try? IngestEndpoint(url, allowsPlaintext: true)
    else { return nil }
    self.init(endpoint: endpoint, token: token, verifiedAt: verifiedAt)
  }
}
