import Foundation

/// The clock that all processes of a race share: nanoseconds of this machine since it started.
enum MonotonicClock {
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}
