package import ObjectStore
import Synchronization

/// Wraps a store and loses, delays, repeats and refuses requests according to a plan. It logs all
/// requests. For tests of the code above, over any real store.
package final class FaultInjectingStore<Base: ObjectStore>: ObjectStore {
  package let base: Base
  private let state: Mutex<(schedule: FaultSchedule, log: RequestLog)>

  package init(_ base: Base, plan: FaultPlan = .none) {
    self.base = base
    state = Mutex((FaultSchedule(plan), RequestLog()))
  }

  /// All requests so far.
  package var log: RequestLog { state.withLock(\.log) }

  /// Applies every delayed write to the store now.
  package func settle() async {
    await apply(state.withLock { $0.schedule.settle() })
  }

  package func get(_ key: ObjectKey, limit: Int) async throws(StoreError) -> StoredObject? {
    let arrival = await arrive(.get, key.rawValue)
    return try await answer(arrival) { () throws(StoreError) in
      let object = try await self.read(arrival) { () throws(StoreError) in
        try await self.base.get(key, limit: limit)
      }
      return (object, object == nil ? .absent : .found)
    }
  }

  package func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    let arrival = await arrive(.list, request.prefix)
    return try await answer(arrival) { () throws(StoreError) in
      let page = try await self.read(arrival) { () throws(StoreError) in
        try await self.base.list(request)
      }
      return (page, .listed(page.entries.count))
    }
  }

  package func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
  ) async throws(StoreError) -> PutOutcome {
    let arrival = await arrive(.put, key.rawValue, if: precondition)
    return try await answer(arrival) { () throws(StoreError) in
      let outcome = try await self.put(key, body, if: precondition, arrival.fault)
      switch outcome {
      case .stored: return (outcome, .stored)
      case .preconditionFailed: return (outcome, .preconditionFailed)
      case .unknown: return (outcome, .unknown)
      }
    }
  }

  package func delete(_ key: ObjectKey) async throws(StoreError) {
    let arrival = await arrive(.delete, key.rawValue)
    try await answer(arrival) { () throws(StoreError) in
      if case .delayed(let requests) = arrival.fault {
        self.state.withLock {
          $0.schedule.postpone(key, nil, if: .absent, requests: requests)
        }
      }
      try await self.read(arrival) { () throws(StoreError) in try await self.base.delete(key) }
      return ((), .deleted)
    }
  }

  package func conditionalWrites() async throws(StoreError) -> ConditionalWrites {
    try await base.conditionalWrites()
  }

  package func clockOffset() async -> Int? { await base.clockOffset() }

  package func predictedETag(of body: [UInt8]) -> ETag? { base.predictedETag(of: body) }
}

extension FaultInjectingStore {
  private func arrive(
    _ kind: StoreRequest.Kind, _ key: String, if precondition: Precondition? = nil
  ) async -> FaultSchedule.Arrival {
    let arrival = state.withLock { state in
      let arrival = state.schedule.arrive(kind, key, if: precondition)
      state.log.note(arrival)
      return arrival
    }
    await apply(arrival.late)
    return arrival
  }

  /// Nobody waits for the answer to a late write any more, so it is dropped.
  private func apply(_ writes: [FaultSchedule.LateWrite]) async {
    for write in writes {
      if let body = write.body {
        _ = try? await base.put(write.key, body, if: write.precondition)
      } else {
        try? await base.delete(write.key)
      }
    }
  }

  private func answer<Value>(
    _ arrival: FaultSchedule.Arrival,
    _ work: () async throws(StoreError) -> (Value, RequestLog.Answer)
  ) async throws(StoreError) -> Value {
    let ordinal = arrival.request.ordinal
    do throws(StoreError) {
      let (value, answer) = try await work()
      state.withLock { $0.log.note(answer, to: ordinal) }
      return value
    } catch {
      state.withLock { $0.log.note(.failed(error.code), to: ordinal) }
      throw error
    }
  }

  /// A request that can be repeated without effect: a read, a listing or a delete.
  private func read<Value>(
    _ arrival: FaultSchedule.Arrival, _ work: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    switch arrival.fault {
    case nil, .preconditionStripped, .duplicatedLate: return try await work()
    case .slow(let time):
      try await Self.pause(time)
      return try await work()
    case .resent:
      _ = try await work()
      return try await work()
    case .lost, .delayed: throw .noAnswer(arrival.request)
    case .answerLost:
      _ = try await work()
      throw .noAnswer(arrival.request)
    case .refused(let refusal): throw .refused(refusal, arrival.request.key)
    }
  }

  private func put(
    _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition, _ fault: Fault?
  ) async throws(StoreError) -> PutOutcome {
    let noAnswer = PutOutcome.unknown(.noAnswer(to: "put", key.rawValue))
    switch fault {
    case nil: return try await base.put(key, body, if: precondition)
    case .slow(let time):
      try await Self.pause(time)
      return try await base.put(key, body, if: precondition)
    case .lost: return noAnswer
    case .answerLost:
      _ = try await base.put(key, body, if: precondition)
      return noAnswer
    case .delayed(let requests):
      state.withLock { $0.schedule.postpone(key, body, if: precondition, requests: requests) }
      return noAnswer
    case .resent:
      _ = try await base.put(key, body, if: precondition)
      return try await base.put(key, body, if: precondition)
    case .duplicatedLate(let requests):
      let outcome = try await base.put(key, body, if: precondition)
      state.withLock { $0.schedule.postpone(key, body, if: precondition, requests: requests) }
      return outcome
    case .preconditionStripped: return try await putBlindly(key, body)
    case .refused(.unavailable): throw .refused(.unavailable, key.rawValue)
    case .refused: return .preconditionFailed
    }
  }

  /// Writes whatever is there. The protocol can't express a blind write, so it uses the etag that
  /// it reads.
  private func putBlindly(
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

  private static func pause(_ time: Duration) async throws(StoreError) {
    do { try await Task.sleep(for: time) } catch { throw .cancelledBeforeSending }
  }
}

extension StoreError {
  fileprivate static func noAnswer(_ request: StoreRequest) -> StoreError {
    noAnswer(to: request.kind.rawValue, request.key)
  }

  fileprivate static func noAnswer(to kind: String, _ key: String) -> StoreError {
    StoreError(
      .unavailable, "no answer came to a \(kind)", key: key, remedy: "try again",
      isRetryable: true)
  }

  fileprivate static func refused(_ refusal: Fault.Refusal, _ key: String) -> StoreError {
    StoreError(
      .unavailable, "the store refused the request", key: key, remedy: "try again",
      serverDetail: "\(refusal.rawValue)", isRetryable: true)
  }
}
