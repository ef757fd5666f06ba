package import ObjectStore

/// Writers that write to one key at the same time, of which exactly one may win. This can disprove
/// that a store's conditional writes are atomic, but never prove it.
package struct BarrierRace: Sendable {
  package var writers = 16
  package var rounds = 5

  package init() {}

  /// What was wrong, in one sentence; nil if every round had one winner and its bytes stayed.
  package func refutation(
    of store: any ObjectStore, below prefix: String
  ) async throws(StoreError) -> String? {
    for round in 0..<rounds {
      guard let key = ObjectKey("\(prefix)/barrier-\(round)") else { return nil }
      var precondition = Precondition.absent
      for what in ["create", "replace"] {
        let winners = try await winners(store, key, precondition, what)
        let object = try await store.get(key, limit: 64)
        guard winners.count == 1, let winner = winners.first, let object,
          object.body == Self.body(what, winner)
        else {
          return "\(winners.count) of \(writers) writers won the \(what) of one key"
        }
        precondition = .matches(object.etag)
      }
      try await store.delete(key)
    }
    return nil
  }

  private func winners(
    _ store: any ObjectStore, _ key: ObjectKey, _ precondition: Precondition, _ what: String
  ) async throws(StoreError) -> [Int] {
    let attempts = await withTaskGroup(of: Attempt.self) { group in
      for writer in 0..<writers {
        group.addTask { await Self.attempt(store, key, precondition, what, writer) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var winners: [Int] = []
    for attempt in attempts {
      if case .stored = try attempt.result.get() { winners.append(attempt.writer) }
    }
    return winners
  }

  private struct Attempt: Sendable {
    let writer: Int
    let result: Result<PutOutcome, StoreError>
  }

  private static func attempt(
    _ store: any ObjectStore, _ key: ObjectKey, _ precondition: Precondition, _ what: String,
    _ writer: Int
  ) async -> Attempt {
    let result: Result<PutOutcome, StoreError>
    do {
      result = .success(try await store.put(key, body(what, writer), if: precondition))
    } catch {
      result = .failure(error)
    }
    // A tuple that was begun before the await lost its number to the optimiser (Swift 6.3).
    return Attempt(writer: writer, result: result)
  }

  /// It must differ from the bytes that it replaces. Otherwise their etag would stay valid for the
  /// next writer.
  private static func body(_ what: String, _ writer: Int) -> [UInt8] {
    Array("\(what) by writer \(writer)".utf8)
  }
}
