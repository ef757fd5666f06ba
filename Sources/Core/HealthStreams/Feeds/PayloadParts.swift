package import HealthModel

/// A payload of Health Auto Export that is longer than a batch, as several payloads which a reader puts
/// together again (R55): each metric's rows in their order, then the members beside them.
///
/// The body is walked over again for each question, so that little more than itself is in memory.
package struct PayloadParts: Sendable {
  /// The most bytes of the payload of a part: an entry less room for its spans and headers.
  package static let usualBytes = StreamEntry.maximumPayloadBytes - 65_536
  /// Of a row or another element, which stands up to five levels deep in the payload.
  private static let maximumDepth = IngestRequest.maximumDepth - 3 - 5

  private let body: [UInt8]
  private let partBytes: Int

  package init(_ body: [UInt8], partBytes: Int = usualBytes) {
    (self.body, self.partBytes) = (body, partBytes)
  }

  /// Hands on all parts, in their order.
  ///
  /// - Throws: `RequestFault` for a body that is not a JSON object, or with an element that is too long.
  package func forEach(
    _ take: (JSONValue) throws(RequestFault) -> Void
  ) throws(RequestFault) {
    var walk = JSONWalk(body, maximumDepth: Self.maximumDepth)
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { walk.offset = 3 }
    var part = Part(limit: partBytes)
    guard walk.enter("{") else {
      throw RequestFault(.notRecognised, "the body is not a JSON object")
    }
    try members(&walk) { (walk, key) throws(RequestFault) in
      guard key == "data", walk.enter("{") else {
        return try other(key, isOfData: false, &walk, &part, take)
      }
      part.hasData = true
      try members(&walk) { (walk, key) throws(RequestFault) in
        guard key == "metrics", walk.enter("[") else {
          return try other(key, isOfData: true, &walk, &part, take)
        }
        try elements(&walk) { (walk) throws(RequestFault) in
          try metric(&walk, &part, take)
        }
      }
    }
    try Self.wording { () throws(JSONError) in try walk.finish() }
    try take(part.value)
  }

  /// One metric. Its rows may stand before its name, so they are walked over first.
  private func metric(
    _ walk: inout JSONWalk, _ part: inout Part, _ take: (JSONValue) throws(RequestFault) -> Void
  ) throws(RequestFault) {
    guard walk.enter("{") else {
      let value = try Self.wording { () throws(JSONError) in try walk.value() }
      return try part.add(value, "metrics", isOfData: true, isElement: true, take)
    }
    var (names, rows): ([String: JSONValue], Int?) = ([:], nil)
    try members(&walk) { (walk, key) throws(RequestFault) in
      guard key == "data", walk.enter("[") else {
        names[key] = try Self.wording { () throws(JSONError) in try walk.value() }
        return
      }
      rows = walk.offset
      try elements(&walk) { (walk) throws(RequestFault) in
        _ = try Self.wording { () throws(JSONError) in try walk.value() }
      }
    }
    guard let rows else {
      return try part.add(
        .object(names), "metrics", isOfData: true, isElement: true, take)
    }
    let end = walk.offset
    walk.offset = rows
    try part.open(names, take)
    try elements(&walk) { (walk) throws(RequestFault) in
      let row = try Self.wording { () throws(JSONError) in try walk.value() }
      try part.add(row: row, take)
    }
    part.close()
    walk.offset = end
  }

  /// Another member: an array by its elements.
  private func other(
    _ key: String, isOfData: Bool, _ walk: inout JSONWalk, _ part: inout Part,
    _ take: (JSONValue) throws(RequestFault) -> Void
  ) throws(RequestFault) {
    guard walk.enter("[") else {
      let value = try Self.wording { () throws(JSONError) in try walk.value() }
      return try part.add(value, key, isOfData: isOfData, isElement: false, take)
    }
    try part.add(.array([]), key, isOfData: isOfData, isElement: false, take)
    try elements(&walk) { (walk) throws(RequestFault) in
      let value = try Self.wording { () throws(JSONError) in try walk.value() }
      try part.add(value, key, isOfData: isOfData, isElement: true, take)
    }
  }

  // MARK: - Walking

  private func members(
    _ walk: inout JSONWalk,
    _ read: (inout JSONWalk, String) throws(RequestFault) -> Void
  ) throws(RequestFault) {
    var keys: Set<String> = []
    while try Self.wording({ () throws(JSONError) in
      try walk.next(before: "}", isFirst: keys.isEmpty)
    }) {
      let place = walk.offset
      let key = try Self.wording { () throws(JSONError) in try walk.key() }
      guard keys.insert(key).inserted else {
        throw RequestFault(.notJSON, "the body is not JSON: a duplicate key at byte \(place)")
      }
      try read(&walk, key)
    }
  }

  private func elements(
    _ walk: inout JSONWalk, _ read: (inout JSONWalk) throws(RequestFault) -> Void
  ) throws(RequestFault) {
    var isFirst = true
    while try Self.wording({ () throws(JSONError) in
      try walk.next(before: "]", isFirst: isFirst)
    }) {
      isFirst = false
      try read(&walk)
    }
  }

  private static func wording<Value>(
    _ work: () throws(JSONError) -> Value
  ) throws(RequestFault) -> Value {
    do throws(JSONError) {
      return try work()
    } catch {
      throw RequestFault(
        .notJSON, "the body is not JSON (choose JSON as the automation's format): \(error)")
    }
  }

  // MARK: - A part

  private struct Part {
    let limit: Int
    var hasData = false
    private var root: [String: JSONValue] = [:]
    private var data: [String: JSONValue] = [:]
    /// The metric whose rows follow.
    private var names: [String: JSONValue]?
    private var rows: [JSONValue] = []
    private var bytes = 0

    init(limit: Int) { self.limit = limit }

    /// What it is now.
    var value: JSONValue {
      var part = self
      part.close()
      if hasData { part.root["data"] = .object(part.data) }
      return .object(part.root)
    }

    mutating func open(
      _ names: [String: JSONValue], _ take: (JSONValue) throws(RequestFault) -> Void
    ) throws(RequestFault) {
      try makeRoom(for: Self.size(.object(names)) + 10, take)
      self.names = names
    }

    mutating func add(
      row: JSONValue, _ take: (JSONValue) throws(RequestFault) -> Void
    ) throws(RequestFault) {
      try makeRoom(for: Self.size(row) + 1, take)
      rows.append(row)
    }

    mutating func close() {
      guard var names else { return }
      names["data"] = .array(rows)
      append(.object(names), to: "metrics", in: &data)
      (self.names, rows) = (nil, [])
    }

    /// Adds a member, or an element of one that is an array.
    mutating func add(
      _ value: JSONValue, _ key: String, isOfData: Bool, isElement: Bool,
      _ take: (JSONValue) throws(RequestFault) -> Void
    ) throws(RequestFault) {
      try makeRoom(for: Self.size(value) + key.utf8.count + 10, take)
      switch (isOfData, isElement) {
      case (true, true): append(value, to: key, in: &data)
      case (true, false): data[key] = value
      case (false, true): append(value, to: key, in: &root)
      case (false, false): root[key] = value
      }
    }

    private func append(
      _ value: JSONValue, to key: String, in members: inout [String: JSONValue]
    ) {
      var elements: [JSONValue] = []
      // Taken out first, so that it is not copied.
      if case .array(let known)? = members.removeValue(forKey: key) { elements = known }
      elements.append(value)
      members[key] = .array(elements)
    }

    /// Hands the part on if what comes does not fit into it.
    private mutating func makeRoom(
      for size: Int, _ take: (JSONValue) throws(RequestFault) -> Void
    ) throws(RequestFault) {
      guard size <= limit / 2 else {
        throw RequestFault(
          .tooLarge, "a row or another element has more than \(limit / 2) bytes")
      }
      if bytes + size > limit {
        try take(value)
        let names = names
        self = Part(limit: limit)
        (hasData, self.names) = (true, names)
        bytes = names.map { Self.size(.object($0)) + 10 } ?? 0
      }
      bytes += size
    }

    private static func size(_ value: JSONValue) -> Int { value.canonicalBytes.count }
  }
}
