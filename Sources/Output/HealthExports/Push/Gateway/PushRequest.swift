package import HTTPClient

/// The requests to a gateway (R57). Pure.
package enum PushRequest {
  /// The most of an answer that is read.
  static let maximumAnswerBytes = 64 << 10

  /// Whether the whole group is replaced.
  package enum Method: String, Hashable, Sendable {
    /// Replaces the families that are pushed, and keeps the others.
    case add = "POST"
    case replace = "PUT"

    /// A POST, unless the group may have a family that is pushed no more: a total of yesterday, or a
    /// metric that was turned off. Only a PUT takes it away, and nobody shall read it as today's.
    ///
    /// - Parameter record: of the pushes to the group before. Until one has succeeded, nobody knows
    ///   what the group has: another machine may have pushed to it.
    package init(pushing names: Set<String>, after record: PushRecord, replaces: Bool) {
      self =
        replaces || record.lastSuccess == nil || !record.families.isSubset(of: names)
        ? .replace : .add
    }
  }

  package static func push(
    _ body: [UInt8], to address: GatewayAddress, by method: Method,
    as credentials: GatewayCredentials?, timeout: Duration
  ) -> HTTPRequest {
    request(
      method == .add ? .post : .put, address, credentials, timeout, body: body,
      [HTTPField("Content-Type", PrometheusText.contentType)])
  }

  /// Takes a group away.
  package static func delete(
    _ address: GatewayAddress, as credentials: GatewayCredentials?, timeout: Duration
  ) -> HTTPRequest {
    request(.delete, address, credentials, timeout)
  }

  /// What a test pushes: nothing of the person's.
  package static var testBody: [UInt8] {
    let family = MetricFamily(
      PushNames.test, .gauge, help: "Pushed to test the connection, and deleted at once.",
      [MetricSample(value: 1)])
    return Array(PrometheusText.text([family]).utf8)
  }

  private static func request(
    _ method: HTTPRequest.Method, _ address: GatewayAddress, _ credentials: GatewayCredentials?,
    _ timeout: Duration, body: [UInt8] = [], _ headers: [HTTPField] = []
  ) -> HTTPRequest {
    HTTPRequest(
      method, address.group, headers: headers + [credentials?.field].compactMap(\.self),
      body: body, timeout: timeout, connectTimeout: min(timeout, .seconds(10)),
      maximumResponseBytes: maximumAnswerBytes)
  }
}
