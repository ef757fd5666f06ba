import Foundation
internal import NIOSSL
import Synchronization

/// The files of a certificate and its key, in PEM.
package struct TLSFiles: Hashable, Sendable {
  package let certificate: String
  package let key: String

  package init(certificate: String, key: String) {
    (self.certificate, self.key) = (certificate, key)
  }
}

/// The certificate that a server shows, and its key, which may be read again while it runs (R54).
final class ServedCertificate: Sendable {
  private let files: TLSFiles
  private let current: Mutex<NIOSSLContextConfigurationOverride>
  private let first: TLSConfiguration

  /// - Throws: `HubServerError` if the files can't be used.
  init(_ files: TLSFiles) throws(HubServerError) {
    self.files = files
    first = try Self.read(files)
    current = Mutex(.noChanges)
  }

  /// What connections begin with: each asks for the certificate of its moment.
  var configuration: TLSConfiguration {
    var configuration = first
    configuration.sslContextCallback = { [self] _, promise in
      promise.succeed(current.withLock { $0 })
    }
    return configuration
  }

  /// Reads the files again, for connections from now on.
  ///
  /// - Throws: `HubServerError`. Then the old ones stay.
  func reload() throws(HubServerError) {
    let read = try Self.read(files)
    var changes = NIOSSLContextConfigurationOverride()
    changes.certificateChain = read.certificateChain
    changes.privateKey = read.privateKey
    current.withLock { $0 = changes }
  }

  private static func read(
    _ files: TLSFiles
  ) throws(HubServerError) -> TLSConfiguration {
    var status = stat()
    if stat(files.key, &status) == 0, status.st_mode & 0o077 != 0 {
      throw HubServerError(
        .invalidCertificate,
        "the key \(files.key) is accessible to other users than its owner (mode 0600 is "
          + "needed)")
    }
    var configuration: TLSConfiguration
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
      let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
      configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    } catch {
      throw HubServerError(
        .invalidCertificate,
        "the certificate \(files.certificate) or its key \(files.key) can't be used: \(error)")
    }
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    do {
      _ = try NIOSSLContext(configuration: configuration)
    } catch {
      throw HubServerError(
        .invalidCertificate,
        "the key \(files.key) does not belong to the certificate \(files.certificate)")
    }
    return configuration
  }
}
