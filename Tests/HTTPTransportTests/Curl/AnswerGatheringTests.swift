import Testing

@testable import CurlTransport

/// How long the loop's thread lets answers come in before it handles the first one.
@Suite(.tags(.unit)) struct AnswerGatheringTests {
  private static func gathering(_ taken: Duration, isLocal: Bool = true) -> AnswerGathering {
    var gathering = AnswerGathering()
    gathering.note(taken, isLocal: isLocal)
    return gathering
  }

  @Test func `many requests to a server on this machine: an eighth of what one takes`() {
    let gathering = Self.gathering(.milliseconds(4))
    #expect(gathering.pause(ready: 1, running: 16) == .microseconds(500))
    #expect(gathering.pause(ready: 1, running: AnswerGathering.fewestRunning) > .zero)
  }

  @Test(arguments: [Duration.milliseconds(8), .milliseconds(9), .seconds(30), .seconds(1_000_000)])
  func `the pause is a millisecond at most`(taken: Duration) {
    #expect(Self.gathering(taken).pause(ready: 1, running: 64) == AnswerGathering.longestPause)
  }

  @Test func `a request is not delayed alone, among few, or before the first answer`() {
    let gathering = Self.gathering(.milliseconds(4))
    for running in 0..<AnswerGathering.fewestRunning {
      #expect(gathering.pause(ready: 1, running: running) == .zero)
    }
    #expect(AnswerGathering().pause(ready: 1, running: 16) == .zero)
  }

  @Test func `nothing is ready, or a quarter has come: no pause`() {
    let gathering = Self.gathering(.milliseconds(4))
    #expect(gathering.pause(ready: 0, running: 16) == .zero)
    #expect(gathering.pause(ready: 3, running: 16) > .zero)
    #expect(gathering.pause(ready: 4, running: 16) == .zero)
  }

  @Test func `an answer from elsewhere ends the pauses`() {
    #expect(
      Self.gathering(.milliseconds(4), isLocal: false).pause(ready: 1, running: 16) == .zero)
    var gathering = Self.gathering(.milliseconds(4))
    gathering.note(.milliseconds(4), isLocal: false)
    #expect(gathering.pause(ready: 1, running: 16) == .zero)
  }

  @Test func `one slow answer changes little, and a server that became slow is learned`() {
    var gathering = Self.gathering(.milliseconds(1))
    gathering.note(.milliseconds(3), isLocal: true)
    #expect(gathering.pause(ready: 1, running: 16) < .microseconds(160))
    for _ in 0..<100 { gathering.note(.milliseconds(4), isLocal: true) }
    #expect(gathering.pause(ready: 1, running: 16) > .microseconds(490))
  }

  @Test func `libcurl's milliseconds are rounded up`() {
    #expect(Duration.nanoseconds(1).milliseconds == 1)
    #expect(Duration.milliseconds(2).milliseconds == 2)
    #expect((Duration.milliseconds(2) + .nanoseconds(1)).milliseconds == 3)
    #expect(Duration.seconds(3).milliseconds == 3000)
  }
}
