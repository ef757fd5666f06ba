import Synchronization

/// The store's clock, as its `Date` headers tell it.
///
/// What was observed is reported at once; signing changes only when the server has refused a
/// request, so that a proxy with a wrong `Date` can't break what works.
final class ServerClock: Sendable {
  private struct State {
    var observed: Int?
    var signing = 0
    /// The last header that was read, and what it said: it changes but once a second.
    var lastDate: (header: String, seconds: Int?) = ("", nil)
  }

  private let state = Mutex(State())
  private let localNow: @Sendable () -> Int

  /// - Parameter localNow: this machine's clock, in seconds since 1970.
  init(localNow: @escaping @Sendable () -> Int) { self.localNow = localNow }

  /// Differences below this are within what every server accepts (15 minutes) and within noise.
  static let tolerance = 300

  /// What to sign with: seconds since 1970.
  func signingTime() -> Int { localNow() + state.withLock(\.signing) }

  /// How far the store's clock was last seen ahead of this machine's, in seconds.
  var offset: Int? { state.withLock(\.observed) }

  /// Learns from a response; a missing or absurd `Date`, or one out of a cache, is ignored.
  func observe(date: String?, age: String?) {
    guard let date, age == nil || age == "0" else { return }
    let now = localNow()
    state.withLock { state in
      if state.lastDate.header != date { state.lastDate = (date, ServerTime.http(date)) }
      guard let seconds = state.lastDate.seconds, Self.plausible.contains(seconds) else { return }
      state.observed = seconds - now
    }
  }

  /// What was last observed is too far from what is signed with.
  var isSkewed: Bool {
    state.withLock { state in
      state.observed.map { abs($0 - state.signing) > Self.tolerance } ?? false
    }
  }

  /// Takes what was observed for signing.
  func adoptObserved() {
    state.withLock { $0.signing = $0.observed ?? $0.signing }
  }

  /// 2020 to 2100: a server that claims another year has no clock.
  private static let plausible = 1_577_836_800..<4_102_444_800
}
