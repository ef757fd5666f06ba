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

  /// Whether what is posted is stored, and so needs its place in the order of receipts.
  var isStored: Bool { self != .agents && self != .people }
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
