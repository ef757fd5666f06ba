import ObjectStore
import S3Store
import SigV4

/// Keys from environment variables.
enum EnvironmentKeys {
  static func read(
    _ environment: AWSEnvironment
  ) throws(StoreError) -> ResolvedCredentials? {
    let id = environment.variable("AWS_ACCESS_KEY_ID")
    let secret = environment.variable("AWS_SECRET_ACCESS_KEY")
    if id == nil, secret == nil { return nil }
    guard let id, let secret else {
      let (set, unset) =
        id == nil ? ("SECRET_ACCESS_KEY", "ACCESS_KEY_ID") : ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY")
      throw StoreError(
        .invalidRequest, "AWS_\(set) is set and AWS_\(unset) is not", remedy: "set both or neither")
    }
    let token =
      environment.variable("AWS_SESSION_TOKEN") ?? environment.variable("AWS_SECURITY_TOKEN")
    return try StaticKeys.checked(id, secret, token, source: "AWS_ACCESS_KEY_ID")
  }
}

/// Keys as text, from any source.
enum StaticKeys {
  /// Refuses characters that no key contains and that could change the meaning of a header line.
  static func checked(
    _ id: String, _ secret: String, _ token: String?, source: String, expiresAt: Int? = nil
  ) throws(StoreError) -> ResolvedCredentials {
    for (value, name) in [(id, "access key id"), (secret, "secret key"), (token, "session token")] {
      guard let value else { continue }
      guard !value.isEmpty, value.utf8.count <= 16 << 10,
        value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        throw StoreError(
          .invalidRequest,
          "the \(name) of \(source) is empty or holds a space, line break or "
            + "character outside ASCII", remedy: "copy it again, without anything around it")
      }
    }
    return ResolvedCredentials(
      SigningCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token),
      source: source, expiresAt: expiresAt)
  }
}
