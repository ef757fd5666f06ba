import HTTPClient
package import ObjectStore

/// The address of a server that takes batches: `https://host/api/ingest` (R46).
package struct IngestEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The whole URL, as it is requested.
  package let url: String
  /// The host, for messages.
  package let host: String

  private static let form: StoreError.Remedy = "use a URL such as https://host/api/ingest"

  /// Where a server takes batches (R54).
  package static let path = "/api/ingest"

  /// Where the same server takes payloads of Health Auto Export; nil for a URL that does not end in
  /// `/api/ingest`.
  var payloads: String? {
    url.hasSuffix(Self.path) ? url.dropLast(Self.path.count) + "/health-auto-export" : nil
  }

  /// Parses a URL. One without a path gets `/api/ingest`.
  ///
  /// - Parameter allowsPlaintext: whether plain http may leave this machine.
  /// - Throws: a clause that says what is wrong, without the URL.
  package init(_ text: String, allowsPlaintext: Bool) throws(StoreError) {
    var url = text
    while url.hasSuffix("/") { url.removeLast() }
    guard !url.utf8.contains(UInt8(ascii: "?")) else {
      throw StoreError(.invalidRequest, "the URL has a query", remedy: Self.form)
    }
    guard url.utf8.count <= 1000 else {
      throw StoreError(.invalidRequest, "the URL is too long", remedy: Self.form)
    }
    let target: RequestTarget
    do {
      target = try RequestTarget(url)
    } catch {
      throw StoreError(.invalidRequest, error.message, remedy: Self.form)
    }
    guard target.isTLS || target.isLoopback || allowsPlaintext else {
      throw StoreError(
        .invalidRequest, "\(target.host) would get the token and the data over plain http",
        remedy: .encryptTransport)
    }
    let authority = url.utf8.dropFirst(target.isTLS ? 8 : 7)
    if !authority.contains(UInt8(ascii: "/")) { url += Self.path }
    (self.url, host) = (url, target.host)
  }

  package var description: String { url }
}

/// The secret that a device sends with each request.
package struct DeviceToken: Hashable, Sendable {
  package let text: String

  /// Nil unless the text is 1 to 4,096 printable ASCII characters without blanks, so that it fits
  /// in a header as it is.
  package init?(_ text: String) {
    guard (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    self.text = text
  }
}

extension DeviceToken: CustomStringConvertible, CustomReflectable {
  /// Never the secret.
  package var description: String { "(a device token)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
