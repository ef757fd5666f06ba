package import HealthModel

/// A payload of Health Auto Export that is longer than a batch, as several payloads which a reader puts
/// together again (R55): each metric's rows in their order, then the members beside them.
///
/// The body is walked over again for each question, so that little more than itself is in memory.
package struct PayloadParts: Sendable {
  /// The most bytes of the payload of a part: an entry less room for its spans and headers.
  package static let usualBytes = StreamEntry.maximumPayloadBytes - 65_536

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
    // A payload stands three levels deep in the body of a batch.
    var walk = JSONWalk(body, maximumDepth: IngestRequest.maximumDepth - 3) {
      RequestFault(
        .notJSON, "the body is not JSON (choose JSON as the automation's format): \($0)")
    }
    try withoutActuallyEscaping(take) { take throws(RequestFault) in
      var part = Part(limit: partBytes, handOn: take)
      guard try part.take(&walk) else {
        throw RequestFault(.notRecognised, "the body is not a JSON object")
      }
      try take(part.value)
    }
  }

  private struct Part: PayloadTaker {
    let limit: Int
    let handOn: (JSONValue) throws(RequestFault) -> Void
    private var root: [String: JSONValue] = [:]
    private var data: [String: JSONValue] = [:]
    private var hasData = false
    /// The metric whose rows follow.
    private var names: [String: JSONValue]?
    private var rows: [JSONValue] = []
    private var bytes = 0

    typealias Failure = RequestFault
    static let namesNeeded: Set<String>? = nil

    init(limit: Int, handOn: @escaping (JSONValue) throws(RequestFault) -> Void) {
      (self.limit, self.handOn) = (limit, handOn)
    }

    /// What it is now.
    var value: JSONValue {
      var part = self
      part.endRows()
      if hasData { part.root["data"] = .object(part.data) }
      return .object(part.root)
    }

    mutating func beginData() { hasData = true }

    mutating func beginMetrics() {}

    mutating func open(_ names: [String: JSONValue]) throws(RequestFault) {
      try makeRoom(for: Self.size(.object(names)) + 10)
      self.names = names
    }

    mutating func add(row: JSONValue) throws(RequestFault) {
      try makeRoom(for: Self.size(row) + 1)
      rows.append(row)
    }

    mutating func endRows() {
      guard var names else { return }
      names["data"] = .array(rows)
      Self.append(.object(names), to: "metrics", in: &data)
      (self.names, rows) = (nil, [])
    }

    mutating func add(
      _ value: JSONValue, _ key: String, isOfData: Bool, isElement: Bool
    ) throws(RequestFault) {
      try makeRoom(for: Self.size(value) + key.utf8.count + 10)
      switch (isOfData, isElement) {
      case (true, true): Self.append(value, to: key, in: &data)
      case (true, false): data[key] = value
      case (false, true): Self.append(value, to: key, in: &root)
      case (false, false): root[key] = value
      }
    }

    private static func append(
      _ value: JSONValue, to key: String, in members: inout [String: JSONValue]
    ) {
      var elements: [JSONValue] = []
      // Taken out first, so that it is not copied.
      if case .array(let known)? = members.removeValue(forKey: key) { elements = known }
      elements.append(value)
      members[key] = .array(elements)
    }

    /// Hands the part on if what comes does not fit into it.
    private mutating func makeRoom(for size: Int) throws(RequestFault) {
      guard size <= limit / 2 else {
        throw RequestFault(
          .tooLarge, "a row or another element has more than \(limit / 2) bytes")
      }
      if bytes + size > limit {
        try handOn(value)
        let names = names
        self = Part(limit: limit, handOn: handOn)
        (hasData, self.names) = (true, names)
        bytes = names.map { Self.size(.object($0)) + 10 } ?? 0
      }
      bytes += size
    }

    private static func size(_ value: JSONValue) -> Int { value.canonicalBytes.count }
  }
}
