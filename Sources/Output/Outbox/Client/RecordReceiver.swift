package import HTTPClient
package import HealthExports
import HealthModel
package import HealthStreams

/// Posts records to a server (R56).
package struct RecordReceiver: Sendable {
  /// What became of a batch.
  package enum Outcome: Hashable, Sendable {
    /// The server has all of it.
    case stored(RowCounts)
    case failed(DeliveryFailure)
  }

  private let endpoint: IngestEndpoint
  private let token: DeviceToken
  private let transport: any HTTPTransport
  private let timeout: Duration

  /// - Parameters:
  ///   - endpoint: that of batches; each kind of records has its path below it.
  ///   - timeout: the time limit of one request, connecting included.
  package init(
    _ endpoint: IngestEndpoint, token: DeviceToken, transport: any HTTPTransport,
    timeout: Duration = .seconds(60)
  ) {
    (self.endpoint, self.token) = (endpoint, token)
    (self.transport, self.timeout) = (transport, timeout)
  }

  /// Posts one batch.
  ///
  /// - Parameter key: the same for each attempt, printable ASCII.
  package func post(_ batch: RecordBatch, key: String) async -> Outcome {
    let request = HTTPRequest(
      .post, "\(endpoint.url)/\(batch.kind.endpoint)",
      headers: [
        HTTPField("Authorization", "Bearer \(token.text)"),
        HTTPField("Content-Type", "application/json"), HTTPField("Accept", "application/json"),
        HTTPField("Idempotency-Key", key),
      ], body: batch.body, timeout: timeout,
      maximumResponseBytes: IngestReceiver.maximumAnswerBytes)
    do throws(HTTPError) {
      let response = try await transport.send(request)
      return RecordReceiver.outcome(of: response, for: batch.count, from: endpoint.host)
    } catch {
      return .failed(DeliveryFailure(error))
    }
  }

  /// What an answer means. Only a 2xx that accounts for every record is a success.
  static func outcome(of response: HTTPResponse, for count: Int, from host: String) -> Outcome {
    switch IngestAnswer(response, from: host).result(of: count) {
    case .failed(let failure): return .failed(failure)
    case .confirmed:
      let value = try? JSONValue(parsing: response.body, maximumDepth: 16)
      func number(_ name: String) -> Int? {
        value?[name]?.numberValue.flatMap { Int(exactly: $0) }
      }
      guard let inserted = number("inserted"), let duplicates = number("duplicates"),
        number("received") == count, inserted >= 0, duplicates >= 0,
        inserted + duplicates == count
      else {
        return .failed(
          DeliveryFailure(.server, "\(host) does not account for the \(count) records sent"))
      }
      return .stored(
        RowCounts(received: count, inserted: inserted, updated: number("updated") ?? 0))
    }
  }
}

/// How long to wait before a batch is sent again: 1, 2, 4, ... seconds, a minute at most. Pure.
package struct RetrySchedule: Hashable, Sendable {
  /// How often a batch is sent at most.
  package let attempts: Int
  private let first: Int

  package init(attempts: Int = 8, firstWait: Int = 1) {
    (self.attempts, first) = (attempts, firstWait)
  }

  /// Seconds to wait after so many failures; nil if it is not to be sent again.
  ///
  /// - Parameter failure: whether a person has to do something, and how long the server asks to wait.
  package func wait(after failures: Int, of failure: DeliveryFailure) -> Int? {
    switch failure.kind {
    case .offline, .timeout, .server, .storageFull: break
    case .unauthorized, .refused, .tooLarge, .permissionDenied: return nil
    }
    guard failures < attempts else { return nil }
    let own = min(60, first << min(failures - 1, 16))
    return max(own, min(failure.retryAfter ?? 0, 600))
  }
}
