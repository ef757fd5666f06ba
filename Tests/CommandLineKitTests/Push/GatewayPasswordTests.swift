import HealthExports
import HealthLedger
import TestSupport
import Testing

@testable import CommandLineKit

/// The password that a command prints (R57).
@Suite(.process) struct GatewayPasswordTests {
  private func password(
    _ command: String, limit: Duration = .seconds(60)
  ) async throws -> GatewayCredentials? {
    let file = try ConfigurationFile(
      path: "/etc/health/config",
      text: "gateway_user = ann\ngateway_password_command = \(command)\n")
    let settings = try StoreSettings(GivenSettings(), file: file, environment: ["HOME": "/home"])
    return try await GatewayPassword(settings, limit: limit).credentials()
  }

  @Test func `R57: the first line that a command prints is the password`() async throws {
    let credentials = try await password("printf 'pä ss:w\\nmore\\n'")
    #expect(credentials == GatewayCredentials(user: "ann", password: "pä ss:w"))
  }

  @Test(arguments: [
    ("sleep 600", "did not end within 0 s"), ("exit 3", "ended with exit code 3"),
    ("kill $$", "was ended by signal 15"), ("true", "printed nothing"),
  ])
  func `R57: a command that gives none is named with the reason, also one that never ends`(
    command: String, reason: String
  ) async throws {
    let error = try await #require(throws: LedgerError.self) {
      try await password(command, limit: command.hasPrefix("sleep") ? .zero : .seconds(60))
    }
    #expect(
      error.message == "/etc/health/config: the command of the gateway's password \(reason)")
  }
}
