/// An access key with its secret; no description of it shows the secret or the token.
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
