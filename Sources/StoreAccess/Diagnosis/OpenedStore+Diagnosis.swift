package import S3Store

extension OpenedStore {
  /// Looks whether the store does what the ledger needs; writes and removes scratch objects.
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

  /// What the settings of a bucket are, and where each came from; none for a folder.
  package var origins: [SettingOrigin] {
    guard case .s3(let bucket, _) = backing else { return [] }
    return bucket.configuration.origins + [Self.proxySetting(bucket)]
  }

  /// Which proxy of the environment is used; never with the user and password that it may name.
  private static func proxySetting(_ bucket: S3Store) -> SettingOrigin {
    let host = bucket.configuration.effectiveEndpoint.host
    guard let proxy = bucket.proxy else {
      return SettingOrigin("proxy", value: "none", origin: "environment, for \(host)")
    }
    return SettingOrigin(
      "proxy", value: proxy.address ?? "(unreadable, not shown)", origin: proxy.variable)
  }
}
