import HTTPClient
import ObjectStore
import S3Store
import Secrets

/// The endpoint at which a container's agent provides credentials.
struct ContainerEndpoint: Hashable, Sendable {
  let url: String
  let authorization: Authorization?

  enum Authorization: Hashable, Sendable {
    case token(Secret)
    /// Read each time, because the agent renews it.
    case file(String)
  }

  /// The addresses of the agents of ECS and EKS. Without TLS, only they and this machine may be
  /// asked.
  private static let knownHosts = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]

  /// The endpoint that the container's variables name; nil if they are not set.
  static func read(_ environment: AWSEnvironment) throws(StoreError) -> ContainerEndpoint? {
    let authorization: Authorization? =
      if let file = environment.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
        .file(file)
      } else {
        environment.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN").map { .token(Secret($0)) }
      }
    if let path = environment.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") {
      guard path.hasPrefix("/"), isPathAndQuery(path) else {
        throw StoreError(
          .invalidRequest, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not a path",
          remedy: "let it begin with /")
      }
      return ContainerEndpoint(url: "http://169.254.170.2\(path)", authorization: authorization)
    }
    let name = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
    guard let url = environment.variable(name) else { return nil }
    // Any path is allowed. Scheme and host decide who gets the token.
    let afterScheme =
      url.firstIndex(of: ":").map { url[$0...].dropFirst(3).startIndex }
      ?? url.startIndex
    let path = url[afterScheme...].firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
    let endpoint = try S3Endpoint(parsing: String(url[..<path]), origin: name)
    guard endpoint.scheme == .https || endpoint.isLoopback || knownHosts.contains(endpoint.host)
    else {
      throw StoreError(
        .invalidRequest,
        "\(name) names the host \(endpoint.host), which is neither this machine "
          + "nor a container's agent", remedy: "use https, or a loopback address")
    }
    let target = url[path...]
    guard isPathAndQuery(target) else {
      throw StoreError(
        .invalidRequest, "\(name) holds characters that no URL may", remedy: "percent-encode them")
    }
    return ContainerEndpoint(
      url: "\(endpoint)" + (target.hasPrefix("?") ? "/" : "") + target,
      authorization: authorization)
  }

  private static func isPathAndQuery(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x23 }
  }
}

extension ContainerEndpoint {
  /// Asks the container's agent.
  func fetch(_ transport: any HTTPTransport) async throws(StoreError) -> ResolvedCredentials {
    let source = "the container's credentials endpoint"
    var headers = [HTTPField("Accept", "application/json")]
    if let token = try authorizationToken() { headers.append(HTTPField("Authorization", token)) }
    let http = CredentialsHTTP(transport: transport, source: source)
    let response = try await http.send(
      HTTPRequest(
        .get, url, headers: headers, timeout: .seconds(5), connectTimeout: .seconds(2)))
    return try CredentialsDocument.read(
      http.expectSuccess(response), .metadata, source: source)
  }

  private func authorizationToken() throws(StoreError) -> String? {
    let (name, token): (String, String)
    switch authorization {
    case nil: return nil
    case .token(let secret):
      (name, token) = ("AWS_CONTAINER_AUTHORIZATION_TOKEN", secret.revealed)
    case .file(let path):
      name = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"
      token = try TokenFile.read(path, name: name)
    }
    guard token.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw StoreError(
        .invalidRequest, "the token of \(name) holds a line break or a character outside ASCII",
        remedy: "write the token alone")
    }
    return token
  }
}

/// Reads a file that holds one token.
enum TokenFile {
  static func read(_ path: String, name: String) throws(StoreError) -> String {
    let limit = 64 << 10
    guard let bytes = try? SmallFile.read(path, maximumBytes: limit) else {
      throw StoreError(
        .invalidRequest, "\(name) names \(path), which can't be read",
        remedy: "make it a file that this user may read")
    }
    guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self),
      !text.trimmingSpace.isEmpty
    else {
      throw StoreError(
        .invalidRequest, "\(name) names \(path), which holds no token",
        remedy: "write the token alone to it")
    }
    return String(text.trimmingSpace)
  }
}
