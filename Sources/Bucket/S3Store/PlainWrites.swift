import ObjectStore

/// Writes to a bucket that takes them only without a condition (R28), such as Backblaze B2's.
///
/// They are as safe as on a store that ignores conditions: for names that nobody else uses, such as
/// those of revisions, which have random digits there. Whoever needs more asks `conditionalWrites`
/// first. A store that has once promised its conditions in this process never writes without them.
extension S3Store {
  /// Creates an object under `If-None-Match: *`, or without it where the bucket does not take it.
  func create(_ key: ObjectKey, _ body: [UInt8]) async throws(StoreError) -> PutOutcome {
    if mayWritePlainly { return try await createPlainly(key, body) }
    let answer = try await write(key, body, condition: ("if-none-match", "*"))
    guard answer.isNotTaken, !hasPromised, try await refusesConditions() else {
      return try outcome(answer)
    }
    return try await createPlainly(key, body)
  }

  /// Whether the bucket was found to take writes only without a condition.
  private func refusesConditions() async throws(StoreError) -> Bool {
    if knownVerdict == .lags { return true }
    if options.assumedVerdict == nil, knownVerdict?.error == nil { forgetVerdict() }
    switch try await verdict() {
    case .refuses: return true
    // The probe is not allowed, or can't see what it does, so what the write itself was told is all that can
    // be known.
    case .denied, .lags: return true
    default: return false
    }
  }

  private var mayWritePlainly: Bool {
    !hasPromised && (options.assumedVerdict ?? rememberedVerdict()) == .refuses
  }

  /// Reads first, so that only a writer of the same moment could be overwritten, who would need the
  /// same random digits.
  private func createPlainly(
    _ key: ObjectKey, _ body: [UInt8]
  ) async throws(StoreError) -> PutOutcome {
    do {
      if try await client.read(key.rawValue, limit: 0) != nil { return .preconditionFailed }
    } catch {
      guard error.code == .tooLarge else { throw error }
      return .preconditionFailed
    }
    return try outcome(try await write(key, body, condition: nil))
  }
}
