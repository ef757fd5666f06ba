/// Decides how long the thread lets answers come in before it handles the first one.
///
/// A server on this machine shares its processors. Each time the thread wakes up, it takes a
/// processor from the server, and finds that the caches have forgotten the program. While many
/// requests are running, the next answers are close behind the first. So the thread pauses once
/// before it handles them, as a network card does before it interrupts: a wake then serves several
/// answers, and the server works on in the meantime.
///
/// A server elsewhere gains nothing from a pause, and a request that runs alone or among few would
/// only be delayed. Neither is.
struct AnswerGathering {
  /// With fewer requests, hardly another answer would come in during the pause.
  static let fewestRunning = 8
  static let longestPause: Duration = .milliseconds(1)
  /// The pause, as a part of a request's usual time.
  private static let part = 8

  /// What a request to a server on this machine takes: a moving average. Zero after an answer from
  /// elsewhere, and before the first one.
  private var usualTime: Duration = .zero

  /// Learns from a request that was answered.
  mutating func note(_ taken: Duration, isLocal: Bool) {
    guard isLocal else {
      usualTime = .zero
      return
    }
    usualTime = usualTime == .zero ? taken : usualTime + (taken - usualTime) / 8
  }

  /// - Parameters:
  /// - ready: how many sockets have something to read.
  /// - running: how many requests wait for an answer.
  func pause(ready: Int, running: Int) -> Duration {
    // Once a quarter has come, the rest need not be waited for.
    guard ready > 0, running >= Self.fewestRunning, ready * 4 < running else { return .zero }
    return min(usualTime / Self.part, Self.longestPause)
  }
}
