import HTTPTransport
import ObjectStore

extension ErrorContext {
  /// The error for an exchange that gave no complete answer.
  func error(_ failure: HTTPError, limit: Int? = nil) -> StoreError {
    let host = location.host
    switch failure.code {
    case .couldNotResolve:
      return error(
        .unavailable, "\(verb) failed because \(host) has no address (\(failure.message))",
        remedy: location.usesPathStyle
          ? "check --endpoint-url and the network"
          : "check --endpoint-url and the network, or use --addressing-style path",
        isRetryable: true)
    case .couldNotConnect:
      return error(
        .unavailable, "\(verb) failed because \(host) can't be reached (\(failure.message))",
        remedy: "check that the server runs, --endpoint-url, and the network", isRetryable: true)
    case .proxyFailed:
      let variable = location.proxy?.variable ?? "the variable that names it"
      return error(
        .unavailable, "\(verb) failed at the proxy for \(host) (\(failure.message))",
        remedy: """
          set \(variable) to the proxy's address, with a user and password where it asks for \
          them, or list the host in NO_PROXY
          """, isRetryable: true)
    case .tlsFailed where failure.message.saysNoTLS:
      return error(
        .unavailable, "\(verb) failed because \(host) does not answer in TLS (\(failure.message))",
        remedy: "use the port that serves https, or http:// in the endpoint's address")
    case .tlsFailed:
      return error(
        .unavailable, "\(verb) failed because \(host) offers no trusted TLS (\(failure.message))",
        remedy:
          "give the certificate authority with --ca-bundle, and check that the endpoint speaks https"
      )
    case .timedOut:
      return error(
        .unavailable, "\(verb) got no answer from \(host) in time (\(failure.message))",
        remedy: "try again, or allow more with --timeout", isRetryable: true)
    case .connectionLost, .wouldResend:
      return error(
        .unavailable, "\(verb) broke off: \(host) closed the connection (\(failure.message))",
        remedy: "try again" + hintOfTLS, isRetryable: true)
    case .responseTooLarge:
      guard let limit else {
        return error(
          .unavailable, "\(verb) got an answer beyond all measure (\(failure.message))",
          remedy: "check that \(location.endpoint) is an S3 server")
      }
      return error(
        .tooLarge, "\(verb) stopped: the object has more than \(limit) bytes",
        remedy: "remove or replace the object if it is not yours")
    case .malformedResponse:
      return error(
        .unavailable, "\(verb) got an answer that is not HTTP (\(failure.message))",
        remedy: "check that \(location.endpoint) is an S3 server" + hintOfTLS)
    case .cancelled:
      return error(.cancelled, "\(verb) was cancelled", remedy: nil)
    case .invalidRequest:
      return error(
        .invalidRequest, "\(verb) can't be asked of \(host) (\(failure.message))",
        remedy: "check --endpoint-url")
    case .internal:
      return error(.internal, "\(verb) failed inside (\(failure.message))", remedy: nil)
    }
  }

  /// A port for https answers plain http with an alert of TLS, or with nothing at all.
  private var hintOfTLS: String {
    location.endpoint.scheme == .http
      ? "; if this port serves https, use https:// in the endpoint's address" : ""
  }
}

extension String {
  /// OpenSSL's and GnuTLS's words for an answer that is not TLS, mostly plain http.
  fileprivate var saysNoTLS: Bool {
    ["wrong version number", "unexpected TLS packet", "http request", "packet length too long"]
      .contains(where: contains)
  }
}
