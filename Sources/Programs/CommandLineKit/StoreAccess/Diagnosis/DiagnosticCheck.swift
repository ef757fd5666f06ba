package import HealthLedger
package import S3Store

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

  /// Something that failed earlier: the command that shows it has not failed itself.
  package static func failing(
    _ name: String, _ detail: String, remedy: LedgerError.Remedy
  ) -> DiagnosticCheck {
    DiagnosticCheck(name: name, outcome: .failed, detail: detail, remedy: remedy)
  }

  package static func skipped(
    _ name: String, _ detail: String = "not checked because of the failure above"
  ) -> DiagnosticCheck {
    DiagnosticCheck(name: name, outcome: .skipped, detail: detail)
  }
}

extension OpenedStore {
  /// Checks whether the store does what the ledger needs. Writes scratch objects and removes them.
  package var checks: [DiagnosticCheck] {
    get async {
      switch backing {
      case .directory(let store, let path):
        await DirectoryDiagnosis(store: store, path: path, layout: ledger.layout).checks
      case .s3(let store, let credentials):
        await BucketDiagnosis(
          store: store, credentials: credentials, layout: ledger.layout
        ).checks
      }
    }
  }

  /// The settings of a bucket with their origins; empty for a folder.
  package var origins: [SettingOrigin] {
    guard case .s3(let bucket, _) = backing else { return [] }
    return bucket.configuration.origins + [Self.proxySetting(bucket)]
  }

  /// The proxy from the environment, without the user and password that it may contain.
  private static func proxySetting(_ bucket: S3Store) -> SettingOrigin {
    let host = bucket.configuration.effectiveEndpoint.host
    guard let proxy = bucket.proxy else {
      return SettingOrigin("proxy", value: "none", origin: "environment, for \(host)")
    }
    return SettingOrigin(
      "proxy", value: proxy.address ?? "(unreadable, not shown)", origin: proxy.variable)
  }
}
