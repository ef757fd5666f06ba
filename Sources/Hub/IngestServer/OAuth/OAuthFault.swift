import HealthModel

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
