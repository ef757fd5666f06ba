import HealthModel

/// How agents get tokens (R63): what programs read and post. OAuth 2.1 as the Model Context Protocol
/// asks for it. What is decided is decided by `TokenTable`.
struct OAuthRoutes: Sendable {
  let tokens: TokenKeeper
  private let attempts = Visitors.Attempts()

  init(_ tokens: TokenKeeper) { self.tokens = tokens }

  /// None without a page where people sign in, or without agents.
  static func routes(_ hub: Hub, _ visitors: Visitors?) -> [Route] {
    guard hub.own.agents != nil, let visitors else { return [] }
    let routes = OAuthRoutes(hub.tokens)
    let resource: @Sendable (PageRequest) async throws(RequestFailure) -> Answer = {
      (request) async throws(RequestFailure) in
      Answer(200, json: OAuthMetadata.resource(try origin(request)))
    }
    return [
      Route(page: .get, OAuthMetadata.protectedResource, resource),
      Route(page: .get, OAuthMetadata.protectedResource + "/mcp", resource),
      Route(page: .get, OAuthMetadata.server) { (request) async throws(RequestFailure) in
        Answer(200, json: OAuthMetadata.issuer(try origin(request)))
      },
      Route(page: .post, OAuthMetadata.register) { (request) async throws(RequestFailure) in
        _ = try origin(request)
        return register(request)
      },
      Route(page: .post, OAuthMetadata.token) { (request) async throws(RequestFailure) in
        try await routes.token(request, try origin(request))
      },
      Route(page: .post, OAuthMetadata.revoke) { (request) async throws(RequestFailure) in
        _ = try origin(request)
        return try await routes.revoke(request)
      },
    ] + ConsentRoutes(tokens: hub.tokens, visitors: visitors).routes
  }

  private static func origin(_ request: PageRequest) throws(RequestFailure) -> ServerOrigin {
    guard let origin = request.origin else {
      throw RequestFailure(
        403, "needs_https",
        "agents sign in over https only; a proxy in front of the server must say "
          + "X-Forwarded-Proto: https, and run on its machine or be one that it is told to believe")
    }
    return origin
  }

  private static func register(_ request: PageRequest) -> Answer {
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
    let issued = try await change { table in
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
        "refresh_token": .string(issued.refresh.text), "scope": .string(AgentScope.name),
      ]))
    answer.device = issued.grant.name
    return answer
  }

  /// Ends a grant by any of its tokens (RFC 7009). An unknown token counts as revoked.
  private func revoke(_ request: PageRequest) async throws(RequestFailure) -> Answer {
    if let seconds = attempts.wait(request.peer) { return Self.slower(seconds) }
    guard let fields = FormText.onlyFields(request.body), let token = fields["token"] else {
      return OAuthFault(.invalidRequest, "the body must be a form with token").answer
    }
    guard let secret = GrantSecret(token) else { return Answer(200) }
    let (client, now) = (fields["client_id"], request.at)
    let ended = try await change { $0.end(secret, clientID: client, at: now) }
    if ended == nil { attempts.failed(request.peer) }
    var answer = Answer(200)
    answer.device = ended?.name
    return answer
  }

  private func change<Value: Sendable>(
    _ change: (inout TokenTable) -> Value
  ) async throws(RequestFailure) -> Value {
    do throws(HubServerError) {
      return try await tokens.change(change)
    } catch {
      throw .unavailable("the server can't keep tokens at the moment", cause: error.message)
    }
  }

  private static func slower(_ seconds: Int) -> Answer {
    var answer = OAuthFault(.slowDown, "too many attempts").answer
    answer.headers.append(HeaderField("Retry-After", "\(seconds)"))
    return answer
  }
}
