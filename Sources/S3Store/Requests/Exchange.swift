import HTTPMessage

/// What one send came to.
enum SendResult: Sendable {
  /// A clean 2xx.
  case success(HTTPResponse)
  /// A complete answer that is no success.
  case refused(S3Failure)
  /// No complete answer.
  case broken(HTTPError)
}

/// Decides what follows each send of one operation: nothing more, or the same again, adjusted.
///
/// Pure: time, chance and what the clock and the credentials could do are passed in.
struct Exchange {
  /// What may be done with a request that may have been applied already.
  enum Kind: Hashable, Sendable {
    /// Get, list, delete: as often as it takes.
    case repeatable
    /// A conditional write: never, for the second answer would hide what became of the first.
    case once
  }

  /// What to change before the next send; every send has a fresh date and signature anyway.
  enum Adjustment: Hashable, Sendable {
    case nothing
    /// Sign by the server's clock.
    case clock
    /// Ask for other credentials.
    case credentials
    /// Sign for this region, where the bucket is said to be.
    case region(String)
  }

  enum Next: Hashable, Sendable {
    case finished
    case again(after: Duration, adjustment: Adjustment)
  }

  let kind: Kind
  let policy: RetryPolicy
  private(set) var attempts = 0
  private var hasAdjustedClock = false
  private var hasAdjustedCredentials = false
  private var regions: Set<String>

  /// Most times that a request follows its bucket to another region.
  static let maximumHops = 2

  init(_ kind: Kind, policy: RetryPolicy, region: String) {
    self.kind = kind
    self.policy = policy
    regions = [region]
  }

  /// - Parameters:
  ///   - random: drawn only where something is sent again; evenly distributed in 0 ..< 1.
  ///   - isSkewed: the server's clock is so far from what was signed with that this may be why.
  mutating func next(
    _ result: SendResult, elapsed: Duration, random: @autoclosure () -> Double, isSkewed: Bool
  ) -> Next {
    attempts += 1
    switch result {
    case .success:
      return .finished
    case .broken(let error):
      // A conditional write that may have been applied ends here as unknown. Sent again it would be
      // refused by its own first send, and nobody could tell that from another writer's.
      guard mayRepeat(error) else { return .finished }
      return again(elapsed: elapsed, random: random(), retryAfter: nil)
    case .refused(let failure):
      // The server refused before it did anything, so that even a write may be sent again; at once,
      // since what it refused is adjusted and not a matter of time. Each kind of adjustment is used up
      // when it was tried, so this ends.
      if let adjustment = adjustment(failure, isSkewed: isSkewed) {
        return elapsed < policy.deadline ? .again(after: .zero, adjustment: adjustment) : .finished
      }
      guard mayRepeat(failure) else { return .finished }
      return again(
        elapsed: elapsed, random: random(),
        retryAfter: failure.retryAfter.map { .seconds(min($0, 86_400)) })
    }
  }

  private func again(elapsed: Duration, random: Double, retryAfter: Duration?) -> Next {
    policy.delay(
      afterAttempt: attempts, elapsed: elapsed, random: random, retryAfter: retryAfter
    ).map { .again(after: $0, adjustment: .nothing) } ?? .finished
  }

  /// Refusals by which the server says that it applied nothing and what it wants instead.
  private mutating func adjustment(_ failure: S3Failure, isSkewed: Bool) -> Adjustment? {
    if isSkewed, !hasAdjustedClock, failure.status == 403 || failure.isClockRefusal {
      hasAdjustedClock = true
      return .clock
    }
    if failure.isExpiredCredentials, !hasAdjustedCredentials {
      hasAdjustedCredentials = true
      return .credentials
    }
    // Only to a region that was not tried yet: two servers that name each other end here.
    if failure.isElsewhere, let region = failure.region, regions.count <= Self.maximumHops,
      regions.insert(region).inserted
    {
      return .region(region)
    }
    return nil
  }

  private func mayRepeat(_ error: HTTPError) -> Bool {
    switch error.code {
    case .couldNotResolve, .couldNotConnect, .proxyFailed, .timedOut, .connectionLost, .wouldResend:
      kind == .repeatable || !error.mayHaveBeenApplied
    case .tlsFailed, .responseTooLarge, .malformedResponse, .cancelled, .invalidRequest,
      .noDescriptorLeft, .noThreadLeft, .internal:
      false
    }
  }

  private func mayRepeat(_ failure: S3Failure) -> Bool {
    switch kind {
    case .repeatable: failure.isTransient
    // Of the transient ones only this is a promise that nothing was done.
    // A 5xx may come after the write was applied.
    case .once: failure.status == 429
    }
  }
}
