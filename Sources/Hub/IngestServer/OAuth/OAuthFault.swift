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
