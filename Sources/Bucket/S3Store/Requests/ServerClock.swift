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

  /// What is added to this machine's clock for signing, in seconds.
  var correction: Int { state.withLock(\.signing) }

  /// The last observation differs too much from the correction that a request was signed with.
  ///
  /// That is the request's own: another one may have adopted the observation since.
  func isSkewed(signedWith correction: Int) -> Bool {
    offset.map { abs($0 - correction) > Self.tolerance } ?? false
  }

  /// Uses the last observation for signing.
  func adoptObserved() {
    state.withLock { $0.signing = $0.observed ?? $0.signing }
  }

  /// 2020 to 2100. A server that reports another year has no usable clock.
  private static let plausible = 1_577_836_800..<4_102_444_800
}
