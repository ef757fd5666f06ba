package import HealthLedger

/// One check of a diagnosis.
package struct DiagnosticCheck: Sendable {
  package enum Outcome: String, Sendable {
    case ok
    /// It works, but not as well as it could.
    case warning
    case failed
    /// Not checked, because an earlier check failed.
    case skipped
  }

  package let name: String
  package let outcome: Outcome
  package let detail: String
  package var remedy: LedgerError.Remedy?
  package var code: LedgerError.Code?
  /// The single steps of the check, if they help.
  package var steps: [String] = []

  package static func ok(_ name: String, _ detail: String, steps: [String] = []) -> DiagnosticCheck
  {
    DiagnosticCheck(name: name, outcome: .ok, detail: detail, steps: steps)
  }

  package static func warning(
    _ name: String, _ detail: String, remedy: LedgerError.Remedy?, steps: [String] = []
  ) -> DiagnosticCheck {
    DiagnosticCheck(name: name, outcome: .warning, detail: detail, remedy: remedy, steps: steps)
  }

  package static func failed(
    _ name: String, _ error: LedgerError, steps: [String] = []
  ) -> DiagnosticCheck {
    DiagnosticCheck(
      name: name, outcome: .failed, detail: error.message, remedy: error.remedy, code: error.code,
      steps: steps)
  }

  package static func skipped(_ name: String) -> DiagnosticCheck {
    DiagnosticCheck(
      name: name, outcome: .skipped, detail: "not checked because of the failure above")
  }
}
