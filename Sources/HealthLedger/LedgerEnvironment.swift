import Foundation
public import HealthModel

/// Where the ledger takes time and chance from; tests and the race harness give their own.
public struct LedgerEnvironment: Sendable {
  /// This machine's clock, uncorrected.
  public var now: @Sendable () -> Timestamp
  /// 32 random bits for the suffix of an id.
  public var entropy: @Sendable () -> UInt32
  /// Waits before an attempt, counted from 1; throws if the task is cancelled.
  public var backOff: @Sendable (_ attempt: Int) async throws(CancellationError) -> Void

  /// An environment of the given parts.
  public init(
    now: @escaping @Sendable () -> Timestamp, entropy: @escaping @Sendable () -> UInt32,
    backOff: @escaping @Sendable (_ attempt: Int) async throws(CancellationError) -> Void
  ) {
    (self.now, self.entropy, self.backOff) = (now, entropy, backOff)
  }

  /// The system's clock and randomness; waits are full jitter over 20 ms doubled per attempt,
  /// at most 2 s.
  public static let system = LedgerEnvironment(
    now: { .now },
    entropy: { UInt32.random(in: .min ... .max) },
    backOff: { attempt async throws(CancellationError) in
      let ceiling = min(2000.0, 20.0 * Double(1 << min(attempt, 10)))
      do {
        try await Task.sleep(for: .milliseconds(Double.random(in: 0...ceiling)))
      } catch {
        throw CancellationError()
      }
    })
}

extension Timestamp {
  /// This machine's clock, in whole seconds.
  public static var now: Timestamp { Timestamp(Date()) }

  /// The moment of a date, without its fraction of a second.
  init(_ date: Date) {
    self.init(secondsSince1970: Int(date.timeIntervalSince1970.rounded(.down)))
  }
}
