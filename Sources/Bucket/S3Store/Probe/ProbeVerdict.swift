package import ObjectStore

/// What a bucket's conditional writes guarantee, according to a probe.
package enum ProbeVerdict: Hashable, Sendable {
  /// Both preconditions work, with this spelling of `If-Match`.
  case compareAndSwap(ETagSpelling)
  /// `If-None-Match: *` works. `If-Match` does not, or not always.
  case createOnly
  /// The store takes writes only without a condition.
  case refuses
  /// The store accepts the condition but ignores it.
  case ignores
  /// Reads or listings do not show what was just written, so nothing is known of the conditions.
  case lags
  /// The conditions work for single writes, but not between concurrent writers.
  case racy
  /// These credentials may not write, read or list where the probe does, so nothing was observed.
  case denied(StoreError)
  /// The conditions work for single writes, but its writers could not be made to meet, so nothing is
  /// known of concurrent ones. The probe must be repeated.
  case unmet
  /// The same, because writers at the same time were all refused for being in each other's way.
  case crowded
  /// An answer was missing or too unclear. The probe must be repeated.
  case unknown(StoreError)

  /// What it guarantees to writers.
  package var guarantee: ConditionalWrites {
    switch self {
    case .compareAndSwap: .compareAndSwap
    case .createOnly: .createOnly
    case .refuses, .ignores, .lags, .racy, .denied, .unmet, .crowded, .unknown: .unsafe
    }
  }

  /// The error that prevented an observation.
  package var error: StoreError? {
    switch self {
    case .denied(let error), .unknown(let error): error
    case .unmet:
      StoreError(
        .unavailable,
        "the probe could not make requests meet, so nothing is known of writers at the same time",
        remedy: remedy, isRetryable: true)
    case .crowded:
      StoreError(
        .unavailable,
        "the store refused all writers at the same time (409), so nothing is known of its conditions",
        remedy: remedy, isRetryable: true)
    default: nil
    }
  }

  /// True if the store refused what it should have done. Otherwise it was seen to do what it should
  /// have refused, or to do all right.
  var restsOnRefusal: Bool { self == .refuses || self == .createOnly }

  /// What to do about it; nil if nothing is needed.
  package var remedy: StoreError.Remedy? {
    switch self {
    case .compareAndSwap: nil
    case .createOnly:
      """
      keep going: days are read by listing, without latest.json; for the pointer use a store with \
      a full If-Match, such as MinIO RELEASE.2025-09-07 or later
      """
    case .refuses:
      """
      keep going: days are read by listing, without latest.json, and each write costs a read before \
      it; but raw data (streams) and s3healthd need a store that takes If-None-Match on PUT
      """
    case .lags:
      """
      reach the store without the cache or proxy that answers for it, or use another store; until \
      then days are read by listing, without latest.json, and what was written just now may be \
      missing from answers
      """
    case .ignores:
      """
      use an unversioned bucket if this one is versioned and on RADOS gateway, else a newer \
      release or another store; until then days are read by listing, without latest.json
      """
    case .racy:
      """
      use a newer release or another store; until then days are read by listing, without \
      latest.json
      """
    case .denied(let error):
      """
      allow s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket below \
      \(error.key.flatMap(PolicyArea.folder) ?? "health/v0/.probe/") as well; until then days are \
      read by listing, without latest.json
      """
    case .unmet:
      """
      let the server, and any proxy before it, take at least four connections at once; until then \
      days are read by listing, without latest.json
      """
    case .crowded:
      """
      check again later, or when nobody else writes; until then days are read by listing, without \
      latest.json
      """
    case .unknown(let error): error.remedy ?? .retry
    }
  }
}

extension ProbeVerdict: CustomStringConvertible {
  package var description: String {
    switch self {
    case .compareAndSwap(.quoted): "compare-and-swap"
    case .compareAndSwap(.bare): "compare-and-swap (etag without quotes)"
    case .createOnly: "create only"
    case .refuses: "takes writes only without conditions"
    case .ignores: "ignores conditions"
    case .lags: "reads are not consistent: they do not show what was just written"
    case .racy: "conditions fail between concurrent writers"
    case .denied: "not observed, because the probe is not allowed"
    case .unmet: "not known, because requests could not be made to meet"
    case .crowded: "not known, because writers at the same time were all refused"
    case .unknown: "not known"
    }
  }
}

/// One step of a probe.
package struct ProbeStep: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
    case passed, failed, unclear
  }

  /// The step's name, such as `create an object twice`.
  package let name: String
  /// What a store with compare-and-swap does.
  package let expected: String
  /// What this store did.
  package let seen: String
  package let outcome: Outcome
}

/// What a probe tried, what it observed, and its verdict.
package struct ProbeReport: Hashable, Sendable {
  package internal(set) var steps: [ProbeStep]
  package let verdict: ProbeVerdict
  /// True if the bucket keeps versions.
  package let isVersioned: Bool
  /// True if concurrent writers were tried as well.
  package let isRaced: Bool
  /// True if it keeps the SHA-256 of what is written, and answers with it.
  var keepsChecksums = false
  /// The folders, without a final slash, in which the probe could not remove its own scratch objects.
  package internal(set) var left: [String] = []
}
