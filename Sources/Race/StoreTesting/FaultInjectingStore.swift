package import ObjectStore
import Synchronization

/// Wraps a store and loses, delays, repeats and refuses requests according to a plan. It logs all
/// requests. For tests of the code above, over any real store.
package final class FaultInjectingStore: ForwardingStore {
  package let base: any ObjectStore
  private let state: Mutex<State>

  private struct State {
    var schedule: RequestSchedule<Fault>
    var log = RequestLog()
    /// Writes that will reach the store later, in the order in which they were sent.
    var late: [(due: Int, write: Write)] = []
  }

  /// Nobody waits for the answer to a late write any more, so it is dropped.
  private typealias Write = @Sendable (any ObjectStore) async -> Void

  package init(_ base: any ObjectStore, plan: FaultPlan = .none) {
    self.base = base
    state = Mutex(State(schedule: RequestSchedule(plan)))
  }

  /// All requests so far.
  package var log: RequestLog { state.withLock(\.log) }

  /// Applies every delayed write to the store now.
  package func settle() async { await applyLate(dueBy: .max) }

  package func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    try await read(await arrive(.get, key.rawValue), { $0 == nil ? .absent : .found }) {
      () throws(StoreError) in try await self.base.get(key, limit: limit)
    }
  }

  package func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    try await read(await arrive(.list, request.prefix), { .listed($0.entries.count) }) {
      () throws(StoreError) in try await self.base.list(request)
    }
  }

  package func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    let entry = await arrive(.put, key.rawValue, if: precondition)
    return try await logging(entry, { $0.answer }) { () throws(StoreError) in
      try await self.put(key, body, if: precondition, entry.fault)
    }
  }

  package func delete(_ key: ObjectKey) async throws(StoreError) {
    let entry = await arrive(.delete, key.rawValue)
    if case .delayed(let requests) = entry.fault {
      postpone(by: requests) { try? await $0.delete(key) }
    }
    try await read(entry, { _ in .deleted }) { () throws(StoreError) in
      try await self.base.delete(key)
    }
  }
}

extension FaultInjectingStore {
  private func arrive(
    _ kind: RequestKind, _ key: String, if precondition: Precondition? = nil
  ) async -> RequestLog.Entry {
    let entry = state.withLock { state in
      let arrival = state.schedule.arrive(kind, key)
      let entry = RequestLog.Entry(
        number: arrival.number, kind: kind, key: key, precondition: precondition,
        fault: arrival.fault)
      state.log.entries.append(entry)
      return entry
    }
    await applyLate(dueBy: entry.number)
    return entry
  }

  private func postpone(by requests: Int, _ write: @escaping Write) {
    state.withLock { $0.late.append(($0.schedule.arrived + max(1, requests), write)) }
  }

  private func applyLate(dueBy number: Int) async {
    let due = state.withLock { state in
      defer { state.late.removeAll { $0.due <= number } }
      return state.late.filter { $0.due <= number }.map(\.write)
    }
    for write in due { await write(base) }
  }

  /// Logs what a caller gets.
  private func logging<Value>(
    _ entry: RequestLog.Entry, _ answer: (Value) -> RequestLog.Answer,
    _ work: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    // Entries are numbered from 1 without gaps, so the number gives the index.
    do throws(StoreError) {
      let value = try await work()
      let given = answer(value)
      state.withLock { $0.log.entries[entry.number - 1].answer = given }
      return value
    } catch {
      state.withLock { $0.log.entries[entry.number - 1].answer = .failed(error.code) }
      throw error
    }
  }

  /// A request that can be repeated without effect: a read, a listing or a delete.
  private func read<Value>(
    _ entry: RequestLog.Entry, _ answer: (Value) -> RequestLog.Answer,
    _ work: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await logging(entry, answer) { () throws(StoreError) in
      switch entry.fault {
      case nil, .preconditionStripped, .duplicatedLate: break
      case .slow(let time): try await Self.pause(time)
      case .resent: _ = try await work()
      case .lost, .delayed: throw .noAnswer(entry)
      case .answerLost:
        _ = try await work()
        throw .noAnswer(entry)
      case .refused(let refusal): throw .refused(refusal, entry.key)
      }
      return try await work()
    }
  }

  private func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition, _ fault: Fault?
  ) async throws(StoreError) -> PutOutcome {
    let noAnswer = PutOutcome.unknown(.noAnswer(to: .put, key.rawValue))
    let late: Write = { _ = try? await $0.put(key, body, if: precondition) }
    switch fault {
    case nil: break
    case .slow(let time): try await Self.pause(time)
    case .resent: _ = try await base.put(key, body, if: precondition)
    case .lost: return noAnswer
    case .answerLost:
      _ = try await base.put(key, body, if: precondition)
      return noAnswer
    case .delayed(let requests):
      postpone(by: requests, late)
      return noAnswer
    case .duplicatedLate(let requests):
      let outcome = try await base.put(key, body, if: precondition)
      postpone(by: requests, late)
      return outcome
    case .preconditionStripped: return try await putBlindly(key, body)
    case .refused(.unavailable): throw .refused(.unavailable, key.rawValue)
    case .refused: return .preconditionFailed
    }
    return try await base.put(key, body, if: precondition)
  }
}

extension ForwardingStore {
  /// Writes whatever is there. The protocol can't express a blind write, so it uses the etag that it
  /// reads.
  package func putBlindly(
    _ key: ObjectKey, _ body: [UInt8]
  ) async throws(StoreError) -> PutOutcome {
    while true {
      let current = try await base.get(key, limit: .max)
      let outcome = try await base.put(
        key, body, if: current.map { .matches($0.etag) } ?? .absent)
      if case .preconditionFailed = outcome { continue }
      return outcome
    }
  }

  package static func pause(_ time: Duration) async throws(StoreError) {
    do { try await Task.sleep(for: time) } catch { throw .cancelledBeforeSending }
  }
}

extension PutOutcome {
  fileprivate var answer: RequestLog.Answer {
    switch self {
    case .stored: .stored
    case .preconditionFailed: .preconditionFailed
    case .unknown: .unknown
    }
  }
}

extension StoreError {
  fileprivate static func noAnswer(_ entry: RequestLog.Entry) -> StoreError {
    noAnswer(to: entry.kind, entry.key)
  }

  fileprivate static func noAnswer(to kind: RequestKind, _ key: String) -> StoreError {
    StoreError(
      .unavailable, "no answer came to a \(kind.rawValue)", key: key, remedy: "try again",
      isRetryable: true)
  }

  fileprivate static func refused(_ refusal: Fault.Refusal, _ key: String) -> StoreError {
    StoreError(
      .unavailable, "the store refused the request", key: key, remedy: "try again",
      serverDetail: "\(refusal.rawValue)", isRetryable: true)
  }
}
