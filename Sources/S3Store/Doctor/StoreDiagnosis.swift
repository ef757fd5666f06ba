package import ObjectStore

/// What an S3 store was found to allow, one finding after another, each failure with its remedy.
package struct StoreDiagnosis: Sendable {
  /// One question and its answer.
  package struct Finding: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
      case fine, warning, failed
      /// Not asked, because an earlier finding failed.
      case skipped
    }

    /// Such as `write`.
    package let name: String
    package let state: State
    /// What was found, as one clause; never a secret.
    package let detail: String
    /// What to do next, as one imperative clause.
    package let remedy: String?
    /// The kind of failure, where it failed.
    package var code: StoreError.Code?
  }

  /// Where each setting came from.
  package let settings: [SettingOrigin]
  /// In this order: credentials, reach, clock, write, clean up, conditional writes.
  package let findings: [Finding]
  /// How far the store's clock is ahead of this machine's, in seconds.
  package let clockOffset: Int?
  /// What the probe tried; nil where it could not begin.
  package let probe: ProbeReport?

  /// True where nothing failed; warnings may remain.
  package var isSound: Bool { findings.allSatisfy { $0.state != .failed && $0.state != .skipped } }
}

extension S3Store {
  /// Asks all that `doctor` wants to know, on a scratch prefix; what it wrote is removed again.
  ///
  /// - Throws: only `cancelled`; every other failure is a finding.
  package func diagnose(racing: Bool = true) async throws(StoreError) -> StoreDiagnosis {
    var findings: [StoreDiagnosis.Finding] = []
    var report: ProbeReport?
    findings.append(await credentialsFinding())
    findings.append(await reachFinding())
    let canGoOn = findings.allSatisfy { $0.state == .fine }
    if canGoOn {
      let found = try await probe(racing: racing)
      report = found
      findings.append(clockFinding())
      findings += found.findings
    } else {
      for name in ["clock", "write", "clean up", "conditional writes"] {
        findings.append(.init(name: name, state: .skipped, detail: "not asked", remedy: nil))
      }
    }
    if Task.isCancelled { throw StoreError(.cancelled, "the diagnosis was cancelled") }
    return StoreDiagnosis(
      settings: configuration.origins, findings: findings, clockOffset: client.clock.offset,
      probe: report)
  }

  private func credentialsFinding() async -> StoreDiagnosis.Finding {
    do {
      let resolved = try await client.credentials.credentials()
      return .init(
        name: "credentials", state: .fine,
        detail: "access key …\(resolved.signing.accessKeyID.suffix(4)) from \(resolved.source)",
        remedy: nil)
    } catch {
      return .init(
        name: "credentials", state: .failed, detail: error.message, remedy: error.remedy,
        code: .notAuthorized)
    }
  }

  private func reachFinding() async -> StoreDiagnosis.Finding {
    do {
      _ = try await list(ListRequest(prefix: configuration.prefix, limit: 1))
      return .init(
        name: "reach", state: .fine,
        detail: "bucket \(configuration.bucket) can be listed, \(client.location)", remedy: nil)
    } catch {
      let detail = error.message + (error.serverDetail.map { ": the server said \($0)" } ?? "")
      return .init(
        name: "reach", state: .failed, detail: detail, remedy: error.remedy, code: error.code)
    }
  }

  private func clockFinding() -> StoreDiagnosis.Finding {
    guard let offset = client.clock.offset else {
      return .init(
        name: "clock", state: .warning, detail: "the store does not tell its time", remedy: nil)
    }
    let isFar = abs(offset) > ServerClock.tolerance
    return .init(
      name: "clock", state: isFar ? .warning : .fine,
      detail: offset == 0
        ? "the store and this machine agree"
        : "the store's clock is \(abs(offset)) s "
          + "\(offset > 0 ? "ahead of" : "behind") this machine's",
      remedy: isFar ? "set the clock of this machine" : nil)
  }
}

extension ProbeReport {
  /// What the probe says about writing, removing, and conditions.
  fileprivate var findings: [StoreDiagnosis.Finding] {
    let isWritten = steps.first?.outcome == .passed
    var findings: [StoreDiagnosis.Finding] = []
    findings.append(
      .init(
        name: "write", state: isWritten ? .fine : .failed,
        detail: isWritten
          ? "a scratch object was written" + (isVersioned ? "; the bucket keeps versions" : "")
          : steps.first?.seen ?? "nothing was tried",
        remedy: isWritten ? nil : verdict.remedy, code: isWritten ? nil : verdict.failure))
    findings.append(
      .init(
        name: "clean up", state: leftBehind.isEmpty ? .fine : .warning,
        detail: leftBehind.isEmpty
          ? "scratch objects were removed" : "left behind: \(leftBehind.joined(separator: ", "))",
        remedy: leftBehind.isEmpty ? nil : "allow s3:DeleteObject, or remove them by hand"))
    let state: StoreDiagnosis.Finding.State
    switch verdict {
    case .compareAndSwap: state = .fine
    case .unknown: state = .failed
    case .createOnly, .refuses, .ignores, .racy: state = .warning
    }
    findings.append(
      .init(
        name: "conditional writes", state: state, detail: verdict.description,
        remedy: verdict.remedy, code: verdict.failure))
    return findings
  }
}

extension ProbeVerdict {
  /// Why there is no verdict.
  fileprivate var failure: StoreError.Code? {
    if case .unknown(let error) = self { error.code } else { nil }
  }
}
