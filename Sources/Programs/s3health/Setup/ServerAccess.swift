import CommandLineKit
import CurlTransport
import Foundation
import HealthLedger
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

  private var unreadable: LedgerError {
    LedgerError(
      .storageUnavailable,
      "the server's address and token can't be read: \(String(cString: strerror(errno)))",
      key: path, remedy: "give this user read permission for the file")
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
