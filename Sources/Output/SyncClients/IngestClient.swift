import HTTPClient
import HealthLedger
import HealthModel
public import HealthStreams
import Outbox
public import Secrets
import URLSessionTransport

/// A hub's `/api/ingest`: takes the batches of an outbox, one POST each, with the device's token in
/// `X-Device-Token` (R46).
///
/// A batch is confirmed only by a 2xx whose body does not contradict it; whatever else happens, it
/// stays in the outbox. The same batch may be sent any number of times: its id is its
/// `Idempotency-Key`, and the server stores it once. Redirects are not followed.
///
/// ```swift
/// func set(up outbox: Outbox, token: Secret) async throws {
///   let hub = try IngestClient("https://hub.example", token: token)
///   try await hub.verify()  // before anything is sent
///   try await outbox.sync(to: hub)
/// }
/// ```
public struct IngestClient: BatchReceiver {
  private let endpoint: IngestEndpoint
  private let token: DeviceToken
  private let transport: URLSessionTransport
  private let timeout: Duration

  /// - Parameters:
  ///   - url: `https://host`, to which `/api/ingest` is added, or the whole URL. Plain http is taken
  ///     for this machine alone.
  ///   - token: the device's, as the hub's owner made it.
  ///   - timeout: of one request, connecting included.
  /// - Throws: `ClientError` `invalid`; it quotes neither.
  public init(
    _ url: String, token: Secret, timeout: Duration = .seconds(30)
  ) throws(ClientError) {
    (endpoint, self.token) = try Self.place(url, token)
    (transport, self.timeout) = (URLSessionTransport(), timeout)
  }

  static func place(
    _ url: String, _ token: Secret
  ) throws(ClientError) -> (IngestEndpoint, DeviceToken) {
    guard let token = DeviceToken(token.revealed) else {
      throw ClientError(.invalid, "a device token is printable and has no blanks")
    }
    do {
      return (try IngestEndpoint(url, allowsPlaintext: false), token)
    } catch {
      throw ClientError(error)
    }
  }

  /// Asks the server whether it speaks the protocol and takes the token. No data is sent, and the
  /// token only after the server has refused a request without one.
  ///
  /// - Throws: `ClientError` `unauthorized`, `unreachable` or `notAServer`.
  public func verify() async throws(ClientError) {
    do {
      _ = try await VerifiedServer(
        verifying: endpoint, token: token, transport: transport, timeout: timeout, now: .now)
    } catch {
      throw ClientError(error)
    }
  }

  /// Sends a batch as it was sealed.
  public func deliver(_ batch: consuming SealedBatch) async -> DeliveryResult {
    await IngestReceiver(endpoint, token: token, transport: transport, timeout: timeout)
      .deliver(batch)
  }
}
