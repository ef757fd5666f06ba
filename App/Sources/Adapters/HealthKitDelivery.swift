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
      queries = try await source.deliverInBackground { done in
        nonisolated(unsafe) let done = done
        Task {
          await news()
          done()
        }
      }
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
