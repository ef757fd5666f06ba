package import HTTPClient
import HealthModel
package import HealthStreams

/// Delivers batches to a server: one POST a batch (R46).
///
/// A batch is confirmed only by a 2xx whose body is JSON and does not contradict it. The same batch
/// may be sent again; its id goes along as `Idempotency-Key`.
package struct IngestReceiver: BatchReceiver {
  private let endpoint: IngestEndpoint
  private let token: DeviceToken
  private let transport: any HTTPTransport
  private let timeout: Duration

  static let maximumAnswerBytes = 65_536

  /// - Parameter timeout: the time limit of one request, connecting included.
  package init(
    _ endpoint: IngestEndpoint, token: DeviceToken, transport: any HTTPTransport,
    timeout: Duration = .seconds(30)
  ) {
    (self.endpoint, self.token) = (endpoint, token)
    (self.transport, self.timeout) = (transport, timeout)
  }

  /// The URL to which batches of a stream are sent.
  package func url(for stream: StreamName) -> String {
    (stream == .healthAutoExport ? endpoint.payloads : nil) ?? endpoint.url
  }

  package func deliver(_ batch: SealedBatch) async -> DeliveryResult {
    if batch.stream == .healthAutoExport { return await deliverPayload(batch) }
    let request = HTTPRequest(
      .post, endpoint.url,
      headers: [
        HTTPField("X-Device-Token", token.text), HTTPField("Content-Type", "application/json"),
        HTTPField("Accept", "application/json"), HTTPField("Idempotency-Key", batch.id),
        // All of it or nothing: the outbox finds the entry at fault, and reports it (R48).
        HTTPField("Prefer", "handling=strict"),
      ], body: batch.body, timeout: timeout, maximumResponseBytes: Self.maximumAnswerBytes)
    return await send(request) { $0.result(for: batch) }
  }

  private func send(
    _ request: HTTPRequest, _ result: (IngestAnswer) -> DeliveryResult
  ) async -> DeliveryResult {
    do throws(HTTPError) {
      return result(IngestAnswer(try await transport.send(request), from: endpoint.host))
    } catch {
      return .failed(DeliveryFailure(error))
    }
  }

  /// `/api/ingest` takes no payloads. A server takes them where the app posts them (R55).
  private func deliverPayload(_ batch: SealedBatch) async -> DeliveryResult {
    guard let url = endpoint.payloads, let post = HealthAutoExportBody.post(of: batch) else {
      return .failed(
        DeliveryFailure(
          .refused,
          "\(endpoint.host) takes no payloads of Health Auto Export, because its URL does not end in "
            + IngestEndpoint.path))
    }
    let request = HTTPRequest(
      .post, url,
      headers: [
        HTTPField("X-Device-Token", token.text), HTTPField("Content-Type", "application/json"),
        HTTPField("Accept", "application/json"), HTTPField("Idempotency-Key", batch.id),
      ] + post.headers.map { HTTPField($0.name, $0.value) }, body: post.body, timeout: timeout,
      maximumResponseBytes: Self.maximumAnswerBytes)
    return await send(request) { $0.resultOfPayload }
  }
}

extension DeliveryFailure {
  /// What an exchange without a complete answer means for a delivery.
  package init(_ error: HTTPError) {
    let kind: Kind =
      switch error.code {
      case .couldNotResolve, .couldNotConnect, .proxyFailed, .tlsFailed: .offline
      case .timedOut: error.mayHaveBeenApplied ? .timeout : .offline
      // This program is ending: nothing is wrong with the server or the batch.
      case .cancelled: .offline
      case .connectionLost, .wouldResend, .responseTooLarge, .malformedResponse, .invalidRequest,
        .noDescriptorLeft, .noThreadLeft, .internal:
        .server
      }
    self.init(kind, error.message, remedy: error.adviceOnCertificateDates.map { .text($0) })
  }
}
