import Foundation

/// Why a proxy could not be started.
package struct FaultProxyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One clause, without a secret.
  package let description: String

  init(_ description: String) { self.description = description }

  init(system what: String) {
    description = "\(what): \(String(cString: strerror(errno)))"
  }
}
