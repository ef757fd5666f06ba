import HTTPClient
import SigV4

/// Where a bucket's requests are sent and which region they are signed for, with the addressing
/// style decided.
struct BucketLocation: Hashable, Sendable {
  let bucket: String
  let endpoint: S3Endpoint
  let usesPathStyle: Bool
  let region: String
  /// True if the endpoint follows from the region (AWS itself).
  let followsRegion: Bool
  /// The `Host` header, as it is signed and as it is sent.
  let host: String
  /// The URL up to the bucket, as it is sent and signed; without a slash at its end.
  private let root: String
  /// The decoded path up to the bucket; without a slash at its end.
  private let rootPath: String

  init(_ configuration: S3Configuration) {
    bucket = configuration.bucket
    endpoint = configuration.effectiveEndpoint
    usesPathStyle = configuration.usesPathStyle
    region = configuration.region
    followsRegion = configuration.endpoint == nil
    (host, root, rootPath) = Self.address(endpoint, bucket, usesPathStyle: usesPathStyle)
  }

  private init(_ other: BucketLocation, endpoint: S3Endpoint, region: String) {
    bucket = other.bucket
    usesPathStyle = other.usesPathStyle
    followsRegion = other.followsRegion
    (self.endpoint, self.region) = (endpoint, region)
    (host, root, rootPath) = Self.address(endpoint, bucket, usesPathStyle: usesPathStyle)
  }

  /// Put together once: every request has all three.
  private static func address(
    _ endpoint: S3Endpoint, _ bucket: String, usesPathStyle: Bool
  ) -> (host: String, root: String, rootPath: String) {
    let host = usesPathStyle ? endpoint.authority : "\(bucket).\(endpoint.authority)"
    let path = endpoint.basePath + (usesPathStyle ? "/\(bucket)" : "")
    return (host, "\(endpoint.scheme.rawValue)://\(host)" + SigV4Signer.encodedPath(path), path)
  }

  /// True if the endpoint's path ends with the bucket's name, which would then occur twice.
  var endpointHoldsBucket: Bool {
    usesPathStyle && endpoint.basePath.hasSuffix("/\(bucket)")
  }

  /// The decoded path of an object, or of the bucket.
  func path(key: String?) -> String {
    guard let key else { return rootPath.isEmpty ? "/" : rootPath }
    return rootPath + "/" + key
  }

  /// The URL as it is sent and signed, byte for byte.
  func url(key: String?, query: [(name: String, value: String?)] = []) -> String {
    var url = root
    if let key {
      url += "/"
      url += SigV4Signer.encodedPath(key)
    } else if !usesPathStyle, endpoint.basePath.isEmpty {
      url += "/"
    }
    if !query.isEmpty { url += "?" + SigV4Signer.encodedQuery(query) }
    return url
  }

  /// The same bucket in another region; nil if `region` is not a valid name of a region.
  ///
  /// The host is never taken from an answer. It changes only if it is AWS's own and contains the
  /// old region's name, so that a redirect can't send a signature to another party.
  func moved(to region: String) -> BucketLocation? {
    guard (1...32).contains(region.utf8.count),
      region.utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      })
    else { return nil }
    if followsRegion {
      return BucketLocation(self, endpoint: .aws(region: region), region: region)
    }
    let labels = endpoint.host.split(separator: ".", omittingEmptySubsequences: false)
    guard endpoint.host.hasSuffix(".amazonaws.com") || endpoint.host.hasSuffix(".amazonaws.com.cn"),
      labels.contains(Substring(self.region))
    else { return BucketLocation(self, endpoint: endpoint, region: region) }
    let host = labels.map { $0 == self.region ? Substring(region) : $0 }.joined(separator: ".")
    return BucketLocation(
      self,
      endpoint: S3Endpoint(
        scheme: endpoint.scheme, host: host, port: endpoint.port, basePath: endpoint.basePath),
      region: region)
  }
}

extension BucketLocation: CustomStringConvertible {
  /// `endpoint http://127.0.0.1:9000, region us-east-1, path addressing`
  var description: String {
    "endpoint \(endpoint), region \(region), \(usesPathStyle ? "path" : "virtual") addressing"
  }
}
