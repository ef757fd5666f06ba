import AWSCredentials
import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import S3Store

/// The checks of a bucket, ordered so that each is useful only if the earlier ones passed.
struct BucketDiagnosis {
  let store: S3Store
  let credentials: DefaultCredentials
  let layout: LedgerLayout

  private static let names = ["credentials", "reachable", "clock", "conditional writes", "listing"]

  var checks: [DiagnosticCheck] {
    get async {
      var checks: [DiagnosticCheck] = []
      for (name, check) in zip(
        Self.names, [checkCredentials, checkReach, checkClock, checkWrites, checkPages])
      {
        let isBlocked = checks.contains { $0.outcome == .failed }
        checks.append(isBlocked ? .skipped(name) : await check(name))
      }
      guard !checks.contains(where: { $0.outcome == .failed }), let warning = await checkPrivacy()
      else {
        return checks
      }
      return checks + [warning]
    }
  }

  /// A warning if the bucket is open to anyone; nil if it requires a key. Also on this machine's own address:
  /// the same server may be reached by others.
  private func checkPrivacy() async -> DiagnosticCheck? {
    let prefix = layout.dataPrefix
    let page = try? await store.list(ListRequest(prefix: prefix, limit: 1))
    return Self.privacy(await store.publicAccess(below: prefix, page?.entries.first?.key))
  }

  static func privacy(_ allowed: [PublicAccess]) -> DiagnosticCheck? {
    guard !allowed.isEmpty else { return nil }
    let words = allowed.map { $0.rawValue }.joined(separator: ", ")
    return .warning(
      "privacy", "anyone can \(words) here without a key",
      remedy: "remove the public policy or ACL of the bucket, so that it needs a key")
  }

  private func checkCredentials(_ name: String) async -> DiagnosticCheck {
    do throws(StoreError) {
      let resolved = try await credentials.credentials()
      return .ok(
        name, "access key …\(resolved.signing.accessKeyID.suffix(4)) from \(resolved.source)")
    } catch {
      return .failed(
        name, LedgerError(.notAuthorized, error.message, remedy: error.remedy.map { .store($0) }))
    }
  }

  private func checkReach(_ name: String) async -> DiagnosticCheck {
    do throws(StoreError) {
      let clock = ContinuousClock()
      let begin = clock.now
      // What every publish lists. Whether there is more is a question of its own (`checkPages`).
      _ = try await store.list(ListRequest(prefix: layout.dayPrefix(today)))
      let milliseconds = (clock.now - begin) / .milliseconds(1)
      return .ok(name, "the bucket was listed in \(Int(milliseconds.rounded())) ms")
    } catch {
      return .failed(name, LedgerError(error))
    }
  }

  private func checkClock(_ name: String) async -> DiagnosticCheck {
    guard let offset = await store.clockOffset() else {
      return .warning(
        name, "the server does not report its time",
        remedy: "synchronise this machine's clock with NTP")
    }
    switch offset {
    case 0: return .ok(name, "this machine and the server agree")
    case -2...2: return .ok(name, "the server is \(Self.text(offset)) this machine")
    default:
      return .warning(
        name, "the server is \(Self.text(offset)) this machine",
        remedy: "synchronise this machine's clock with NTP; until then the server's time is used")
    }
  }

  private func checkWrites(_ name: String) async -> DiagnosticCheck {
    let report = await store.probe(racing: true)
    // The error itself stands in the check already.
    let told = report.verdict.error?.description
    let steps = report.steps.filter { $0.seen != told }.map { step in
      let mark = step.outcome == .passed ? "ok" : step.outcome.rawValue
      return "\(mark): \(step.name): \(step.seen)"
    }
    let remedy = report.verdict.remedy.map { LedgerError.Remedy.store($0) }
    if case .unknown(let error) = report.verdict {
      return .failed(name, LedgerError(error), steps: steps)
    }
    // What may be done where the probe is, and what among the days, are two questions.
    do throws(StoreError) {
      if let problem = try await store.checkPublishing(below: layout.checkPrefix) {
        let error = LedgerError(problem)
        return .warning(
          name, "days can be published, but not read or published again: \(error.message)",
          remedy: error.remedy, steps: steps)
      }
    } catch {
      return .failed(name, LedgerError(error), steps: steps)
    }
    if case .denied(let denial) = report.verdict {
      return .warning(name, "\(report.verdict): \(denial)", remedy: remedy, steps: steps)
    }
    guard case .compareAndSwap = report.verdict else {
      return .warning(name, report.verdict.description, remedy: remedy, steps: steps)
    }
    guard report.left.isEmpty else {
      return .warning(
        name, "\(report.verdict); but what the probe wrote could not be removed",
        remedy: """
          let these credentials delete what is below \(layout.probePrefix)/ \
          (s3:DeleteObject); until then each probe leaves its objects there
          """, steps: steps)
    }
    return .ok(name, report.verdict.description, steps: steps)
  }

  /// A listing of more than 1,000 objects has pages. One that can't be read so fails long after the
  /// store was chosen.
  private func checkPages(_ name: String) async -> DiagnosticCheck {
    switch store.knownVerdict {
    case .lags: return .skipped(name, "not checked, because reads are not consistent")
    case .denied: return .skipped(name, "not checked, because the probe is not allowed")
    default: break
    }
    do throws(StoreError) {
      guard let problem = try await store.problemWithPages() else {
        return .ok(name, "a listing can be read page by page")
      }
      return .warning(
        name, "\(problem.description); with more than 1,000 objects, reading the store will fail",
        remedy: "use a newer release of the server's software, or another store, before that")
    } catch {
      // The probe has written, so this will pass. A publish does not need it.
      return .skipped(name, "not checked: \(error.description)")
    }
  }

  private var today: CalendarDate {
    Timestamp(secondsSince1970: Int(Date().timeIntervalSince1970)).utcDate
  }

  private static func text(_ offset: Int) -> String {
    "\(abs(offset)) s \(offset > 0 ? "ahead of" : "behind")"
  }
}
