import CCurl
import HTTPClient

extension HTTPError {
  /// The meaning of a libcurl result.
  ///
  /// - Parameters:
  ///   - detail: libcurl's error text for this transfer.
  ///   - hasTunnel: whether a proxy has opened a tunnel to the server. What fails after that is the
  ///     server's.
  init(_ result: CURLcode, detail: String, transfer: Transfer, hasTunnel: Bool = false) {
    let sent = transfer.sends > 0
    if let verdict = transfer.verdict {
      self.init(verdict, limit: transfer.request.maximumResponseBytes)
      return
    }
    let code = HTTPError.Code(result, sent: sent)
    if !sent, !hasTunnel, let proxy = transfer.proxy,
      result.mayBeOfProxy || (code == .tlsFailed && proxy.speaksTLS)
    {
      let reason =
        switch code {
        case _ where result == CURLE_COULDNT_RESOLVE_PROXY: "its name could not be resolved"
        case .tlsFailed: "no secure connection to it: \(detail)"
        default: detail
        }
      self.init(.proxyFailed, "\(proxy): \(reason)", mayHaveBeenApplied: false)
      return
    }
    guard code != .timedOut else {
      self = .timedOut(transfer)
      return
    }
    let (host, server) = (transfer.target.host, transfer.server)
    let text: String =
      switch code {
      case .couldNotResolve where result == CURLE_COULDNT_RESOLVE_PROXY:
        "the name of the proxy for \(host) could not be resolved"
      case .couldNotResolve: "the host name \(host) could not be resolved"
      case .couldNotConnect: "no connection to \(server): \(detail)"
      case .tlsFailed: "no secure connection to \(server): \(detail)"
      case .connectionLost: "the connection to \(server) broke: \(detail)"
      case .malformedResponse: "\(server) did not answer in HTTP: \(detail)"
      case .responseTooLarge: "a header line of the response is too long"
      default: detail
      }
    self.init(code, text, mayHaveBeenApplied: sent)
  }

  private init(_ verdict: Transfer.Verdict, limit: Int) {
    // All except the last occur after a send.
    switch verdict {
    case .headTooLarge:
      self.init(
        .responseTooLarge,
        "the response's header exceeds \(ResponseHead.maximumBytes) bytes or"
          + " \(ResponseHead.maximumFields) fields",
        mayHaveBeenApplied: true)
    case .bodyTooLarge:
      self.init(
        .responseTooLarge, "the response exceeds \(limit) bytes", mayHaveBeenApplied: true)
    case .malformedHead:
      self.init(.malformedResponse, "the response's header is malformed", mayHaveBeenApplied: true)
    case .refusedResend:
      self.init(
        .wouldResend, "the connection closed without an answer to a request that is sent only once",
        mayHaveBeenApplied: true)
    case .deadConnection:
      self.init(
        .connectionLost, "the connection was closed before the request was sent",
        mayHaveBeenApplied: false)
    }
  }
}

extension HTTPError {
  static func cancelled(sent: Bool) -> HTTPError {
    HTTPError(.cancelled, "the request was cancelled", mayHaveBeenApplied: sent)
  }

  static func shutDown(sent: Bool) -> HTTPError {
    HTTPError(.cancelled, "the transport was shut down", mayHaveBeenApplied: sent)
  }

  static func timedOut(_ transfer: Transfer) -> HTTPError {
    let (sent, server) = (transfer.sends > 0, transfer.server)
    return HTTPError(
      .timedOut,
      sent ? "\(server) did not answer in time" : "connecting to \(server) took too long",
      mayHaveBeenApplied: sent)
  }
}

extension Transfer {
  /// The proxy between; nil if there is none.
  fileprivate var proxy: HTTPProxy? { HTTPProxy.chosen(for: request.url) }

  /// The host, with the proxy between, which may be what failed.
  fileprivate var server: String {
    proxy.map { "\(target.host) through the proxy \($0)" } ?? target.host
  }
}

extension HTTPProxy {
  /// Whether the connection to the proxy itself is secure.
  fileprivate var speaksTLS: Bool { address?.hasPrefix("https://") == true }
}

extension CURLcode {
  /// Whether a proxy is used and nothing was sent yet. Then the failure may be in the proxy's
  /// address, connection or answer.
  fileprivate var mayBeOfProxy: Bool {
    switch self {
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_RECV_ERROR,
      CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT,
      CURLE_WEIRD_SERVER_REPLY, CURLE_LOGIN_DENIED:
      true
    default: false
    }
  }
}

extension HTTPError.Code {
  /// Classifies libcurl's codes. Some have another meaning after the request was sent.
  init(_ result: CURLcode, sent: Bool) {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .couldNotResolve
    case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: self = .couldNotConnect
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
      self = .tlsFailed
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_SSL_SHUTDOWN_FAILED:
      // Before the request was sent, this is a failed handshake, for example with a proxy.
      self = sent ? .connectionLost : .couldNotConnect
    case CURLE_SEND_FAIL_REWIND: self = .connectionLost
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: self = .malformedResponse
    // libcurl's code for an answer in HTTP/0.9, or one that is not HTTP at all.
    case CURLE_UNSUPPORTED_PROTOCOL: self = sent ? .malformedResponse : .invalidRequest
    case CURLE_URL_MALFORMAT: self = .invalidRequest
    case CURLE_FILESIZE_EXCEEDED, tooLarge: self = .responseTooLarge
    // libcurl's code for a header line over its own limit.
    case CURLE_OUT_OF_MEMORY: self = sent ? .responseTooLarge : .internal
    default: self = .internal
    }
  }
}

/// `CURLE_TOO_LARGE`, which the oldest supported libcurl does not define.
private let tooLarge = CURLcode(rawValue: 100)

extension EasyHandle {
  /// libcurl's error text as one clause of printable ASCII without user information. It may contain
  /// names from a certificate or a proxy's address.
  func detail(_ result: CURLcode) -> String {
    guard errorText[0] != 0 else { return String(cString: curl_easy_strerror(result)) }
    let length = (0..<Int(CURL_ERROR_SIZE)).first { errorText[$0] == 0 } ?? 0
    let text = UserInformation().hidden(
      in: Array(UnsafeRawBufferPointer(start: errorText, count: length)))
    return String(
      decoding: text.prefix(160).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }

  /// Whether a proxy has opened a tunnel for this transfer.
  var hasTunnel: Bool { s3h_get_long(curl, CURLINFO_HTTP_CONNECTCODE) / 100 == 2 }
}
