import HTTPClient
import ObjectStore

/// Requests to the services that provide credentials.
struct CredentialsHTTP: Sendable {
  let transport: any HTTPTransport
  /// The source's name, for errors.
  let source: String
  var attempts = 3

  /// Sends until there is an answer that a retry would not improve. No connection, 429 and 5xx are
  /// retried with a little jitter.
  func send(_ request: HTTPRequest) async throws(StoreError) -> HTTPResponse {
    var request = request
    request.maximumResponseBytes = CredentialsDocument.maximumBytes
    var attempt = 1
    while true {
      let isLast = attempt >= attempts
      do {
        let response = try await transport.send(request)
        if isLast || !(response.status == 429 || response.status >= 500) { return response }
      } catch {
        if error.code == .cancelled {
          throw StoreError(.cancelled, "asking \(source) was cancelled")
        }
        if isLast {
          throw StoreError(
            .unavailable, "\(source) gave no answer: \(error.message)",
            remedy: "check that it can be reached from here")
        }
      }
      do {
        try await Task.sleep(for: .milliseconds(Int.random(in: 50...200) << attempt))
      } catch {
        throw StoreError(.cancelled, "asking \(source) was cancelled")
      }
      attempt += 1
    }
  }

  /// Throws unless the status is 200. The error does not quote the body.
  func expectSuccess(_ response: HTTPResponse) throws(StoreError) -> [UInt8] {
    guard response.status == 200 else {
      throw StoreError(.unavailable, "\(source) answered status \(response.status)")
    }
    return response.body
  }
}
