import HTTPMessage
import HTTPTransport

extension ContainerEndpoint {
  /// Asks the container's agent.
  func fetch(_ transport: HTTPTransport) async throws(CredentialsError) -> ResolvedCredentials {
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

  private func authorizationToken() throws(CredentialsError) -> String? {
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
      throw CredentialsError(
        .misconfigured, "the token of \(name) holds a line break or a character beyond ASCII",
        remedy: "write the token alone")
    }
    return token
  }
}

/// A file that holds one token.
enum TokenFile {
  static func read(_ path: String, name: String) throws(CredentialsError) -> String {
    let limit = 64 << 10
    guard let bytes = try? SmallFile.read(path, maximumBytes: limit) else {
      throw CredentialsError(
        .misconfigured, "\(name) names \(path), which can't be read",
        remedy: "make it a file that this user may read")
    }
    guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self),
      !text.trimmingSpace.isEmpty
    else {
      throw CredentialsError(
        .misconfigured, "\(name) names \(path), which holds no token",
        remedy: "write the token alone to it")
    }
    return String(text.trimmingSpace)
  }
}
