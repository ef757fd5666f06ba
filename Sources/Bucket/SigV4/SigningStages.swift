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
