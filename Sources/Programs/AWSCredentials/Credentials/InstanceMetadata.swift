import HTTPClient
import ObjectStore
import S3Store

/// The metadata service of the machine on which this program runs.
struct InstanceMetadata: Hashable, Sendable {
  /// Without a final slash.
  let endpoint: String

  /// Nil if AWS_EC2_METADATA_DISABLED is set.
  static func read(_ environment: AWSEnvironment) throws(StoreError) -> InstanceMetadata? {
    if environment.isTrue("AWS_EC2_METADATA_DISABLED") { return nil }
    let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
    guard let url = environment.variable(name) else {
      let isIPv6 =
        environment.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE")?.lowercased() == "ipv6"
      return InstanceMetadata(
        endpoint: isIPv6 ? "http://[fd00:ec2::254]" : "http://169.254.169.254")
    }
    return InstanceMetadata(endpoint: "\(try S3Endpoint(parsing: url, origin: name))")
  }
}

extension InstanceMetadata {
  /// The credentials of the machine's role. Nil if nothing answers, as on a laptop; this takes
  /// about a second to find out.
  func fetch(_ transport: any HTTPTransport) async throws(StoreError)
    -> ResolvedCredentials?
  {
    let source = "instance metadata"
    let once = CredentialsHTTP(transport: transport, source: source, attempts: 1)
    let session: HTTPResponse
    do {
      session = try await once.send(
        request(.put, "/latest/api/token", ("X-aws-ec2-metadata-token-ttl-seconds", "21600")))
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
    // If the answer is not that of a metadata service, something else has this address.
    guard session.status == 200,
      let token = String(validating: session.body, as: UTF8.self)?.trimmingSpace,
      (1...1024).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }

    let http = CredentialsHTTP(transport: transport, source: source)
    let authorization = ("X-aws-ec2-metadata-token", String(token))
    let path = "/latest/meta-data/iam/security-credentials/"
    let roles = try await http.send(request(.get, path, authorization))
    if roles.status == 404 { return nil }
    let role = String(decoding: try http.expectSuccess(roles), as: UTF8.self)
      .split(whereSeparator: \.isNewline).first?.trimmingSpace
    guard let role, !role.isEmpty,
      role.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2F && $0 != 0x3F && $0 != 0x23 })
    else { throw StoreError(.unavailable, "\(source) named no role") }
    let answer = try await http.send(request(.get, path + role, authorization))
    return try CredentialsDocument.read(
      http.expectSuccess(answer), .metadata, source: "\(source) (role \(role))")
  }

  private func request(
    _ method: HTTPRequest.Method, _ path: String, _ header: (String, String)
  ) -> HTTPRequest {
    HTTPRequest(
      method, endpoint + path, headers: [HTTPField(header.0, header.1)], timeout: .seconds(2),
      connectTimeout: .seconds(1))
  }
}
