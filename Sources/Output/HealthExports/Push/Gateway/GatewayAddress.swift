import ContentDigests
import HTTPClient
package import HealthModel

/// The address of a Pushgateway and the group that is pushed to: `job` and `instance` (R57).
package struct GatewayAddress: Hashable, Sendable {
  /// Without the path of the group.
  package let url: String
  package let job: String
  package let instance: String

  /// The usual job (R57).
  package static let usualJob = "my_health_data"
  /// What is put behind the instance's name for a test.
  package static let testSuffix = "-test"

  /// - Parameter url: `https://host:9091`, with a path where the gateway has one.
  package init(_ url: String, job: String, instance: String) throws(InvalidText) {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    guard !url.unicodeScalars.contains("?") else { throw InvalidText("the URL has a query") }
    guard url.utf8.count <= 1000 else { throw InvalidText("the URL is too long") }
    let path = url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
    guard !path.contains("") else { throw InvalidText("the path of the URL has two slashes") }
    guard !(path.contains("metrics") && path.contains("job")) else {
      throw InvalidText("the URL has the path of a group, which is added to it")
    }
    guard !job.isEmpty else { throw InvalidText("the job has no name") }
    (self.url, self.job, self.instance) = (url, job, instance)
  }

  package var group: String {
    "\(url)/metrics/\(Self.part("job", job))/\(Self.part("instance", instance))"
  }

  package var forTest: GatewayAddress {
    GatewayAddress(url, job, instance + Self.testSuffix)
  }

  private init(_ url: String, _ job: String, _ instance: String) {
    (self.url, self.job, self.instance) = (url, job, instance)
  }

  /// A label and its value as two parts of the path. What a path can't hold goes in base64: a slash,
  /// nothing, and dots that a server would resolve.
  private static func part(_ label: String, _ value: String) -> String {
    if value.isEmpty { return "\(label)@base64/=" }
    guard value.unicodeScalars.contains("/") || value == "." || value == ".." else {
      return "\(label)/\(PercentCoding.encode(value))"
    }
    return "\(label)@base64/\(Base64.encodeForURL(Array(value.utf8)))"
  }
}

/// What a gateway asks a client to prove who it is. Never printed.
package struct GatewayCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  private let value: String

  /// The longest, in bytes.
  private static let longest = 4096

  /// Nil if the user has a colon, or either has a control character: no header can hold them.
  package init?(user: String, password: String) {
    guard !user.unicodeScalars.contains(":"), Self.canBeSent(user + password) else { return nil }
    value = "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))"
  }

  /// A bearer token. Nil if no header can hold it.
  package init?(token: String) {
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
      Self.canBeSent(token)
    else { return nil }
    value = "Bearer \(token)"
  }

  private static func canBeSent(_ text: String) -> Bool {
    text.utf8.count <= longest
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  var field: HTTPField { HTTPField("Authorization", value) }

  package var description: String { "(credentials)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
