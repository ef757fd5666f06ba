import UIKit

/// Asks iOS to let the app run until something critical has ended.
@MainActor
enum KeepAlive {
  static func during(_ work: @escaping @Sendable () async -> Void) {
    let id = UIApplication.shared.beginBackgroundTask(expirationHandler: nil)
    Task {
      await work()
      UIApplication.shared.endBackgroundTask(id)
    }
  }
}
