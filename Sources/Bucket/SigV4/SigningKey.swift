import Digests
import Secrets
import Synchronization

/// What a signing key is derived from.
struct SigningScope: Sendable {
  let date: String
  let region: String
  let service: String
  /// `20150830/us-east-1/service/aws4_request`.
  let text: String

  init(date: String, region: String, service: String) {
    (self.date, self.region, self.service) = (date, region, service)
    text = date + "/" + region + "/" + service + "/aws4_request"
  }

  /// The signing key of a secret for this scope: four HMACs.
  func key(_ secret: Secret) -> [UInt8] {
    var key = Array("AWS4".utf8) + Array(secret.revealed.utf8)
    for part in [date, region, service, "aws4_request"] {
      key = HMAC.sha256(key: key, Array(part.utf8))
    }
    return key
  }
}

/// The signing keys in use, one per secret, day, region and service. Deriving one costs more than
/// the rest of a signature.
final class SigningKeyCache: Sendable {
  private struct Entry {
    let secret: Secret
    let scope: String
    let key: [UInt8]
  }

  /// A new day, a renewed session and a redirect to another region each add one key.
  private static let capacity = 8

  private let entries = Mutex<[Entry]>([])
  /// The last second that was signed, as text, because a thousand requests may share it.
  private let lastMoment = Mutex<(seconds: Int, time: SigningTime, scope: SigningScope)?>(nil)

  /// A second as signatures write it, and the scope of the key for its day.
  func moment(
    _ secondsSince1970: Int, region: String, service: String
  ) -> (time: SigningTime, scope: SigningScope) {
    lastMoment.withLock { last in
      if let last, last.seconds == secondsSince1970 { return (last.time, last.scope) }
      let time = SigningTime(secondsSince1970: secondsSince1970)
      let scope = SigningScope(date: String(time.date), region: region, service: service)
      last = (secondsSince1970, time, scope)
      return (time, scope)
    }
  }

  func key(_ secret: Secret, _ scope: SigningScope) -> [UInt8] {
    let known = entries.withLock { entries in
      entries.first { $0.scope == scope.text && $0.secret == secret }?.key
    }
    if let known { return known }
    let key = scope.key(secret)
    entries.withLock { entries in
      entries.insert(Entry(secret: secret, scope: scope.text, key: key), at: 0)
      if entries.count > Self.capacity { entries.removeLast() }
    }
    return key
  }
}
