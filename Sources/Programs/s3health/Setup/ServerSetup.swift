import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import Outbox

extension InitCommand {
  /// `init --server`: verifies a server that takes batches, and keeps its address and token (R46).
  func verify(server: String) async throws(LedgerError) -> ExitCode {
    var options = GivenSettings()
    options.take(.config, config)
    options.take(.caBundle, bucket.caBundle)
    options.take(.allowPlaintext, allowPlaintext ? "true" : nil)
    let settings = try Settings(options, environment: ProcessInfo.processInfo.environment).store
    let access = ServerAccess(settings)
    let endpoint = try access.endpoint(server)
    let secret =
      if let given = settings[.deviceToken] { given.value } else {
        try Prompt.line(
          "Device token: ", for: "the device token",
          remedy: "give it on a line of stdin, or in S3HEALTH_DEVICE_TOKEN", isSecret: true)
      }
    guard let token = DeviceToken(secret) else {
      throw LedgerError(
        .invalidArguments, "the device token is empty, or has blanks or unusual characters",
        remedy: "copy it again, without quotes and blanks")
    }
    let verified: VerifiedServer
    do throws(StoreError) {
      verified = try await VerifiedServer(
        verifying: endpoint, token: token, transport: access.transport(), timeout: .seconds(30),
        now: LedgerEnvironment.system.now())
    } catch {
      throw LedgerError(ofServer: error)
    }
    try access.save(verified)
    switch output.output {
    case .json:
      try StandardStreams.write(
        .object([
          "endpoint": .string(endpoint.url), "file": .string(access.path),
          "verified_at": .string("\(verified.verifiedAt)"),
        ]))
    case .text:
      try StandardStreams.writeLine(
        "verified \(endpoint.url.printable)\nkept its address and token in "
          + "\(access.path.printable)\nnext: s3health raw sync --server \(endpoint.url.printable)")
    }
    return .success
  }
}
