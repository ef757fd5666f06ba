package import S3Store

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
