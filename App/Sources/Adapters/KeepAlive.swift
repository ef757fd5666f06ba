import UIKit

/// Asks iOS to let the app run until something critical has ended.
@MainActor
enum KeepAlive {
  static func begin(
    _ expired: @escaping @Sendable () -> Void
  ) async -> @Sendable () async -> Void {
    let id = UIApplication.shared.beginBackgroundTask(expirationHandler: { expired() })
    return { await UIApplication.shared.endBackgroundTask(id) }
  }
}
