package import HTTPMessage
package import HTTPTransport
import HealthModel
package import HealthStreams

/// Delivers batches to a server that speaks 003's protocol: one POST a batch (R46).
///
/// A batch is confirmed only by a 2xx whose body is JSON and does not contradict it. The same batch
/// may be sent again; its id goes along as `Idempotency-Key`.
package struct IngestReceiver: BatchReceiver {
  private let endpoint: IngestEndpoint
  private let token: DeviceToken
  private let transport: HTTPTransport
  private let timeout: Duration

  /// The most bytes of an answer.
  static let maximumAnswerBytes = 65_536

  /// - Parameter timeout: the time limit of one request, connecting included.
  package init(
    _ endpoint: IngestEndpoint, token: DeviceToken, transport: HTTPTransport,
    timeout: Duration = .seconds(30)
  ) {
    (self.endpoint, self.token) = (endpoint, token)
    (self.transport, self.timeout) = (transport, timeout)
  }

  /// Sends the batch as it was sealed.
  package func deliver(_ batch: SealedBatch) async -> DeliveryResult {
    let request = HTTPRequest(
      .post, endpoint.url,
      headers: [
        HTTPField("X-Device-Token", token.text), HTTPField("Content-Type", "application/json"),
        HTTPField("Accept", "application/json"), HTTPField("Idempotency-Key", batch.id),
      ], body: batch.body, timeout: timeout, maximumResponseBytes: Self.maximumAnswerBytes)
    do throws(HTTPError) {
      return IngestAnswer(try await transport.send(request), from: endpoint.host).result(for: batch)
    } catch {
      return .failed(DeliveryFailure(error))
    }
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
    self.init(kind, error.message)
  }
}
