import ContentDigests
import Digests
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
  package static let (maximumTokens, maximumBytes) = (1000, 1 << 20)
  private static let format = "tokens.v0"

  /// No tokens.
  package init() {}

  /// The token of this name.
  package subscript(name: String) -> AccessToken? { tokens.first { $0.name == name } }

  /// Adds a token; false if its name is taken or there are too many.
  package mutating func add(_ token: AccessToken) -> Bool {
    guard self[token.name] == nil, tokens.count < Self.maximumTokens else { return false }
    let place = tokens.firstIndex { token.name < $0.name } ?? tokens.endIndex
    tokens.insert(token, at: place)
    return true
  }

  /// Removes a token; false if there is none of this name.
  package mutating func remove(_ name: String) -> Bool {
    let count = tokens.count
    tokens.removeAll { $0.name == name }
    return tokens.count < count
  }

  /// The device whose secret was sent.
  ///
  /// Every digest is compared, each in a time that does not depend on where it differs.
  package func device(sending secret: [UInt8]) -> AuthenticatedDevice? {
    let sent = TokenSecret.digest(of: secret)
    var found: AuthenticatedDevice?
    for token in tokens where Self.areEqual(token.digest, sent) { found = token.device }
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
      "format": .string(Self.format),
      "tokens": .array(
        tokens.map { token in
          .object([
            "created_at": .string("\(token.createdAt)"),
            "device_id": .string(token.device.deviceID),
            "endpoints": .array(
              token.device.scope.endpoints.map(\.rawValue).sorted().map { .string($0) }),
            "name": .string(token.name), "sha256": .string(Hex.string(token.digest)),
          ])
        }),
    ]
    if !grants.isEmpty { members["grants"] = .array(grants.map(\.value)) }
    return JSONValue.object(members).canonicalBytes + [UInt8(ascii: "\n")]
  }

  /// Reads a document strictly; nil if it is not one.
  package init?(parsing bytes: [UInt8]) {
    guard bytes.count <= Self.maximumBytes,
      let value = try? JSONValue(parsing: bytes, maximumDepth: 4),
      value["format"] == .string(Self.format), let listed = value["tokens"]?.arrayValue
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
  fileprivate init?(_ value: JSONValue) {
    guard let name = value["name"]?.stringValue, Self.isName(name),
      let deviceID = value["device_id"]?.stringValue, DeviceID.lowercased(deviceID) == deviceID,
      let listed = value["endpoints"]?.arrayValue, !listed.isEmpty,
      let createdAt = value["created_at"]?.stringValue.flatMap({ Timestamp($0) }),
      let digest = value["sha256"]?.stringValue.flatMap(Self.digest(ofHex:))
    else { return nil }
    let endpoints = listed.compactMap { $0.stringValue.flatMap(Endpoint.init(rawValue:)) }
    guard endpoints.count == listed.count else { return nil }
    self.init(
      device: AuthenticatedDevice(
        name: name, scope: TokenScope(endpoints: Set(endpoints), deviceID: deviceID)),
      digest: digest, createdAt: createdAt)
  }

  /// Nil unless it is that of 32 bytes.
  static func digest(ofHex text: String) -> [UInt8]? {
    guard GrantSecret.isHex(text, 64) else { return nil }
    let values = text.utf8.compactMap(Hex.value)
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
