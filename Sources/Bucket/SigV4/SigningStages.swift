import ContentDigests
import Digests

/// The stages of one signature: canonical request, string to sign, signature.
struct SigningStages {
  let canonicalRequest: [UInt8]
  let stringToSign: [UInt8]
  let scope: SigningScope
  /// `host;x-amz-date`.
  let signedHeaders: [UInt8]
  /// The headers that the signature adds, except the signature itself.
  let addedHeaders: [(name: String, value: String)]
  /// The encoded query without the signature; empty in the header form.
  let query: [UInt8]

  init(
    _ request: SigningRequest, credentials: SigningCredentials, signer: SigV4Signer,
    time: SigningTime, scope: SigningScope, form: SigningForm
  ) {
    self.scope = scope
    var query = request.query
    var added: [(name: String, value: String)] = []
    let token = signer.signsSessionToken ? credentials.sessionToken?.revealed : nil

    let headers: CanonicalHeaders
    switch form {
    case .headers:
      added.append(("x-amz-date", time.timestamp))
      if signer.signsPayloadHashHeader {
        added.append(("x-amz-content-sha256", request.payloadHash))
      }
      if let token { added.append(("x-amz-security-token", token)) }
      // A request that is signed again still has the headers of the first signature.
      headers = CanonicalHeaders(request.headers, adding: added)
      signedHeaders = headers.names
    case .query(let expiresInSeconds):
      headers = CanonicalHeaders(request.headers)
      signedHeaders = headers.names
      query += [
        ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
        ("X-Amz-Credential", credentials.accessKeyID + "/" + scope.text),
        ("X-Amz-Date", time.timestamp),
        ("X-Amz-Expires", String(expiresInSeconds)),
        ("X-Amz-SignedHeaders", String(decoding: signedHeaders, as: UTF8.self)),
      ]
      if let token { query.append(("X-Amz-Security-Token", token)) }
    }
    addedHeaders = added

    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    bytes.append(contentsOf: request.method.utf8)
    bytes.append(UInt8(ascii: "\n"))
    CanonicalPath.append(request.path, style: signer.pathStyle, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    let queryStart = bytes.count
    CanonicalQuery.append(query, to: &bytes)
    self.query = form == .headers ? [] : Array(bytes[queryStart...])
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
