package import CurlTransport

extension CurlTransport {
  /// Connections to servers other than the store, with the authorities that the settings name.
  package convenience init(_ settings: StoreSettings) {
    var http = CurlTransport.Configuration()
    (http.caBundle, http.userAgent) = (settings.caBundle, Program.userAgent)
    self.init(http)
  }
}
