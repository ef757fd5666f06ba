import ArgumentParser
import CommandLineKit
import CurlTransport
import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import Outbox

/// The verified server of this user: where its file is, and how it is reached.
///
/// `raw sync --server URL` gets its receiver here, which refuses a server that was never verified (R46).
struct ServerAccess {
  private let folder: String
  private let settings: StoreSettings
  private let allowsPlaintext: Bool

  init(_ settings: StoreSettings) {
    folder = settings.directories.data
    self.settings = settings
    allowsPlaintext = settings.s3Settings.allowsPlaintext
  }

  /// The file, which may not exist.
  var path: String { folder + "/" + VerifiedServer.fileName }

  /// Connections to the server, with the authorities that the settings name.
  func transport() -> CurlTransport { CurlTransport(settings) }

  /// A server's address.
  func endpoint(_ url: String) throws(LedgerError) -> IngestEndpoint {
    do {
      return try IngestEndpoint(url, allowsPlaintext: allowsPlaintext)
    } catch {
      throw LedgerError(ofServer: error)
    }
  }

  /// Receives batches on the server at a URL.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if it was never verified, with the remedy.
  func receiver(_ url: String, timeout: Duration) throws(LedgerError) -> IngestReceiver {
    let endpoint = try endpoint(url)
    guard let server = try load(), server.endpoint == endpoint else {
      throw LedgerError(
        .invalidArguments, "the server \(endpoint.url.printable) was never verified",
        remedy: "verify it first: s3health init --server \(endpoint.url.printable)")
    }
    return IngestReceiver(
      endpoint, token: server.token, transport: transport(), timeout: timeout)
  }

  /// The saved server; nil if there is none.
  func load() throws(LedgerError) -> VerifiedServer? {
    let bytes: [UInt8]
    switch PrivateFile.contents(of: path, maximumBytes: VerifiedServer.maximumBytes) {
    case .none: return nil
    case .bytes(let found): bytes = found
    case .unusable:
      throw LedgerError(
        .storageUnavailable, "the server's address and token can't be read", key: path,
        remedy: "give this user read permission for the file")
    }
    guard let server = VerifiedServer(parsing: bytes) else {
      throw LedgerError(
        .invalidArguments, "the file of the server's address and token is damaged", key: path,
        remedy: "run s3health init --server URL again")
    }
    return server
  }

  /// Replaces the saved server. Only its owner can read the file.
  func save(_ server: VerifiedServer) throws(LedgerError) {
    try PrivateFile.makeFolder(folder)
    try PrivateFile(path, for: "the server's address and token").replace(with: server.document)
  }
}

extension LedgerError {
  /// A server's failure as an error of a command.
  init(ofServer error: StoreError) {
    self.init(error)
    message = message.printable
    if error.remedy == .trustAuthority {
      remedy = "name the authority that signed the server's certificate with --ca-bundle FILE"
    }
  }
}

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
    try Verified(endpoint: endpoint.url, file: access.path, verifiedAt: verified.verifiedAt)
      .print(output.output)
    return .success
  }

  private struct Verified: CommandResult, Encodable {
    let endpoint, file: String
    let verifiedAt: Timestamp

    func lines(_ terminal: Terminal) -> [String] {
      [
        "verified \(endpoint.printable)", "kept its address and token in \(file.printable)",
        "next: s3health raw sync --server \(endpoint.printable)",
      ]
    }
  }
}
