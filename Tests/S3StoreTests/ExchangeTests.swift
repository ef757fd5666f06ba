import HTTPClient
import Testing

@testable import S3Store

@Suite(.unit) struct ExchangeTests {
  private let policy = RetryPolicy(maximumAttempts: 4, deadline: .seconds(10))

  private func exchange(_ kind: Exchange.Kind) -> Exchange {
    Exchange(kind, policy: policy, region: "us-east-1")
  }

  private func next(
    _ exchange: inout Exchange, _ result: SendResult, elapsed: Duration = .zero,
    random: Double = 0.5, isSkewed: Bool = false
  ) -> Exchange.Next {
    exchange.next(result, elapsed: elapsed, random: random, isSkewed: isSkewed)
  }

  @Test(arguments: [408, 429, 499, 500, 502, 503, 504, 520, 522, 524, 530])
  func `a read is repeated after a transient status`(status: Int) {
    var exchange = exchange(.repeatable)
    let refusal = SendResult.refused(S3Failure(status: status))
    #expect(
      next(&exchange, refusal) == .again(after: .milliseconds(50), adjustment: .nothing))
    #expect(
      next(&exchange, refusal) == .again(after: .milliseconds(100), adjustment: .nothing))
    #expect(
      next(&exchange, refusal) == .again(after: .milliseconds(200), adjustment: .nothing))
    #expect(next(&exchange, refusal) == .finished, "four sends are the most")
  }

  @Test(arguments: [400, 401, 403, 404, 405, 409, 411, 412, 413, 416, 501, 505, 507])
  func `other statuses are final`(status: Int) {
    var read = exchange(.repeatable)
    #expect(next(&read, .refused(S3Failure(status: status))) == .finished)
    var write = exchange(.once)
    #expect(next(&write, .refused(S3Failure(status: status))) == .finished)
  }

  @Test(arguments: ["SlowDown", "InternalError", "RequestTimeout", "ThrottlingException"])
  func `a transient code counts whatever the status`(code: String) {
    var exchange = exchange(.repeatable)
    #expect(next(&exchange, .refused(S3Failure(status: 400, code: code))) != .finished)
  }

  @Test(arguments: [408, 499, 500, 502, 503, 504, 520])
  func `a write is never repeated where it may have been applied`(status: Int) {
    var exchange = exchange(.once)
    #expect(next(&exchange, .refused(S3Failure(status: status))) == .finished)
  }

  @Test(arguments: [
    HTTPError.Code.couldNotConnect, .couldNotResolve, .timedOut, .connectionLost, .wouldResend,
  ])
  func `a write that never left is repeated, one that may have is not`(code: HTTPError.Code) {
    var exchange = exchange(.once)
    #expect(
      next(&exchange, .broken(HTTPError(code, "", mayHaveBeenApplied: false))) != .finished)
    #expect(
      next(&exchange, .broken(HTTPError(code, "", mayHaveBeenApplied: true))) == .finished)
  }

  @Test(arguments: [
    HTTPError.Code.tlsFailed, .responseTooLarge, .malformedResponse, .cancelled, .invalidRequest,
    .internal,
  ])
  func `what would only happen again is final`(code: HTTPError.Code) {
    var exchange = exchange(.repeatable)
    #expect(
      next(&exchange, .broken(HTTPError(code, "", mayHaveBeenApplied: false))) == .finished)
  }

  @Test func `each kind of adjustment is tried once, in any order`() {
    var exchange = exchange(.once)
    let skewed = S3Failure(status: 403, code: "RequestTimeTooSkewed")
    let expired = S3Failure(status: 400, code: "ExpiredToken")
    #expect(
      next(&exchange, .refused(skewed), isSkewed: true) == .again(after: .zero, adjustment: .clock))
    #expect(next(&exchange, .refused(expired)) == .again(after: .zero, adjustment: .credentials))
    #expect(next(&exchange, .refused(skewed), isSkewed: true) == .finished)
    #expect(next(&exchange, .refused(expired)) == .finished)
  }

  @Test func `a clock more than a day off, which rclone calls a denied access, is adjusted`() {
    var exchange = exchange(.once)
    let denied = S3Failure(status: 400, code: "AccessDenied")
    #expect(
      next(&exchange, .refused(denied), isSkewed: true) == .again(after: .zero, adjustment: .clock))
    var altered = self.exchange(.once)
    #expect(next(&altered, .refused(denied), isSkewed: false) == .finished)
  }

  @Test func `a refused clock is final where the server's clock is not known to differ`() {
    var exchange = exchange(.once)
    #expect(
      next(&exchange, .refused(S3Failure(status: 403, code: "RequestTimeTooSkewed"))) == .finished)
  }

  @Test func `nothing is adjusted beyond the deadline`() {
    var exchange = exchange(.repeatable)
    #expect(
      next(
        &exchange, .refused(S3Failure(status: 400, code: "ExpiredToken")), elapsed: .seconds(10))
        == .finished)
  }

  @Test func `two regions are followed, the one signed for and a third are not`() {
    var exchange = exchange(.repeatable)
    func redirect(_ region: String?) -> SendResult {
      .refused(S3Failure(status: 301, code: "PermanentRedirect", region: region))
    }
    #expect(next(&exchange, redirect("us-east-1")) == .finished)
    #expect(next(&exchange, redirect(nil)) == .finished)
    #expect(next(&exchange, redirect("a")) == .again(after: .zero, adjustment: .region("a")))
    #expect(next(&exchange, redirect("us-east-1")) == .finished)
    #expect(next(&exchange, redirect("b")) == .again(after: .zero, adjustment: .region("b")))
    #expect(next(&exchange, redirect("c")) == .finished)
  }
}

