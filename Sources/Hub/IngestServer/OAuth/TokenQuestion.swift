/// What a program posts to get tokens (R63). Pure.
enum TokenQuestion: Hashable, Sendable {
  case exchange(GrantSecret, CodeProof)
  case refresh(GrantSecret, clientID: String, resource: String?)

  init(_ body: [UInt8], for origin: ServerOrigin) throws(OAuthFault) {
    guard let fields = FormText.onlyFields(body) else {
      throw OAuthFault(.invalidRequest, "the body must be a form that says nothing twice")
    }
    guard let client = fields["client_id"], OAuthClient(id: client) != nil else {
      throw OAuthFault(.invalidClient, "client_id must be that of a registration")
    }
    var resource: String?
    if let named = fields["resource"] {
      guard origin.isResource(named) else {
        throw OAuthFault(.invalidTarget, "the resource is not that of this server")
      }
      resource = origin.resource
    }
    switch fields["grant_type"] {
    case "authorization_code":
      guard let code = fields["code"], let redirect = fields["redirect_uri"],
        let verifier = fields["code_verifier"], (43...128).contains(verifier.utf8.count)
      else {
        throw OAuthFault(
          .invalidRequest,
          "code, redirect_uri and code_verifier of 43 to 128 characters are needed")
      }
      self = .exchange(
        try Self.secret(code, .code),
        CodeProof(
          clientID: client, redirect: redirect, verifier: verifier, resource: resource))
    case "refresh_token":
      guard let token = fields["refresh_token"] else {
        throw OAuthFault(.invalidRequest, "refresh_token is needed")
      }
      self = .refresh(try Self.secret(token, .refresh), clientID: client, resource: resource)
    default:
      throw OAuthFault(
        .unsupportedGrantType, "grant_type must be authorization_code or refresh_token")
    }
  }

  private static func secret(
    _ text: String, _ kind: GrantSecret.Kind
  ) throws(OAuthFault) -> GrantSecret {
    guard let secret = GrantSecret(text), secret.kind == kind else {
      throw .invalidGrant
    }
    return secret
  }
}
