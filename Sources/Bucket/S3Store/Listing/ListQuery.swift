import ObjectStore

/// The query of ListObjectsV2 for a page.
struct ListQuery: Sendable {
  let prefix: String
  let startAfter: String?
  let place: ListPlace?
  let limit: Int
  let isShallow: Bool

  /// Nil if the continuation did not come from this store.
  init?(_ request: ListRequest) {
    prefix = request.prefix
    startAfter = request.startAfter
    limit = min(request.limit, 1000)
    isShallow = request.isShallow
    if let continuation = request.continuation {
      guard let place = ListPlace(continuation) else { return nil }
      self.place = place
    } else {
      place = nil
    }
  }

  init(_ query: ListQuery, continuingAt place: ListPlace) {
    (prefix, startAfter, limit) = (query.prefix, query.startAfter, query.limit)
    isShallow = query.isShallow
    self.place = place
  }

  var parameters: [(name: String, value: String?)] {
    var all: [(name: String, value: String?)] = [
      ("encoding-type", "url"), ("list-type", "2"), ("max-keys", "\(limit)"), ("prefix", prefix),
    ]
    if isShallow { all.append(("delimiter", "/")) }
    if let place {
      all.append(("continuation-token", place.token))
    } else if let startAfter {
      all.append(("start-after", startAfter))
    }
    return all
  }
}

/// Where a page ended: the server's token, and the last key, which shows if a server ignores its
/// own tokens.
struct ListPlace: Hashable, Sendable {
  let lastKey: String
  let token: String

  init(lastKey: String, token: String) {
    (self.lastKey, self.token) = (lastKey, token)
  }

  /// Parses what `description` wrote.
  init?(_ text: String) {
    // Works on bytes, because a token may begin with a character that combines with the colon.
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let length = Int(text[..<colon]), length >= 0
    else { return nil }
    let rest = bytes[bytes.index(after: colon)...]
    guard let end = rest.index(rest.startIndex, offsetBy: length, limitedBy: rest.endIndex),
      let key = String(rest[..<end]), let token = String(rest[end...])
    else { return nil }
    self.init(lastKey: key, token: token)
  }
}

extension ListPlace: CustomStringConvertible {
  /// The length of the key in bytes, a colon, the key, the token.
  var description: String { "\(lastKey.utf8.count):\(lastKey)\(token)" }
}
