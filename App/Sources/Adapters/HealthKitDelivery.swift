import HealthKit
import PhoneKit

/// Notices from HealthKit while a stream is turned on.
@MainActor
final class HealthKitDelivery {
  private let source: HealthKitSource
  private var queries: [HKObserverQuery] = []
  /// Starting and stopping, one after another.
  private var work: Task<Void, Never>?

  init(_ source: HealthKitSource) { self.source = source }

  func start(
    _ news: @escaping @MainActor @Sendable () async -> Void,
    failed: @escaping @MainActor (String) -> Void
  ) {
    then(failed) { [self] in
      guard queries.isEmpty else { return }
      var failure: (any Error)?
      for (type, frequency) in HealthKitTypes.observed {
        queries.append(
          source.observe(type) { done in
            nonisolated(unsafe) let done = done
            Task {
              await news()
              done()
            }
          })
        // One that fails does not stop the others.
        do { try await source.wake(for: type, frequency) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  func stop(failed: @escaping @MainActor (String) -> Void) {
    then(failed) { [self] in
      let ended = queries
      queries = []
      try await source.endDelivery(ended)
    }
  }

  private func then(
    _ failed: @escaping @MainActor (String) -> Void,
    _ body: @escaping @MainActor () async throws -> Void
  ) {
    let earlier = work
    work = Task {
      await earlier?.value
      do { try await body() } catch { failed("Health does not wake the app: \(error)") }
    }
  }
}
