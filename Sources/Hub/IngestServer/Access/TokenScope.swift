import ContentDigests
import Digests
import Foundation
package import HealthLedger

/// What a token may be used for (R54).
package enum Endpoint: String, CaseIterable, Hashable, Sendable {
  /// `/api/ingest`: batches of streams.
  case ingest
  /// `/api/ingest/health-metrics`, `-workouts` and `-sleep`: records.
  case records
  /// `/health-auto-export`.
  case healthAutoExport = "health-auto-export"
  /// `/overland`.
  case overland
  /// `/owntracks`.
  case owntracks
  /// `/`: the page that shows the days; for people.
  case dashboard
  /// `/mcp`: reading the days; for AI agents.
  case agents
  /// `/api/people`: adding and removing people, and seeing which days they have (R65).
  case people

  /// What lets its holder send, and read nothing.
  static let writing: Set<Endpoint> = [.ingest, .records, .healthAutoExport, .overland, .owntracks]

  /// Whether an app of others posts there.
  package var isOfApp: Bool { [.healthAutoExport, .overland, .owntracks].contains(self) }

  /// Whether what is posted is stored, and so needs its place in the order of receipts.
  var isStored: Bool { self != .agents && self != .people }
}

/// The token that a sender needs instead; the program that serves words it.
package enum TokenRemedy: Hashable, Sendable {
  /// One for the endpoint, of the person; nil for one without.
  case endpoint(Endpoint, PersonID?)
  /// One of the device whose id was sent.
  case device
}

/// What the holder of a token may do, and as whom (R54).
package struct TokenScope: Hashable, Sendable {
  /// At least one.
  package let endpoints: Set<Endpoint>
  /// The device that the token stands for: a UUID in lower case. What is sent is stored under it.
  package let deviceID: String
  /// Whose data it reaches, and nobody else's (R65); nil for the store's own, without people.
  package let person: PersonID?

  package init(endpoints: Set<Endpoint>, deviceID: String, person: PersonID? = nil) {
    (self.endpoints, self.deviceID, self.person) = (endpoints, deviceID, person)
  }
}

/// Who sent a request, by its token.
package struct AuthenticatedDevice: Hashable, Sendable {
  /// The token's name: 1 to 64 ASCII letters, digits, `.`, `_` and `-`.
  package let name: String
  package let scope: TokenScope

  package init(name: String, scope: TokenScope) { (self.name, self.scope) = (name, scope) }

  /// The device that the token stands for: a UUID in lower case.
  package var deviceID: String { scope.deviceID }
  /// Whose data it reaches.
  package var person: PersonID? { scope.person }
}

/// The form of a device's id.
package enum DeviceID {
  /// The UUID in lower case; nil if the text is not one.
  package static func lowercased(_ text: String) -> String? {
    guard text.utf8.count == 36 else { return nil }
    return UUID(uuidString: text)?.uuidString.lowercased()
  }

  /// A new one.
  package static func random() -> String { UUID().uuidString.lowercased() }
}

/// The secret of a device: 256 random bits as text. Only its digest is kept (R54).
package struct TokenSecret: Sendable {
  package let text: String

  /// Lets people and secret scanners recognise a token.
  private static let prefix = "s3h_"

  /// A new secret from the system's generator.
  package init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<4).flatMap { _ in
      let word = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    text = Self.prefix + Hex.string(bytes)
  }

  /// What is kept of it: SHA-256. A secret of 256 random bits needs no slow hash.
  package var digest: [UInt8] { Self.digest(of: Array(text.utf8)) }

  /// The digest of what a client sent.
  package static func digest(of sent: [UInt8]) -> [UInt8] { SHA256.digest(sent) }
}

extension TokenSecret: CustomStringConvertible, CustomReflectable {
  /// Never the secret.
  package var description: String { "(a token)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
