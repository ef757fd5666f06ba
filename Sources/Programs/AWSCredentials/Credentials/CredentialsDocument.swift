import Foundation
import HTTPClient
import ObjectStore
import S3Store

/// The JSON document of a credential process, a container's agent or the metadata service.
enum CredentialsDocument {
  static let maximumBytes = 64 << 10

  /// The member that holds the session token, and what else the document must contain.
  enum Kind {
    /// `Version` 1, `SessionToken`.
    case process
    /// `Token`, and `Code` with the value `Success` if it is present.
    case metadata
  }

  /// A member's value.
  private enum Member: Decodable, Equatable {
    case text(String)
    case number(Double)
    /// Of a kind that no member read here has.
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .other
      }
    }

    var text: String? {
      guard case .text(let text) = self else { return nil }
      return text
    }
  }

  static func read(
    _ bytes: [UInt8], _ kind: Kind, source: String
  ) throws(StoreError) -> ResolvedCredentials {
    guard bytes.count <= maximumBytes,
      let fields = try? JSONDecoder().decode([String: Member].self, from: Data(bytes))
    else {
      throw StoreError(
        .unavailable, "\(source) gave no JSON object of at most \(maximumBytes >> 10) KB")
    }
    switch kind {
    case .process:
      guard fields["Version"] == .number(1) else {
        throw StoreError(
          .unavailable, "\(source) gave a document whose Version is not 1",
          remedy: "let it print Version, AccessKeyId and SecretAccessKey")
      }
    case .metadata:
      if let code = fields["Code"]?.text, code != "Success" {
        throw StoreError(
          .unavailable, "\(source) answered \(Redaction.words(code, limit: 64))")
      }
    }
    guard let id = fields["AccessKeyId"]?.text,
      let secret = fields["SecretAccessKey"]?.text
    else {
      throw StoreError(.unavailable, "\(source) gave no AccessKeyId and SecretAccessKey")
    }
    var expiresAt: Int?
    if let text = fields["Expiration"]?.text {
      guard let seconds = CredentialsTime.seconds(text) else {
        throw StoreError(
          .unavailable, "\(source) gave an Expiration that is not a valid time")
      }
      expiresAt = seconds
    }
    let token = fields[kind == .process ? "SessionToken" : "Token"]?.text
    return try StaticKeys.checked(id, secret, token, source: source, expiresAt: expiresAt)
  }
}

/// Times as credential sources write them: ISO 8601 with `Z` or an offset.
enum CredentialsTime {
  static func seconds(_ text: String) -> Int? {
    if let seconds = ServerTime.iso8601(text) { return seconds }
    let zone = text.suffix(6)
    guard zone.count == 6, let sign = zone.first, sign == "+" || sign == "-",
      zone.dropFirst(3).first == ":",
      let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2)),
      (0...14).contains(hours), (0...59).contains(minutes),
      let local = ServerTime.iso8601(text.dropLast(6) + "Z")
    else { return nil }
    return local - (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60)
  }
}
