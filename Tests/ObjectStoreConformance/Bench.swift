import ObjectStore

/// A store with a fresh prefix, and the steps that the cases are written in.
struct Bench: Sendable {
  let store: any ObjectStore
  let prefix: String

  func key(_ suffix: String) throws -> ObjectKey {
    guard let key = ObjectKey(prefix + suffix) else {
      throw ConformanceFailure("\(prefix + suffix) is not a key")
    }
    return key
  }

  /// Writes what must be stored, and returns its etag.
  @discardableResult
  func stored(
    _ suffix: String, _ body: [UInt8], if precondition: Precondition = .absent
  ) async throws -> ETag {
    let outcome = try await store.put(try key(suffix), body, if: precondition)
    guard case .stored(let etag) = outcome else {
      throw ConformanceFailure("a write of \(suffix) gave \(outcome)")
    }
    return etag
  }

  /// Writes what must be refused.
  func refused(_ suffix: String, _ body: [UInt8], if precondition: Precondition) async throws {
    let outcome = try await store.put(try key(suffix), body, if: precondition)
    guard case .preconditionFailed = outcome else {
      throw ConformanceFailure("a write of \(suffix) if \(precondition) gave \(outcome)")
    }
  }

  func read(_ suffix: String, limit: Int = 1 << 22) async throws -> StoredObject? {
    try await store.get(try key(suffix), limit: limit)
  }

  /// Checks the body under a key, nil for none, and returns the etag that was read.
  @discardableResult
  func holds(_ suffix: String, _ body: [UInt8]?) async throws -> ETag? {
    let object = try await read(suffix)
    guard object?.body == body else {
      throw ConformanceFailure("\(suffix) holds \(brief(object?.body)), not \(brief(body))")
    }
    return object?.etag
  }

  func delete(_ suffix: String) async throws { try await store.delete(try key(suffix)) }

  /// The keys of one page, without the prefix.
  func page(
    _ below: String = "", startAfter: String? = nil, limit: Int = 1000
  ) async throws -> [String] {
    try names(try await store.list(request(below, startAfter, limit)).entries)
  }

  /// The keys of a whole listing, without the prefix.
  func listing(
    _ below: String = "", startAfter: String? = nil, limit: Int = 1000
  ) async throws -> [String] {
    try names(try await store.listAll(request(below, startAfter, limit)))
  }

  private func request(_ below: String, _ startAfter: String?, _ limit: Int) -> ListRequest {
    ListRequest(prefix: prefix + below, startAfter: startAfter.map { prefix + $0 }, limit: limit)
  }

  private func names(_ entries: [ListEntry]) throws -> [String] {
    try entries.map { entry in
      guard entry.key.utf8.starts(with: prefix.utf8) else {
        throw ConformanceFailure("\(entry.key) does not begin with \(prefix)")
      }
      return String(decoding: entry.key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
  }

  private func brief(_ body: [UInt8]?) -> String {
    guard let body else { return "nothing" }
    return "\(body.count) bytes beginning \(String(decoding: body.prefix(40), as: UTF8.self))"
  }
}

/// Fails with a sentence unless something holds.
func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
  guard holds else { throw ConformanceFailure(otherwise()) }
}

/// Fails unless two lists of keys are the same bytes in the same order.
func expect(_ names: [String], are expected: [String]) throws {
  let same =
    names.count == expected.count
    && zip(names, expected).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  try expect(
    same,
    "listed \(names.count) keys \(names.prefix(8)), not \(expected.count) \(expected.prefix(8))")
}

/// Runs `count` tasks at the same time and returns their results in order of number.
func together<Value: Sendable>(
  _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    for number in 0..<count { group.addTask { (number, try await work(number)) } }
    var results: [(Int, Value)] = []
    for try await result in group { results.append(result) }
    return results.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
