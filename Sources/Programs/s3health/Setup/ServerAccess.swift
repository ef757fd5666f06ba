import CommandLineKit
import CurlTransport
import Foundation
import HealthLedger
import Outbox

/// The verified server of this user: where its file is, and how it is reached.
///
/// `sync --to URL` gets its receiver here, which refuses a server that was never verified (R46).
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
    do throws(IngestError) {
      return try IngestEndpoint(url, allowsPlaintext: allowsPlaintext)
    } catch {
      throw LedgerError(error)
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
        remedy: "verify it first: s3health setup --to \(endpoint.url.printable)")
    }
    return IngestReceiver(
      endpoint, token: server.token, transport: transport(), timeout: timeout)
  }

  /// The saved server; nil if there is none.
  func load() throws(LedgerError) -> VerifiedServer? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= VerifiedServer.maximumBytes {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { break }
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { throw unreadable }
    }
    do throws(IngestError) {
      return try VerifiedServer(parsing: bytes)
    } catch {
      var error = LedgerError(error)
      error.key = path
      throw error
    }
  }

  /// Replaces the saved server. Only its owner can read the file.
  func save(_ server: VerifiedServer) throws(LedgerError) {
    try PrivateFile.makeFolder(folder)
    try PrivateFile(path, for: "the server's address and token").replace(with: server.document)
  }

  private var unreadable: LedgerError {
    LedgerError(
      .storageUnavailable,
      "the server's address and token can't be read: \(String(cString: strerror(errno)))",
      key: path, remedy: "give this user read permission for the file")
  }
}

extension LedgerError {
  /// A server's failure as an error of a command.
  init(_ error: IngestError) {
    let code: Code =
      switch error.code {
      case .invalidEndpoint, .invalidToken, .damaged: .invalidArguments
      case .unauthorized: .notAuthorized
      case .unreachable, .notAServer: .storageUnavailable
      }
    let remedy: Remedy =
      switch error.remedy {
      case .correctURL: "use a URL such as https://host/api/ingest"
      case .encryptTransport: "use https, or --allow-plaintext on a network that you trust"
      case .checkToken: "check the device token"
      case .checkServer: "check the address, and that the server runs and serves /api/ingest"
      case .trustAuthority:
        "name the authority that signed the server's certificate with --ca-bundle FILE"
      case .verifyAgain: "run s3health setup again"
      }
    self.init(code, error.message.printable, remedy: remedy)
  }
}
