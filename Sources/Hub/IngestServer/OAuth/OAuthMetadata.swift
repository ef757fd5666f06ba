import HealthModel

/// What programs learn of the server before anybody signs in (R63). Pure.
enum OAuthMetadata {
  /// The paths. All stand in the documents; but some programs, when they start again, post to these
  /// without reading a document, as the revision 2025-03-26 has it.
  static let protectedResource = "/.well-known/oauth-protected-resource"
  static let server = "/.well-known/oauth-authorization-server"
  static let authorize = "/authorize"
  static let signIn = "/authorize/sign-in"
  static let token = "/token"
  static let register = "/register"
  static let revoke = "/revoke"

  /// All of them, as the log has them.
  static let paths: Set<String> = [
    protectedResource, protectedResource + "/mcp", server, authorize, signIn, token, register,
    revoke,
  ]

  /// RFC 9728.
  static func resource(_ origin: ServerOrigin) -> JSONValue {
    .object([
      "resource": .string(origin.resource), "authorization_servers": list(origin.text),
      "scopes_supported": list(AgentScope.name), "bearer_methods_supported": list("header"),
      "resource_name": .string("Health days"),
    ])
  }

  /// RFC 8414.
  static func issuer(_ origin: ServerOrigin) -> JSONValue {
    func address(_ path: String) -> JSONValue { .string(origin.text + path) }
    return .object([
      "issuer": .string(origin.text), "authorization_endpoint": address(authorize),
      "token_endpoint": address(token), "registration_endpoint": address(register),
      "revocation_endpoint": address(revoke), "scopes_supported": list(AgentScope.name),
      "response_types_supported": list("code"), "response_modes_supported": list("query"),
      "grant_types_supported": list("authorization_code", "refresh_token"),
      "token_endpoint_auth_methods_supported": list("none"),
      "revocation_endpoint_auth_methods_supported": list("none"),
      "code_challenge_methods_supported": list("S256"),
      "authorization_response_iss_parameter_supported": .bool(true),
    ])
  }

  private static func list(_ texts: String...) -> JSONValue { .array(texts.map { .string($0) }) }
}
