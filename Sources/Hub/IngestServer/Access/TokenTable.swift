import ContentDigests
import Digests
package import HealthLedger
package import HealthModel
import HealthStreams

/// One token as it is kept: without its secret.
package struct AccessToken: Hashable, Sendable {
  package let device: AuthenticatedDevice
  /// SHA-256 of the secret.
  package let digest: [UInt8]
  package let createdAt: Timestamp

  package var name: String { device.name }

  package init(device: AuthenticatedDevice, digest: [UInt8], createdAt: Timestamp) {
    (self.device, self.digest, self.createdAt) = (device, digest, createdAt)
  }

  /// A new one, and its secret.
  package static func made(
    for device: AuthenticatedDevice, at now: Timestamp
  ) -> (token: AccessToken, secret: TokenSecret) {
    let secret = TokenSecret()
    return (AccessToken(device: device, digest: secret.digest, createdAt: now), secret)
  }

  /// Whether a text can name a token: the form is that of a feed, 1 to 64 ASCII letters, digits, `.`,
  /// `_` and `-`.
  package static func isName(_ text: String) -> Bool {
    StoredBatch.isFeed(text)
  }
}

/// The tokens that a server takes, as they are kept in a file (R54). Pure.
package struct TokenTable: Hashable, Sendable {
  /// By name, ascending.
  package private(set) var tokens: [AccessToken] = []
  /// The agents that have access, the oldest first (R63).
  package internal(set) var grants: [AgentGrant] = []

  /// The most tokens of a table, and the most bytes of its document.
  package static let (maximumTokens, maximumBytes) = (20_000, 8 << 20)
  private static let format = "tokens.v0"
  /// The same with tokens of people (R65): a version that does not know whose they are must not take
  /// them.
  private static let formatWithPeople = "tokens.v1"

  package init() {}

  package subscript(name: String) -> AccessToken? {
    let place = place(of: name)
    guard place < tokens.count, tokens[place].name == name else { return nil }
    return tokens[place]
  }

  /// The place of a name, or the one that it would have.
  private func place(of name: String) -> Int {
    var (low, high) = (0, tokens.count)
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }

  package var people: Set<PersonID> { Set(tokens.compactMap(\.device.person)) }

  /// Whether a token of this name can be added: its name is not taken, and there are not too many.
  func hasRoom(for name: String) -> Bool {
    self[name] == nil && tokens.count < Self.maximumTokens
  }

  /// Adds a token; false if there is no room for it.
  package mutating func add(_ token: AccessToken) -> Bool {
    guard hasRoom(for: token.name) else { return false }
    tokens.insert(token, at: place(of: token.name))
    return true
  }

  /// Removes a token; false if there is none of this name.
  package mutating func remove(_ name: String) -> Bool {
    let count = tokens.count
    tokens.removeAll { $0.name == name }
    return tokens.count < count
  }

  /// The tokens of one person, and the agents that were let in by them.
  package func only(_ person: PersonID) -> TokenTable {
    var table = self
    table.tokens.removeAll { $0.device.person != person }
    let names = Set(table.tokens.map(\.name))
    table.grants.removeAll { !names.contains($0.person.name) }
    return table
  }

  package func holds(_ name: String) -> Bool {
    self[name] != nil || grants.contains { $0.name == name }
  }

  /// Removes the tokens of a person, with the agents that were let in by them.
  ///
  /// - Returns: how many tokens.
  package mutating func remove(all person: PersonID) -> Int {
    let names = Set(tokens.filter { $0.device.person == person }.map(\.name))
    tokens.removeAll { names.contains($0.name) }
    grants.removeAll { names.contains($0.person.name) }
    return names.count
  }

  /// The token whose secret was sent.
  ///
  /// Every digest is compared, each in a time that does not depend on where it differs.
  package func token(sending secret: [UInt8]) -> AccessToken? {
    let sent = TokenSecret.digest(of: secret)
    var found: AccessToken?
    for token in tokens where Self.areEqual(token.digest, sent) { found = token }
    return found
  }

  /// In a time that does not depend on where they differ.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }

  // MARK: - The document

  /// The table as canonical JSON and a newline.
  package var document: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(people.isEmpty ? Self.format : Self.formatWithPeople),
      "tokens": .array(tokens.map(\.value)),
    ]
    if !grants.isEmpty { members["grants"] = .array(grants.map(\.value)) }
    return JSONValue.object(members).canonicalBytes + [UInt8(ascii: "\n")]
  }

  /// Reads a document strictly; nil if it is not one.
  package init?(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes,
      let value = try? JSONValue(parsing: bytes, maximumDepth: 4),
      let format = value["format"]?.stringValue,
      [Self.format, Self.formatWithPeople].contains(format),
      let listed = value["tokens"]?.arrayValue
    else { return nil }
    for value in listed {
      guard let token = AccessToken(value), add(token) else { return nil }
    }
    for value in value["grants"]?.arrayValue ?? [] {
      guard let grant = AgentGrant(value), grants.count < Self.maximumGrants else { return nil }
      grants.append(grant)
    }
  }
}

extension AccessToken {
  fileprivate var value: JSONValue {
    var members: [String: JSONValue] = [
      "created_at": .string("\(createdAt)"), "device_id": .string(device.deviceID),
      "endpoints": .array(device.endpoints.map(\.rawValue).sorted().map { .string($0) }),
      "name": .string(name), "sha256": .string(Hex.string(digest)),
    ]
    if let person = device.person { members["person"] = .string(person.rawValue) }
    return .object(members)
  }

  fileprivate init?(_ value: JSONValue) {
    guard let name = value["name"]?.stringValue, Self.isName(name),
      let deviceID = value["device_id"]?.stringValue, DeviceID.lowercased(deviceID) == deviceID,
      let listed = value["endpoints"]?.arrayValue, !listed.isEmpty,
      let createdAt = value["created_at"]?.stringValue.flatMap({ Timestamp($0) }),
      let digest = value["sha256"]?.stringValue.flatMap(Self.digest(ofHex:))
    else { return nil }
    let endpoints = listed.compactMap { $0.stringValue.flatMap(Endpoint.init(rawValue:)) }
    guard endpoints.count == listed.count else { return nil }
    // A person that can't be read makes the token invalid: it must not reach the store's own data.
    let person = value["person"].map { $0.stringValue.flatMap { PersonID($0) } }
    if case .some(nil) = person { return nil }
    let device = AuthenticatedDevice(
      name: name, endpoints: Set(endpoints), deviceID: deviceID, person: person ?? nil)
    self.init(device: device, digest: digest, createdAt: createdAt)
  }

  /// Nil unless it is that of 32 bytes.
  static func digest(ofHex text: String) -> [UInt8]? {
    GrantSecret.isHex(text, 64) ? Hex.bytes(text) : nil
  }
}
