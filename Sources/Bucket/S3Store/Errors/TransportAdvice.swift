import HTTPClient
import ObjectStore

extension ErrorContext {
  /// The error for an exchange without a complete answer.
  func error(_ failure: HTTPError, limit: Int? = nil) -> StoreError {
    let host = location.host
    if let proxy = proxy, let failed = error(failure, through: proxy) { return failed }
    switch failure.code {
    case .couldNotResolve:
      return error(
        .unavailable, "\(verb) failed because \(host) has no address (\(failure.message))",
        remedy: .checkEndpointAndNetwork(bucketIsInHostName: !location.usesPathStyle),
        isRetryable: true, cause: .noConnection)
    case .couldNotConnect:
      return error(
        .unavailable, "\(verb) failed because \(host) can't be reached (\(failure.message))",
        remedy: .checkServerAndNetwork, isRetryable: true, cause: .noConnection)
    case .proxyFailed:
      let variable = proxy?.variable ?? "the variable that names it"
      return error(
        .unavailable, "\(verb) failed at the proxy for \(host) (\(failure.message))",
        remedy: """
          set \(variable) to the proxy's address, with a user and password where it asks for \
          them, or list the host in NO_PROXY
          """, isRetryable: true, cause: .noConnection)
    case .tlsFailed where failure.message.saysNoTLS:
      return error(
        .unavailable, "\(verb) failed because \(host) does not answer in TLS (\(failure.message))",
        remedy: "use the port that serves https, or http:// in the endpoint's address",
        cause: .noConnection)
    case .tlsFailed:
      return error(
        .unavailable, "\(verb) failed because \(host) offers no trusted TLS (\(failure.message))",
        remedy: failure.adviceOnCertificateDates.map { .text($0) } ?? .trustAuthority,
        cause: .noConnection)
    case .timedOut:
      return error(
        .unavailable, "\(verb) got no answer from \(host) in time (\(failure.message))",
        remedy: .allowMoreTime, isRetryable: true,
        cause: failure.mayHaveBeenApplied ? .timeout : .noConnection)
    case .connectionLost, .wouldResend:
      return error(
        .unavailable, "\(verb) broke off: \(host) closed the connection (\(failure.message))",
        remedy: withHintOfTLS(.retry), isRetryable: true)
    case .responseTooLarge:
      guard let limit else {
        return error(
          .unavailable, "\(verb) got an answer far too large (\(failure.message))",
          remedy: "check that \(location.endpoint) is an S3 server")
      }
      return error(
        .tooLarge, "\(verb) stopped: the object has more than \(limit) bytes",
        remedy: "remove or replace the object if it is not yours")
    case .malformedResponse:
      return error(
        .unavailable, "\(verb) got an answer that is not HTTP (\(failure.message))",
        remedy: withHintOfTLS("check that \(location.endpoint) is an S3 server"))
    case .cancelled:
      return error(.cancelled, "\(verb) was cancelled", remedy: nil)
    case .invalidRequest:
      return error(
        .invalidRequest, "\(verb) can't be sent to \(host) (\(failure.message))",
        remedy: .checkEndpoint)
    case .noDescriptorLeft:
      return error(
        .internal, "\(verb) failed because \(failure.message)",
        remedy: .raiseLimit(of: .openFiles))
    case .noThreadLeft:
      return error(
        .internal, "\(verb) failed because \(failure.message)",
        remedy: .raiseLimit(of: .processes))
    case .internal:
      return error(.internal, "\(verb) failed in this program (\(failure.message))", remedy: nil)
    }
  }

  /// The error where the proxy may have failed as well as the server; nil if it can't be the proxy.
  ///
  /// Without the hints for a server that is asked directly: over http, it is always the proxy that
  /// answers and closes.
  private func error(_ failure: HTTPError, through proxy: HTTPProxy) -> StoreError? {
    let check = StoreError.Remedy.text("check the proxy \(proxy), or list the host in NO_PROXY")
    switch failure.code {
    case .timedOut:
      return error(
        .unavailable, "\(verb) got no answer in time (\(failure.message))",
        remedy: .all([.allowMoreTime, check]), isRetryable: true,
        cause: failure.mayHaveBeenApplied ? .timeout : .noConnection)
    case .connectionLost, .wouldResend:
      return error(
        .unavailable, "\(verb) broke off (\(failure.message))",
        remedy: .all([.retry, check]), isRetryable: true)
    case .malformedResponse:
      return error(
        .unavailable, "\(verb) got an answer that is not HTTP (\(failure.message))", remedy: check)
    default: return nil
    }
  }

  /// A port for https answers plain http with a TLS alert, or with nothing at all.
  private func withHintOfTLS(_ remedy: StoreError.Remedy) -> StoreError.Remedy {
    guard location.endpoint.scheme == .http else { return remedy }
    return .all([remedy, "if this port serves https, use https:// in the endpoint's address"])
  }
}

extension String {
  /// The messages of OpenSSL and GnuTLS for an answer that is not TLS, which is usually plain http.
  fileprivate var saysNoTLS: Bool {
    ["wrong version number", "unexpected TLS packet", "http request", "packet length too long"]
      .contains { firstRange(of: $0) != nil }
  }
}
