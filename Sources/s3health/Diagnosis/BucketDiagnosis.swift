import HealthLedger
import ObjectStore
import S3Store

/// A bucket's diagnosis as `doctor` prints it.
enum BucketDiagnosis {
  static func checks(_ store: S3Store) async throws(LedgerError) -> [DoctorCheck] {
    let diagnosis: StoreDiagnosis
    do {
      diagnosis = try await store.diagnose()
    } catch {
      throw LedgerError(error)
    }
    return diagnosis.findings.map { finding in
      DoctorCheck(
        name: finding.name, outcome: outcome(finding.state), detail: finding.detail,
        remedy: finding.remedy, code: finding.state == .failed ? code(finding.code) : nil,
        steps: finding.name == "conditional writes" ? steps(diagnosis.probe) : [])
    }
  }

  private static func outcome(_ state: StoreDiagnosis.Finding.State) -> DoctorCheck.Outcome {
    switch state {
    case .fine: .ok
    case .warning: .warning
    case .failed: .failed
    case .skipped: .skipped
    }
  }

  private static func code(_ code: StoreError.Code?) -> LedgerError.Code {
    LedgerError(StoreError(code ?? .unavailable, "")).code
  }

  private static func steps(_ report: ProbeReport?) -> [String] {
    (report?.steps ?? []).map { step in
      let mark = step.outcome == .passed ? "ok" : step.outcome.rawValue
      return "\(mark): \(step.name): \(step.seen)"
    }
  }
}
