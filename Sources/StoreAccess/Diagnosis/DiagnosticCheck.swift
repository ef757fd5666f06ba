import HealthLedger

/// One thing that `doctor` looked at.
struct DoctorCheck {
  enum Outcome: String {
    case ok
    /// It works, but less well than it could.
    case warning
    case failed
    /// An earlier failure made it pointless.
    case skipped
  }

  let name: String
  let outcome: Outcome
  let detail: String
  var remedy: String?
  var code: LedgerError.Code?
  /// What was tried, step by step, where that helps.
  var steps: [String] = []

  static func ok(_ name: String, _ detail: String, steps: [String] = []) -> DoctorCheck {
    DoctorCheck(name: name, outcome: .ok, detail: detail, steps: steps)
  }

  static func warning(
    _ name: String, _ detail: String, remedy: String?, steps: [String] = []
  ) -> DoctorCheck {
    DoctorCheck(name: name, outcome: .warning, detail: detail, remedy: remedy, steps: steps)
  }

  static func failed(
    _ name: String, _ error: LedgerError, steps: [String] = []
  ) -> DoctorCheck {
    DoctorCheck(
      name: name, outcome: .failed, detail: error.message, remedy: error.remedy, code: error.code,
      steps: steps)
  }

  static func skipped(_ name: String) -> DoctorCheck {
    DoctorCheck(name: name, outcome: .skipped, detail: "not tried after the failure above")
  }
}
