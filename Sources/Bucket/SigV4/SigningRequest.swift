import ContentDigests
package import Secrets

/// The parts of a request that are signed, none of them percent-encoded.
package struct SigningRequest: Sendable {
  package var method: String
  /// Decoded, beginning with `/`. For services other than S3, as it is sent (`PathStyle`).
  package var path: String
  /// Decoded, in any order. A nil value is signed and sent as `name=`.
  package var query: [(name: String, value: String?)]
  /// Must include `host`. Names may have any case. Headers that proxies change are not signed
  /// (`CanonicalHeaders`).
  package var headers: [(name: String, value: String)]
  /// Lower-case hex SHA-256 of the body, or `UNSIGNED-PAYLOAD`.
  package var payloadHash: String

  package init(
    method: String, path: String, query: [(name: String, value: String?)] = [],
    headers: [(name: String, value: String)], payloadHash: String
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.payloadHash = payloadHash
  }
}

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

/// A time as signatures write it: `20150830T123600Z`, UTC.
struct SigningTime: Hashable, Sendable {
  let timestamp: String

  /// `20150830`.
  var date: Substring { timestamp.prefix(8) }

  init(secondsSince1970: Int) {
    let (quotient, remainder) = secondsSince1970.quotientAndRemainder(dividingBy: 86400)
    let (days, second) =
      remainder < 0 ? (quotient - 1, remainder + 86400) : (quotient, remainder)
    let (year, month, day) = CivilCalendar.date(daysSince1970: days)
    var digits: [UInt8] = []
    digits.reserveCapacity(16)
    func append(_ value: Int, width: Int) {
      var divisor = width == 4 ? 1000 : 10
      while divisor > 0 {
        digits.append(UInt8(truncatingIfNeeded: 0x30 + value / divisor % 10))
        divisor /= 10
      }
    }
    append(year, width: 4)
    append(month, width: 2)
    append(day, width: 2)
    digits.append(UInt8(ascii: "T"))
    append(second / 3600, width: 2)
    append(second / 60 % 60, width: 2)
    append(second % 60, width: 2)
    digits.append(UInt8(ascii: "Z"))
    timestamp = String(decoding: digits, as: UTF8.self)
  }
}
