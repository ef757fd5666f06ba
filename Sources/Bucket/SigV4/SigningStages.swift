import ContentDigests
import Digests
import HTTPClient

/// The stages of one signature: canonical request, string to sign, signature.
struct SigningStages {
  let canonicalRequest: [UInt8]
  let stringToSign: [UInt8]
  let scope: SigningScope
  /// `host;x-amz-date`.
  let signedHeaders: [UInt8]
  /// The headers that the signature adds, except the signature itself.
  let addedHeaders: [(name: String, value: String)]

  init(
    _ request: SigningRequest, credentials: SigningCredentials, signer: SigV4Signer,
    time: SigningTime, scope: SigningScope
  ) {
    self.scope = scope
    var added: [(name: String, value: String)] = []
    let token = signer.signsSessionToken ? credentials.sessionToken?.revealed : nil

    added.append(("x-amz-date", time.timestamp))
    if signer.signsPayloadHashHeader {
      added.append(("x-amz-content-sha256", request.payloadHash))
    }
    if let token { added.append(("x-amz-security-token", token)) }
    // A request that is signed again still has the headers of the first signature.
    let headers = CanonicalHeaders(request.headers, adding: added)
    signedHeaders = headers.names
    addedHeaders = added

    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    bytes.append(contentsOf: request.method.utf8)
    bytes.append(UInt8(ascii: "\n"))
    CanonicalPath.append(request.path, style: signer.pathStyle, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    CanonicalQuery.append(request.query, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    headers.appendLines(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: signedHeaders)
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: request.payloadHash.utf8)
    canonicalRequest = bytes

    var toSign: [UInt8] = []
    toSign.reserveCapacity(192)
    toSign.append(contentsOf: "AWS4-HMAC-SHA256\n".utf8)
    toSign.append(contentsOf: time.timestamp.utf8)
    toSign.append(UInt8(ascii: "\n"))
    toSign.append(contentsOf: scope.text.utf8)
    toSign.append(UInt8(ascii: "\n"))
    toSign.append(contentsOf: SHA256.hex(bytes).utf8)
    stringToSign = toSign
  }

  /// Lower-case hex, with the signing key of `scope`.
  func signature(key: [UInt8]) -> String { Hex.string(HMAC.sha256(key: key, stringToSign)) }
}

/// The headers of a canonical request: names in lower case and sorted, values trimmed, those of
/// one name joined by commas in the order given.
struct CanonicalHeaders {
  private let sorted: [(name: String, value: String)]

  /// Leaves out headers that proxies may add or change.
  ///
  /// - Parameter added: the headers that the signature adds, with names in lower case. If the
  ///   request already has them from an earlier signature, those are left out.
  init(
    _ headers: [(name: String, value: String)], adding added: [(name: String, value: String)] = []
  ) {
    var named: [(name: String, value: String)] = []
    named.reserveCapacity(headers.count + added.count)
    for header in headers {
      let name = Self.lowercase(header.name)
      if !Self.unsigned.contains(name), added.isEmpty || !Self.addedBySigning(name) {
        named.append((name, header.value))
      }
    }
    named += added
    // An insertion sort: it is stable, which repeated names need, and fastest for a few elements.
    for i in named.indices.dropFirst() {
      var j = i
      // Compares UTF-8 bytes, which is how String compares ASCII.
      while j > 0, named[j].name < named[j - 1].name {
        named.swapAt(j, j - 1)
        j -= 1
      }
    }
    sorted = named
  }

  /// Appends `name:value` lines, each with its newline.
  func appendLines(to bytes: inout [UInt8]) {
    for (i, header) in sorted.enumerated() {
      if i > 0, sorted[i - 1].name == header.name {
        bytes[bytes.count - 1] = UInt8(ascii: ",")
      } else {
        bytes.append(contentsOf: header.name.utf8)
        bytes.append(UInt8(ascii: ":"))
      }
      Self.appendTrimmed(header.value, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// The names, each once, joined by `;`.
  var names: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    for (i, header) in sorted.enumerated() where i == 0 || sorted[i - 1].name != header.name {
      if i > 0 { bytes.append(UInt8(ascii: ";")) }
      bytes.append(contentsOf: header.name.utf8)
    }
    return bytes
  }

  /// Removes whitespace at both ends, and reduces each run of whitespace to one space.
  private static func appendTrimmed(_ value: String, to bytes: inout [UInt8]) {
    // Most values have none: they are copied in one step and looked at where they then stand.
    let start = bytes.count
    bytes.append(contentsOf: value.utf8)
    guard (start..<bytes.count).contains(where: { isSpace(bytes[$0]) }) else { return }
    bytes.removeLast(bytes.count - start)
    var pendingSpace = false
    for byte in value.utf8 {
      if isSpace(byte) {
        pendingSpace = bytes.count > start
      } else {
        if pendingSpace { bytes.append(0x20) }
        pendingSpace = false
        bytes.append(byte)
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func addedBySigning(_ name: String) -> Bool {
    name == "x-amz-date" || name == "x-amz-content-sha256" || name == "x-amz-security-token"
  }

  private static func lowercase(_ name: String) -> String {
    guard name.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return name }
    return String(
      decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Headers that may change before they arrive, so AWS clients do not sign them.
  private static let unsigned: Set<String> = [
    "authorization", "baggage", "connection", "expect", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "te", "traceparent", "tracestate", "trailer", "transfer-encoding",
    "upgrade", "user-agent", "x-amzn-trace-id",
  ]
}

/// The canonical URI, the second line of a canonical request.
enum CanonicalPath {
  static func append(_ path: String, style: SigV4Signer.PathStyle, to bytes: inout [UInt8]) {
    switch style {
    case .s3, .generic(normalizes: false):
      PercentCoding.append(path.isEmpty ? "/" : path, keepingSlashes: true, to: &bytes)
    case .generic(normalizes: true):
      PercentCoding.append(normalize(path), keepingSlashes: true, to: &bytes)
    }
  }

  /// Removes empty and `.` segments and resolves `..` (RFC 3986, 5.2.4), keeping a final slash.
  static func normalize(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for segment in segments where !segment.isEmpty && segment != "." {
      if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
    }
    let endsInFolder = segments.last.map { $0.isEmpty || $0 == "." || $0 == ".." } ?? false
    return "/" + kept.joined(separator: "/") + (endsInFolder && !kept.isEmpty ? "/" : "")
  }
}

/// The canonical query: names and values encoded, sorted by name and then by value, joined by `&`.
enum CanonicalQuery {
  static func append(_ query: [(name: String, value: String?)], to bytes: inout [UInt8]) {
    guard !query.isEmpty else { return }
    var pairs = query.map { name, value in
      (name: PercentCoding.encode(name), value: PercentCoding.encode(value ?? ""))
    }
    // Encoded text is ASCII, so String compares its bytes.
    if pairs.count > 1 { pairs.sort { ($0.name, $0.value) < ($1.name, $1.value) } }
    for (i, pair) in pairs.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "&")) }
      bytes.append(contentsOf: pair.name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(contentsOf: pair.value.utf8)
    }
  }
}
