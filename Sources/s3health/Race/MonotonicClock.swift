import Foundation

/// The clock that all processes of a race on one machine share.
struct MonotonicClock: Codable, Hashable, Sendable {
  /// When the race began, in nanoseconds since the machine started, so that times are small
  /// numbers.
  private let origin: Int

  init() { origin = Self.machine }

  /// Nanoseconds since the race began.
  var now: Int { Self.machine - origin }

  private static var machine: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}
