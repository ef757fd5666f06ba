import HTTPClient

/// The result of one send.
enum SendResult: Sendable {
  /// A 2xx answer without an error in it.
  case success(HTTPResponse)
  /// A complete answer that is not a success.
  case refused(S3Failure)
  /// No complete answer.
  case broken(HTTPError)
}

/// Decides what follows each send of one operation: nothing, or the same request again with
/// adjustments.
///
/// Pure: time, randomness, and what the clock and the credentials could do are passed in.
struct Exchange {
  /// Whether a request that may have been applied can be sent again.
  enum Kind: Hashable, Sendable {
    /// Get, list and delete: as often as needed.
    case repeatable
    /// A conditional write: never, because the second answer would hide the result of the first.
    case once
  }

  /// What to change before the next send. Every send has a new date and signature anyway.
  enum Adjustment: Hashable, Sendable {
    case nothing
    /// Sign with the server's time.
    case clock
    /// Ask for new credentials.
    case credentials
    /// Sign for this region, which the server named as the bucket's.
    case region(String)
    /// Send with the body what proves it, as the server asks.
    case proof(ContentProof)
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
  /// What the request has been sent with.
  private var proofs: Set<ContentProof>

  /// How often a request follows its bucket to another region at most.
  static let maximumHops = 2

  init(
    _ kind: Kind, policy: RetryPolicy, region: String, proofs: Set<ContentProof> = []
  ) {
    self.kind = kind
    self.proofs = proofs
    self.policy = policy
    regions = [region]
  }

  /// - Parameters:
  /// - random: used only if something is sent again; uniformly distributed in 0 ..< 1.
  /// - isSkewed: whether the server's clock differs so much from the signature's that this may be
  ///   the cause.
  /// - isServerKnown: whether the server has answered before, in this run or an earlier one.
  mutating func next(
    _ result: SendResult, elapsed: Duration, random: @autoclosure () -> Double, isSkewed: Bool,
    isServerKnown: @autoclosure () -> Bool = true
  ) -> Next {
    attempts += 1
    switch result {
    case .success:
      return .finished
    case .broken(let error):
      // A conditional write that may have been applied ends here as unknown. If it were sent again,
      // its own first send would make the server refuse it, which looks the same as another
      // writer's success.
      guard mayRepeat(error) else { return .finished }
      return again(
        elapsed: elapsed, random: random(), retryAfter: nil,
        isReached: !error.isWithoutConnection || isServerKnown())
    case .refused(let failure):
      // The server refused before it did anything, so even a write may be sent again, and without a
      // wait, because the cause is corrected. Each kind of adjustment is tried once, so this ends.
      if let adjustment = adjustment(failure, isSkewed: isSkewed) {
        return elapsed < policy.deadline ? .again(after: .zero, adjustment: adjustment) : .finished
      }
      guard mayRepeat(failure) else { return .finished }
      return again(
        elapsed: elapsed, random: random(),
        retryAfter: failure.retryAfter.map { .seconds(min($0, 86_400)) })
    }
  }

  private func again(
    elapsed: Duration, random: Double, retryAfter: Duration?, isReached: Bool = true
  ) -> Next {
    policy.delay(
      afterAttempt: attempts, elapsed: elapsed, random: random, retryAfter: retryAfter,
      isReached: isReached
    ).map { .again(after: $0, adjustment: .nothing) } ?? .finished
  }

  /// Refusals in which the server says that it applied nothing, and what it wants instead.
  private mutating func adjustment(_ failure: S3Failure, isSkewed: Bool) -> Adjustment? {
    if isSkewed, !hasAdjustedClock,
      failure.status == 403 || failure.isClockRefusal || failure.findsUnsignedHeaders
    {
      hasAdjustedClock = true
      return .clock
    }
    if failure.isExpiredCredentials, !hasAdjustedCredentials {
      hasAdjustedCredentials = true
      return .credentials
    }
    // Only to a region that was not tried yet, so that two servers that refer to each other end
    // here.
    if failure.isElsewhere, let region = failure.region, regions.count <= Self.maximumHops,
      regions.insert(region).inserted
    {
      return .region(region)
    }
    if kind == .once,
      let proof = failure.namedProofs.first(where: { !proofs.contains($0) })
    {
      proofs.insert(proof)
      return .proof(proof)
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
    // Of the transient failures, only this one guarantees that nothing was applied. A 5xx may come
    // after the write was applied.
    case .once: failure.status == 429
    }
  }
}

extension HTTPError {
  /// True if no server was reached.
  var isWithoutConnection: Bool {
    switch code {
    case .couldNotResolve, .couldNotConnect, .proxyFailed: true
    case .timedOut: !mayHaveBeenApplied
    default: false
    }
  }
}

extension SendResult {
  /// True if the server can't have meant it as its last word: an outage, or a lost connection.
  var isTransientFailure: Bool {
    switch self {
    case .success: false
    case .refused(let failure): failure.isTransient
    case .broken(let error): error.code != .cancelled
    }
  }

  /// For people who wait: `HOST does not answer`.
  func words(_ host: String) -> String {
    if case .refused(let failure) = self {
      "\(host) answers \(failure.status)"
    } else {
      "\(host) does not answer"
    }
  }
}
