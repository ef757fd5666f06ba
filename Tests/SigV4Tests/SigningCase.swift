import Digests
import SigV4

/// A request to be signed by us and by botocore.
struct SigningCase: Encodable, Sendable {
  var method: String
  var host: String
  var path: String
  var query: [[String?]]
  var headers: [[String]]
  /// In hex.
  var body: String
  var accessKey: String
  var secretKey: String
  var token: String?
  var region: String
  var seconds: Int

  enum CodingKeys: CodingKey {
    case method, host, path, query, headers, body, accessKey, secretKey, token, region, seconds
  }

  /// Spelled out, because nil must become null.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(method, forKey: .method)
    try container.encode(host, forKey: .host)
    try container.encode(path, forKey: .path)
    try container.encode(query, forKey: .query)
    try container.encode(headers, forKey: .headers)
    try container.encode(body, forKey: .body)
    try container.encode(accessKey, forKey: .accessKey)
    try container.encode(secretKey, forKey: .secretKey)
    try container.encode(token, forKey: .token)
    try container.encode(region, forKey: .region)
    try container.encode(seconds, forKey: .seconds)
  }

  var credentials: SigningCredentials {
    SigningCredentials(accessKeyID: accessKey, secretAccessKey: secretKey, sessionToken: token)
  }

  func request(body bytes: [UInt8]) -> SigningRequest {
    SigningRequest(
      method: method, path: path,
      query: query.map { (name: $0[0] ?? "", value: $0[1]) },
      headers: [("Host", host)] + headers.map { (name: $0[0], value: $0[1]) },
      payloadHash: SHA256.hex(bytes))
  }
}

/// What botocore made of a `SigningCase`.
struct SigningAnswer: Decodable {
  let canonicalRequest: String
  let stringToSign: String
  let headers: [String: String]
  let query: String
}
