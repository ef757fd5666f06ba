import Foundation
package import HealthModel
import HealthStreams

/// Where an outbox lies and what it needs from its surroundings.
package struct OutboxFile: Sendable {
  /// The database file. Its folder is created for the owner alone.
  package let path: String
  /// The device that new entries come from: a UUID in lower case.
  package let deviceID: String
  /// The version of the program that seals batches.
  package let appVersion: String
  /// This machine's clock.
  package var now: @Sendable () -> Timestamp
  /// The bytes that are free for this user on the file system of a path; nil if unknown.
  package var freeSpace: @Sendable (_ path: String) -> Int?

  /// An outbox that entries of a device are added to.
  ///
  /// - Throws: `invalid`, so that nothing is queued that no receiver accepts.
  package init(path: String, deviceID: String, appVersion: String) throws(OutboxError) {
    do throws(RequestFault) {
      self.init(
        path: path, addingAs: try BatchMember.deviceID(deviceID),
        appVersion: try BatchMember.appVersion(appVersion))
    } catch {
      throw OutboxError(.invalid, path: path, error.message)
    }
  }

  /// An outbox that no entries are added to.
  package init(path: String, appVersion: String) {
    self.init(path: path, addingAs: "", appVersion: appVersion)
  }

  private init(path: String, addingAs deviceID: String, appVersion: String) {
    (self.path, self.deviceID, self.appVersion) = (path, deviceID, appVersion)
    now = { Timestamp(secondsSince1970: Int(time(nil))) }
    freeSpace = { path in
      var status = statvfs()
      guard statvfs(path, &status) == 0 else { return nil }
      return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
  }
}
