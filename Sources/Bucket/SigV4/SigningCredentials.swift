package import Secrets

/// An access key with its secret. Its description shows neither the secret nor the token.
package struct SigningCredentials: Hashable, Sendable, CustomStringConvertible {
  package let accessKeyID: String
  package let secretAccessKey: Secret
  package let sessionToken: Secret?

  package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = Secret(secretAccessKey)
    self.sessionToken = sessionToken.map(Secret.init)
  }

  package var description: String { "access key \(accessKeyID)" }
}
