import HTTPClient
import HealthStreams
import ObjectStore

/// Why a server can't be used, or did not take what was sent.
public struct ClientError: Error, Hashable, Sendable {
  /// What decides what to do next.
  public enum Code: String, Hashable, Sendable {
    /// A URL, a token or what was to be sent can't be used. Nothing was sent.
    case invalid
    /// The server refused the token, user or password.
    case unauthorized
    /// Nothing answered, or not in time. The same call may succeed later.
    case unreachable
    /// What answered does not speak the protocol, or its certificate is not trusted.
    case notAServer = "not_a_server"
    /// The server refused what was sent, and will refuse it again.
    case refused
    /// The server failed, or has no room. The same call may succeed later.
    case server
  }

  /// What decides what to do next.
  public let code: Code
  /// One clause without a secret; what it quotes of a server is cut and printable.
  public let message: String

  /// For servers of your own in tests.
  public init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}

extension ClientError: CustomStringConvertible {
  /// What failed.
  public var description: String { message }
}

extension ClientError {
  /// Why an address can't be used, or why its server was not verified.
  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .notAuthorized: .unauthorized
      case .unavailable: .unreachable
      case .unsupported: .notAServer
      default: .invalid
      }
    self.init(code, error.message)
  }

  init(_ failure: DeliveryFailure) {
    let code: Code =
      switch failure.kind {
      case .offline, .timeout: .unreachable
      case .unauthorized, .permissionDenied: .unauthorized
      case .refused, .tooLarge: .refused
      case .server, .storageFull: .server
      }
    self.init(code, failure.message)
  }
}
