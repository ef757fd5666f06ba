package import ObjectStore

/// What a probe found a bucket's conditional writes to be worth.
package enum ProbeVerdict: Hashable, Sendable {
  /// Both preconditions hold; `If-Match` in this spelling.
  case compareAndSwap(ETagSpelling)
  /// `If-None-Match: *` holds; `If-Match` does not, or not in every case.
  case createOnly
  /// The store refuses conditional writes outright.
  case refuses
  /// The store accepts the condition and writes whatever it says.
  case ignores
  /// The conditions hold one after another, and not between writers at the same time.
  case racy
  /// These credentials may not write, read or list where the probe does, so nothing was observed.
  case denied(StoreError)
  /// An answer was missing or too poor to tell; to be asked again.
  case unknown(StoreError)

  /// What it promises to writers.
  package var guarantee: ConditionalWrites {
    switch self {
    case .compareAndSwap: .compareAndSwap
    case .createOnly: .createOnly
    case .refuses, .ignores, .racy, .denied, .unknown: .unsafe
    }
  }

  /// What kept the probe from observing anything.
  package var error: StoreError? {
    switch self {
    case .denied(let error), .unknown(let error): error
    default: nil
    }
  }

  /// What to do about it; nil where all is well.
  package var remedy: StoreError.Remedy? {
    switch self {
    case .compareAndSwap: nil
    case .createOnly:
      """
      keep going: days are read by listing, without latest.json; for the pointer use a store with \
      a full If-Match, such as MinIO RELEASE.2025-09-07 or later
      """
    case .refuses:
      "use a store, or a newer release of this one, that takes If-None-Match and If-Match on PUT"
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
    case .denied:
      """
      allow s3:PutObject, s3:GetObject and s3:ListBucket below health/v0/.probe/ as well; until \
      then days are read by listing, without latest.json
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
    case .refuses: "refuses conditional writes"
    case .ignores: "ignores conditions"
    case .racy: "conditions fail between concurrent writers"
    case .denied: "not observed, because the probe is not allowed"
    case .unknown: "not known"
    }
  }
}

/// One thing that a probe tried.
package struct ProbeStep: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
    case passed, failed, unclear
  }

  /// Such as `create an object twice`.
  package let name: String
  /// What a store with compare-and-swap does.
  package let expected: String
  /// What this one did.
  package let seen: String
  package let outcome: Outcome
}

/// What a probe tried, what it saw, and what follows.
package struct ProbeReport: Hashable, Sendable {
  package internal(set) var steps: [ProbeStep]
  package let verdict: ProbeVerdict
  /// True where the bucket keeps versions.
  package let isVersioned: Bool
  /// True where writers at the same time were tried as well.
  package let isRaced: Bool
  /// False where the probe's own scratch objects could not be removed.
  var hasCleanedUp = true
}
