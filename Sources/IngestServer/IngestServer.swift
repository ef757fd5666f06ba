internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging

/// The server that phones post to.
package struct IngestServer: Sendable {
  private let host: String
  private let port: Int

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  package func run() async throws {
    let router = Router()
    router.get("healthz") { _, _ in "ok\n" }
    let application = Application(
      router: router, configuration: .init(address: .hostname(host, port: port)))
    try await application.runService()
  }
}
