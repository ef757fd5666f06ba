package import CurlTransport

extension CurlTransport {
  /// Connections to servers other than the store, with the authorities that the settings name.
  package convenience init(_ settings: StoreSettings) {
    var http = CurlTransport.Configuration()
    http.caBundle =
      settings.s3Settings.caBundle
      ?? StoreSettings.variable("AWS_CA_BUNDLE", settings.environment)
    http.userAgent = "\(Program.name)/\(Program.version)"
    self.init(http)
  }
}
