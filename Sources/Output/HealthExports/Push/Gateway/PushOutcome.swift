package import HTTPClient

/// What became of one push. Pure.
package struct PushFailure: Hashable, Sendable {
  /// Whether and when it makes sense to try again.
  package enum Kind: String, Hashable, Sendable, Codable {
    case offline
    case timeout
    /// 5xx, 429, or an answer that no gateway gives.
    case server
    /// A redirection, which is not followed: a POST to where it leads would have lost its body.
    case redirected
    /// 400: the text, or its clash with what others push.
    case refused
    /// 401, 403, 407.
    case unauthorized
    /// The certificate of the gateway is not trusted.
    case untrusted
  }

  package let kind: Kind
  /// One clause, with the gateway's own words, cut and printable.
  package let message: String

  package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

  /// Whether another attempt within the same interval may go better.
  package var isTransient: Bool { kind == .offline || kind == .timeout || kind == .server }

  /// Seconds until another attempt, after so many; nil if there is none (R57). Its values are read again:
  /// no value ever waits.
  package func wait(after attempts: Int) -> Int? {
    isTransient ? [1: 2, 2: 8][attempts] : nil
  }
}

extension PushFailure {
  /// Why an answer does not say that it was stored; nil if it does. Only a 2xx does (R57), and a
  /// gateway has nothing to say with it: a page is that of a proxy, such as one to sign in.
  ///
  /// - Parameter hasCredentials: whether the request had credentials.
  package init?(_ response: HTTPResponse, hasCredentials: Bool) {
    let status = response.status
    let words = ShownBytes.text(response.body, limit: 300)
    let quotation = words.isEmpty ? "" : ": \"\(words)\""
    switch status {
    case 200..<300:
      if response.body.allSatisfy({ " \r\n\t".utf8.contains($0) }) { return nil }
      self.init(
        .refused,
        "the server that answered \(status) is not a Pushgateway: it sent a text\(quotation)")
    case 300..<400:
      let place = response.header("location").map {
        " to \"\(ShownBytes.text(Array($0.utf8), limit: 100))\""
      }
      self.init(
        .redirected, "the gateway redirects with \(status)\(place ?? ""), and nothing was stored")
    case 400: self.init(.refused, "the gateway refused the metrics with 400\(quotation)")
    case 401 where !hasCredentials:
      self.init(.unauthorized, "the gateway asks for a user and a password, or a token (401)")
    case 401, 403:
      let refused = hasCredentials ? "the user, password or token" : "the push"
      self.init(.unauthorized, "the gateway refused \(refused) with \(status)\(quotation)")
    case 407: self.init(.unauthorized, "a proxy asks for a password")
    case 404, 405:
      self.init(.refused, "there is no Pushgateway at this URL: it answered \(status)\(quotation)")
    case 413: self.init(.refused, "the metrics are too large for the gateway (413)")
    case 429: self.init(.server, "the gateway gets too many requests (429)")
    case 500..<600: self.init(.server, "the gateway failed with \(status)\(quotation)")
    default: self.init(.server, "the gateway answered \(status)\(quotation)")
    }
  }

  /// A request without an answer.
  ///
  /// - Parameter isPlain: whether it was made in plain http, which a server that speaks TLS ends.
  package init(_ error: HTTPError, isPlain: Bool) {
    let kind: Kind =
      switch error.code {
      case .couldNotResolve, .couldNotConnect, .proxyFailed, .connectionLost, .cancelled,
        .noDescriptorLeft, .noThreadLeft:
        .offline
      case .timedOut: .timeout
      case .tlsFailed: .untrusted
      case .wouldResend, .responseTooLarge, .malformedResponse, .internal: .server
      case .invalidRequest: .refused
      }
    let mayNeedTLS = isPlain && [.connectionLost, .malformedResponse].contains(error.code)
    self.init(
      kind,
      error.message
        + (mayNeedTLS ? "; if the gateway speaks TLS, its address begins with https" : ""))
  }
}
