import ContentDigests
import Digests
package import HealthModel

/// What a person allows: an agent's program is to read the days of this server.
struct GrantOffer: Hashable, Sendable {
  let client: AgentGrant.Client
  let resource: String
  /// SHA-256 of the verifier that only the program knows.
  let challenge: [UInt8]
  /// Where the code goes.
  let redirect: String
}

/// What a program shows to get tokens for its code.
struct CodeProof: Hashable, Sendable {
  let clientID: String
  let redirect: String
  let verifier: String
  /// Nil if it does not say.
  let resource: String?
}

/// Tokens that were given out.
struct IssuedTokens: Hashable, Sendable {
  let grant: AgentGrant
  let access: GrantSecret
  let refresh: GrantSecret
}

/// Agents that have access (R63): what becomes of codes and tokens. Whatever is shown twice, or
/// by another than it was made for, ends its grant. Pure.
extension TokenTable {
  /// The most grants of a table.
  package static var maximumGrants: Int { 500 }

  /// A person lets an agent in.
  ///
  /// - Returns: the code for it; nil if there are too many.
  mutating func offer(
    _ offer: GrantOffer, by person: AccessToken, _ fresh: FreshKeys, at now: Timestamp
  ) -> GrantSecret? {
    removeDeadGrants(at: now)
    guard grants.count < Self.maximumGrants, !grants.contains(where: { $0.id == fresh.grant })
    else { return nil }
    let code = GrantSecret(.code, of: fresh.grant, family: fresh.family, key: fresh.refresh)
    grants.append(
      AgentGrant(
        id: fresh.grant, client: offer.client, person: AgentGrant.Person(person),
        resource: offer.resource,
        family: code.familyDigest, createdAt: now,
        expires: now.adding(seconds: AgentGrant.codeSeconds),
        stage: .offered(
          AgentGrant.Offer(
            code: code.digest, challenge: offer.challenge,
            redirect: SHA256.digest(Array(offer.redirect.utf8))))))
    return code
  }

  /// The tokens for a code; nil if it is none, or no longer one, or the proof is wrong.
  mutating func exchange(
    _ code: GrantSecret, _ proof: CodeProof, _ fresh: FreshKeys, at now: Timestamp
  ) -> IssuedTokens? {
    removeDeadGrants(at: now)
    guard code.kind == .code, let index = grantIndex(code) else { return nil }
    let grant = grants[index]
    guard case .offered(let offer) = grant.stage, Self.areEqual(offer.code, code.digest),
      Self.isClient(proof.clientID, of: grant),
      Self.areEqual(offer.redirect, SHA256.digest(Array(proof.redirect.utf8))),
      Self.areEqual(offer.challenge, SHA256.digest(Array(proof.verifier.utf8))),
      proof.resource == nil || proof.resource == grant.resource
    else {
      grants.remove(at: index)
      return nil
    }
    return issue(index, for: code, access: [], fresh, at: now)
  }

  /// New tokens for the newest one to refresh with, or for the one before it: its answer may have been
  /// lost. Nil if it is none, or no longer one.
  mutating func refresh(
    _ secret: GrantSecret, clientID: String, resource: String?, _ fresh: FreshKeys,
    at now: Timestamp
  ) -> IssuedTokens? {
    removeDeadGrants(at: now)
    guard secret.kind == .refresh, let index = grantIndex(secret) else { return nil }
    let grant = grants[index]
    guard case .held(let refresh, let previous, let access) = grant.stage,
      [refresh, previous ?? []].contains(where: { Self.areEqual($0, secret.digest) }),
      Self.isClient(clientID, of: grant),
      resource == nil || resource == grant.resource
    else {
      grants.remove(at: index)
      return nil
    }
    return issue(
      index, for: secret, access: access.filter { $0.expires > now }, fresh, at: now)
  }

  private mutating func issue(
    _ index: Int, for shown: GrantSecret, access: [AgentGrant.Access], _ fresh: FreshKeys,
    at now: Timestamp
  ) -> IssuedTokens {
    let id = grants[index].id
    let new = GrantSecret(.access, of: id, key: fresh.access)
    let refresh = GrantSecret(.refresh, of: id, family: shown.family, key: fresh.refresh)
    let held = AgentGrant.Access(
      digest: new.digest, expires: now.adding(seconds: AgentGrant.accessSeconds))
    grants[index].stage = .held(
      refresh: refresh.digest, previous: shown.kind == .refresh ? shown.digest : nil,
      access: access.suffix(1) + [held])
    grants[index].expires = now.adding(seconds: AgentGrant.idleSeconds)
    return IssuedTokens(grant: grants[index], access: new, refresh: refresh)
  }

  /// The grant whose token to read with was sent.
  func grant(reading secret: GrantSecret, at now: Timestamp) -> AgentGrant? {
    guard secret.kind == .access,
      let grant = grants.first(where: { $0.id == secret.grant }), isAlive(grant, at: now),
      case .held(_, _, let access) = grant.stage
    else { return nil }
    let sent = secret.digest
    var isFound = false
    for token in access where Self.areEqual(token.digest, sent) && token.expires > now {
      isFound = true
    }
    return isFound ? grant : nil
  }

  /// The device of an agent that has access: it reaches what its person's token reaches.
  func device(of grant: AgentGrant) -> AuthenticatedDevice? {
    self[grant.person.name].map { grant.device(of: $0.device.person) }
  }

  /// Ends the grant of a secret that was given out with it, also of one that is used up.
  ///
  /// - Returns: the grant; nil if there is none.
  mutating func end(_ secret: GrantSecret, clientID: String?, at now: Timestamp) -> AgentGrant? {
    let index =
      secret.kind == .access
      ? grant(reading: secret, at: now).flatMap(grants.firstIndex) : grantIndex(secret)
    guard let index, clientID.map({ Self.isClient($0, of: grants[index]) }) ?? true else {
      return nil
    }
    return grants.remove(at: index)
  }

  /// Removes the grant of this name; false if there is none.
  package mutating func removeGrant(named name: String) -> Bool {
    let count = grants.count
    grants.removeAll { $0.name == name }
    return grants.count < count
  }

  /// Whether its time is not over, and the person's token is still there and for people.
  package func isAlive(_ grant: AgentGrant, at now: Timestamp) -> Bool {
    guard let person = self[grant.person.name],
      person.device.endpoints.contains(.dashboard),
      Self.areEqual(SHA256.digest(person.digest), grant.person.digest)
    else { return false }
    return grant.expires > now
  }

  private mutating func removeDeadGrants(at now: Timestamp) {
    let table = self
    grants.removeAll { !table.isAlive($0, at: now) }
  }

  /// The grant whose family the secret is of.
  private func grantIndex(_ secret: GrantSecret) -> Int? {
    guard secret.kind != .access else { return nil }
    let family = secret.familyDigest
    return grants.firstIndex { $0.id == secret.grant && Self.areEqual($0.family, family) }
  }

  private static func isClient(_ id: String, of grant: AgentGrant) -> Bool {
    areEqual(grant.client.digest, SHA256.digest(Array(id.utf8)))
  }
}
