import Digests
import HTTPClient
import ObjectStore
import S3Store
import Secrets
import SigV4

/// AWS STS, or a server's own (MinIO, RADOS gateway): roles for tokens and for other credentials.
struct SecurityTokenService: Sendable {
  let endpoint: S3Endpoint
  let region: String
  let transport: any HTTPTransport

  /// The endpoint from variables and profile, in AWS's order.
  init(
    _ environment: AWSEnvironment, _ profile: AWSProfile, configuration: S3Configuration,
    transport: any HTTPTransport
  ) throws(StoreError) {
    self.transport = transport
    region = configuration.region
    guard let found = try environment.configuredEndpoint("sts", profile) else {
      endpoint = .aws(service: "sts", region: configuration.region)
      return
    }
    endpoint = try S3Endpoint(parsing: found.value, origin: found.origin)
    guard endpoint.scheme == .https || endpoint.isLoopback || configuration.allowsPlaintext else {
      throw StoreError(
        .invalidRequest,
        "the STS endpoint \(endpoint) of \(found.origin) would carry tokens unencrypted",
        remedy: .encryptTransport)
    }
  }

  func assume(
    _ role: WebIdentityRole, source: String
  ) async throws(StoreError) -> ResolvedCredentials {
    // Read each time, because whoever wrote the token also renews it.
    let token = try TokenFile.read(role.tokenFile, name: source)
    let form = [
      ("Action", "AssumeRoleWithWebIdentity"), ("RoleArn", role.roleARN),
      ("RoleSessionName", role.sessionName ?? Self.sessionName), ("Version", "2011-06-15"),
      ("WebIdentityToken", token),
    ]
    return try await ask(form, signedWith: nil, hiding: [Secret(token)], source: source)
  }

  func assume(
    _ role: AssumedRole, with base: SigningCredentials, secondsSince1970: Int, source: String
  ) async throws(StoreError) -> ResolvedCredentials {
    var form = [
      ("Action", "AssumeRole"), ("RoleArn", role.roleARN),
      ("RoleSessionName", role.sessionName ?? Self.sessionName), ("Version", "2011-06-15"),
    ]
    if let id = role.externalID { form.append(("ExternalId", id.revealed)) }
    if let seconds = role.durationSeconds { form.append(("DurationSeconds", String(seconds))) }
    let secrets = [base.secretAccessKey, base.sessionToken, role.externalID].compactMap(\.self)
    return try await ask(
      form, signedWith: (base, secondsSince1970), hiding: secrets, source: source)
  }

  private static let sessionName = "s3health"

  private func ask(
    _ form: [(String, String)], signedWith signing: (SigningCredentials, Int)?,
    hiding secrets: [Secret], source: String
  ) async throws(StoreError) -> ResolvedCredentials {
    let body = Array(
      SigV4Signer.encodedQuery(form.map { (name: $0.0, value: $0.1) }).utf8)
    let path = endpoint.basePath + "/"
    var headers = [
      (name: "content-type", value: "application/x-www-form-urlencoded; charset=utf-8")
    ]
    if let (credentials, seconds) = signing {
      headers += SigV4Signer(
        region: region, service: "sts", pathStyle: .generic(normalizes: true)
      ).sign(
        SigningRequest(
          method: "POST", path: path, headers: headers + [("host", endpoint.authority)],
          payloadHash: SHA256.hex(body)),
        credentials: credentials, secondsSince1970: seconds)
    }
    let http = CredentialsHTTP(transport: transport, source: "STS at \(endpoint.authority)")
    let response = try await http.send(
      HTTPRequest(
        .post, "\(endpoint.scheme.rawValue)://\(endpoint.authority)\(path)",
        headers: headers.map { HTTPField($0.name, $0.value) }, body: body,
        timeout: .seconds(10)))
    return try STSAnswer.read(response, hiding: secrets, source: source, server: http.source)
  }
}
