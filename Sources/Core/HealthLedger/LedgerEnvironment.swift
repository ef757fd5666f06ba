import Foundation
public import HealthModel
import ObjectStore

/// The sources of time and randomness for the ledger. Tests and the race harness use their own.
public struct LedgerEnvironment: Sendable {
  /// This machine's clock, uncorrected.
  public var now: @Sendable () -> Timestamp
  /// 32 random bits: the suffix of an id on a store without compare-and-swap (R21).
  public var entropy: @Sendable () -> UInt32
  /// Waits before an attempt, counted from 1. Throws if the task is cancelled.
  public var backOff: @Sendable (_ attempt: Int) async throws(CancellationError) -> Void
  /// How long a publish keeps trying while no write gets a clear answer.
  package var patience = UnansweredWrites.patience

  /// An environment made of these parts.
  public init(
    now: @escaping @Sendable () -> Timestamp, entropy: @escaping @Sendable () -> UInt32,
    backOff: @escaping @Sendable (_ attempt: Int) async throws(CancellationError) -> Void
  ) {
    (self.now, self.entropy, self.backOff) = (now, entropy, backOff)
  }

  /// The system's clock and randomness. Waits use full jitter over 20 ms, doubled with each
  /// attempt, up to 2 s.
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

  /// The moment of a `Date`, without fractions of a second.
  init(_ date: Date) {
    self.init(secondsSince1970: Int(date.timeIntervalSince1970.rounded(.down)))
  }
}
