import HealthModel

/// How agents get tokens (R63): what programs read and post. OAuth 2.1 as the Model Context Protocol
/// asks for it. What is decided is decided by `TokenTable`.
struct OAuthRoutes: Sendable {
  let tokens: TokenCache
  private let attempts = PageSessions.Attempts()

  init(_ tokens: TokenCache) { self.tokens = tokens }

  /// None without a page where people sign in, or without agents.
  static func routes(_ hub: Hub, _ sessions: PageSessions?) -> [Route] {
    guard hub.own.agents != nil, let sessions else { return [] }
    let routes = OAuthRoutes(hub.tokens)
    return [
      route(.get, OAuthMetadata.protectedResource) {
        Answer(200, json: OAuthMetadata.resource($1))
      },
      route(.get, OAuthMetadata.protectedResource + "/mcp") {
        Answer(200, json: OAuthMetadata.resource($1))
      },
      route(.get, OAuthMetadata.server) { Answer(200, json: OAuthMetadata.issuer($1)) },
      route(.post, OAuthMetadata.register, register),
      route(.post, OAuthMetadata.token, routes.token),
      route(.post, OAuthMetadata.revoke, routes.revoke),
    ] + ConsentRoutes(tokens: hub.tokens, sessions: sessions).routes
  }

  private static func route(
    _ method: Route.Method, _ path: String,
    _ handle: @escaping @Sendable (PageRequest, ServerOrigin) async throws(RequestFailure) -> Answer
  ) -> Route {
    Route(page: method, path) { (request) async throws(RequestFailure) in
      guard let origin = request.origin else {
        throw RequestFailure(
          403, "needs_https",
          "agents sign in over https only; a proxy in front of the server must say "
            + "X-Forwarded-Proto: https, and run on its machine or be one that it is told to believe"
        )
      }
      return try await handle(request, origin)
    }
  }

  private static func register(_ request: PageRequest, _ origin: ServerOrigin) -> Answer {
    do throws(OAuthFault) {
      let client = try OAuthClient(registering: request.body)
      return Answer(201, json: client.registration(at: request.at))
    } catch {
      return error.answer
    }
  }

  // MARK: - Tokens

  private func token(
    _ request: PageRequest, _ origin: ServerOrigin
  ) async throws(RequestFailure) -> Answer {
    if let seconds = attempts.wait(request.peer) { return Self.slower(seconds) }
    let asked: TokenQuestion
    do throws(OAuthFault) {
      asked = try TokenQuestion(request.body, for: origin)
    } catch {
      return error.answer
    }
    let (fresh, now) = (FreshKeys(), request.at)
    let issued = try await tokens.change { table in
      switch asked {
      case .exchange(let code, let proof): table.exchange(code, proof, fresh, at: now)
      case .refresh(let secret, let client, let resource):
        table.refresh(secret, clientID: client, resource: resource, fresh, at: now)
      }
    }
    guard let issued else {
      attempts.failed(request.peer)
      return OAuthFault.invalidGrant.answer
    }
    var answer = Answer(
      200,
      json: .object([
        "access_token": .string(issued.access.text), "token_type": .string("Bearer"),
        "expires_in": .number(Double(AgentGrant.accessSeconds)),
        "refresh_token": .string(issued.refresh.text), "scope": .string(AgentGrant.scope),
      ]))
    answer.device = issued.grant.name
    return answer
  }

  /// Ends a grant by any of its tokens (RFC 7009). An unknown token counts as revoked.
  private func revoke(
    _ request: PageRequest, _ origin: ServerOrigin
  ) async throws(RequestFailure) -> Answer {
    if let seconds = attempts.wait(request.peer) { return Self.slower(seconds) }
    guard let fields = FormText.onlyFields(request.body), let token = fields["token"] else {
      return OAuthFault(.invalidRequest, "the body must be a form with token").answer
    }
    guard let secret = GrantSecret(token) else { return Answer(200) }
    let (client, now) = (fields["client_id"], request.at)
    let ended = try await tokens.change { $0.end(secret, clientID: client, at: now) }
    if ended == nil { attempts.failed(request.peer) }
    var answer = Answer(200)
    answer.device = ended?.name
    return answer
  }

  private static func slower(_ seconds: Int) -> Answer {
    var answer = OAuthFault(.slowDown, "too many attempts").answer
    answer.headers.append(HeaderField("Retry-After", "\(seconds)"))
    return answer
  }
}

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
      "scopes_supported": list(AgentGrant.scope), "bearer_methods_supported": list("header"),
      "resource_name": .string("Health days"),
    ])
  }

  /// RFC 8414.
  static func issuer(_ origin: ServerOrigin) -> JSONValue {
    func address(_ path: String) -> JSONValue { .string(origin.text + path) }
    return .object([
      "issuer": .string(origin.text), "authorization_endpoint": address(authorize),
      "token_endpoint": address(token), "registration_endpoint": address(register),
      "revocation_endpoint": address(revoke), "scopes_supported": list(AgentGrant.scope),
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

/// Why a program gets no token or no registration, as OAuth says it (RFC 6749).
struct OAuthFault: Error, Hashable, Sendable {
  enum Code: String, Hashable, Sendable {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidTarget = "invalid_target"
    case unsupportedGrantType = "unsupported_grant_type"
    case invalidRedirect = "invalid_redirect_uri"
    case invalidMetadata = "invalid_client_metadata"
    case slowDown = "slow_down"
  }

  let code: Code
  /// It quotes nothing that was sent.
  let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  /// Does not say which, so that nobody learns what a guess was worth.
  static let invalidGrant = OAuthFault(
    .invalidGrant, "the code or token has expired, was already used, or belongs to another client")

  var answer: Answer {
    let status =
      switch code {
      case .invalidClient: 401
      case .slowDown: 429
      default: 400
      }
    var answer = Answer(
      status,
      json: .object([
        "error": .string(code.rawValue), "error_description": .string(message),
      ]))
    answer.code = code.rawValue
    return answer
  }
}
