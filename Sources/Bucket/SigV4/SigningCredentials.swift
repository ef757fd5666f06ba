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

/// Text that must not appear in a log, error or dump: every description of it is `<secret>`.
package struct Secret: Hashable, Sendable {
  /// The text itself. Pass it only to code that signs or sends it.
  package let revealed: String

  package init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
