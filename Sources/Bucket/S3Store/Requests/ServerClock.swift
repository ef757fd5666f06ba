import HTTPClient
import Synchronization

/// The store's clock, taken from its `Date` headers.
///
/// An observation is reported immediately. Signing changes only after the server has refused a
/// request, so that a proxy with a wrong `Date` can't break a working connection.
final class ServerClock: Sendable {
  private struct State {
    var observed: Int?
    var signing = 0
    /// The last header and its time: it changes only once a second.
    var lastDate: (header: String, seconds: Int?) = ("", nil)
  }

  private let state = Mutex(State())
  private let localNow: @Sendable () -> Int

  /// - Parameter localNow: this machine's clock, in seconds since 1970.
  init(localNow: @escaping @Sendable () -> Int) { self.localNow = localNow }

  /// Differences below this are accepted by every server (15 minutes), and may be noise.
  static let tolerance = 300

  /// The time for signing, in seconds since 1970.
  func signingTime() -> Int { localNow() + state.withLock(\.signing) }

  /// How far the store's clock was ahead of this machine's at the last observation, in seconds.
  var offset: Int? { state.withLock(\.observed) }

  /// Learns from a response. Ignores a missing or implausible `Date`, and one from a cache.
  func observe(date: String?, age: String?) {
    guard let date, age == nil || age == "0" else { return }
    let now = localNow()
    state.withLock { state in
      if state.lastDate.header != date { state.lastDate = (date, ServerTime.http(date)) }
      guard let seconds = state.lastDate.seconds, Self.plausible.contains(seconds) else { return }
      state.observed = seconds - now
    }
  }

  /// The last observation differs too much from the time that is used for signing.
  var isSkewed: Bool {
    state.withLock { state in
      state.observed.map { abs($0 - state.signing) > Self.tolerance } ?? false
    }
  }

  /// Uses the last observation for signing.
  func adoptObserved() {
    state.withLock { $0.signing = $0.observed ?? $0.signing }
  }

  /// 2020 to 2100. A server that reports another year has no usable clock.
  private static let plausible = 1_577_836_800..<4_102_444_800
}
