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
  case healthAutoExport = "health-auto-export"
  case overland
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

/// Who sent a request, by its token, and what it may do as whom (R54).
package struct AuthenticatedDevice: Hashable, Sendable {
  /// The token's name: 1 to 64 ASCII letters, digits, `.`, `_` and `-`.
  package let name: String
  /// At least one.
  package let endpoints: Set<Endpoint>
  /// The device that the token stands for: a UUID in lower case. What is sent is stored under it.
  package let deviceID: String
  /// Whose data it reaches, and nobody else's (R65); nil for the store's own, without people.
  package let person: PersonID?

  package init(
    name: String, endpoints: Set<Endpoint>, deviceID: String = DeviceID.random(),
    person: PersonID? = nil
  ) {
    (self.name, self.endpoints, self.deviceID, self.person) = (name, endpoints, deviceID, person)
  }
}

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
  package init() { text = Self.prefix + Hex.random(64) }

  /// What is kept of it: SHA-256. A secret of 256 random bits needs no slow hash.
  package var digest: [UInt8] { Self.digest(of: Array(text.utf8)) }

  package static func digest(of sent: [UInt8]) -> [UInt8] { SHA256.digest(sent) }
}

extension TokenSecret: CustomStringConvertible, CustomReflectable {
  package var description: String { "(a token)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Hex {
  /// So many digits of the system's generator.
  static func random(_ digits: Int) -> String { string(randomBytes(digits / 2)) }

  static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The bytes of pairs of digits; nil for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap(value)
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