@Suite(.unit) struct RetryPolicyTests {
  private let policy = RetryPolicy(maximumAttempts: 30, deadline: .seconds(60))

  @Test func `the jitter is full and grows to a ceiling`() {
    for attempt in 1..<30 {
      #expect(policy.delay(afterAttempt: attempt, elapsed: .zero, random: 0) == .zero)
      let most = policy.delay(afterAttempt: attempt, elapsed: .zero, random: 0.999_999)
      #expect(most.map { $0 <= .seconds(20) } == true)
      if attempt >= 9 { #expect(most.map { $0 > .milliseconds(19_999) } == true) }
    }
    #expect(policy.delay(afterAttempt: 30, elapsed: .zero, random: 0) == nil)
  }

  @Test func `no wait reaches the deadline`() {
    #expect(policy.delay(afterAttempt: 1, elapsed: .seconds(60), random: 0) == nil)
    #expect(policy.delay(afterAttempt: 1, elapsed: .milliseconds(59_960), random: 0.5) == nil)
    #expect(
      policy.delay(afterAttempt: 1, elapsed: .milliseconds(59_940), random: 0.5)
        == .milliseconds(50))
  }

  @Test func `Retry-After is never undercut, nor awaited beyond the deadline`() {
    #expect(
      policy.delay(afterAttempt: 1, elapsed: .zero, random: 0.5, retryAfter: .seconds(7))
        == .seconds(7))
    #expect(
      policy.delay(afterAttempt: 7, elapsed: .zero, random: 0.5, retryAfter: .seconds(1))
        == .milliseconds(3200))
    #expect(
      policy.delay(afterAttempt: 1, elapsed: .zero, random: 0, retryAfter: .seconds(60)) == nil)
  }

  @Test func `ten sends bear a server that starts again, and a wrong address fails in two seconds`()
  {
    let policy = RetryPolicy(maximumAttempts: 10, deadline: .seconds(60))
    func waits(isReached: Bool) -> [Duration] {
      (1..<10).compactMap {
        policy.delay(afterAttempt: $0, elapsed: .zero, random: 0.5, isReached: isReached)
      }
    }
    #expect(waits(isReached: true).reduce(.zero, +) > .seconds(20))
    #expect(waits(isReached: false).reduce(.zero, +) < .seconds(2))
    #expect(waits(isReached: false).count == 4)
  }
}

@Suite(.unit) struct RetryBudgetTests {
  private let start = ContinuousClock.now

  @Test func `a server that is gone ends all sending again after thirty seconds, until it answers`()
  {
    let budget = RetryBudget()
    budget.failed(at: start, hasAnswered: false)
    #expect(budget.takes(at: start + .seconds(29)))
    budget.failed(at: start + .seconds(29), hasAnswered: false)
    #expect(!budget.takes(at: start + .seconds(30)))
    budget.answered()
    #expect(budget.takes(at: start + .seconds(31)))
  }

  @Test func `an outage that was long ago counts for nothing`() {
    let budget = RetryBudget()
    budget.failed(at: start, hasAnswered: false)
    budget.failed(at: start + .seconds(3600), hasAnswered: false)
    #expect(budget.takes(at: start + .seconds(3601)))
  }

  @Test func `requests that fail now and then are always retried, those that fail mostly are not`()
  {
    let budget = RetryBudget()
    for _ in 0..<3 * RetryBudget.capacity {
      #expect(budget.takes(at: start))
      budget.answered()
    }
    let sent = (0..<3 * RetryBudget.capacity).prefix { _ in budget.takes(at: start) }.count
    #expect(sent == RetryBudget.capacity)
  }

  @Test func `a person hears of waits of a second or more, every five seconds`() {
    let budget = RetryBudget()
    #expect(!budget.tells(of: .milliseconds(999), at: start))
    #expect(budget.tells(of: .seconds(1), at: start))
    #expect(!budget.tells(of: .seconds(9), at: start + .seconds(4)))
    #expect(budget.tells(of: .seconds(9), at: start + .seconds(5)))
  }
}
