import Foundation
package import HealthLedger
import ObjectStore

extension ConfigurationEdit {
  /// The first line of a new configuration file.
  package static let usualHeading =
    "# Settings of s3health: name = value. `s3health doctor` shows them.\n"

  /// Writes the file. Returns false if it already has these settings.
  @discardableResult
  package func write() throws(LedgerError) -> Bool {
    guard !changes.isEmpty else { return false }
    let folder = file.folder
    do throws(SystemFailure) {
      try PrivateFolder.create(folder)
    } catch {
      throw LedgerError(
        .storageUnavailable, "the folder \(folder) can't be created: \(error.reason)",
        remedy: "create it, or use a file elsewhere with --config")
    }
    do throws(LedgerError) {
      try PrivateFile(file.path, for: "the configuration file")
        .replace(with: Array(file.text.utf8))
    } catch {
      throw LedgerError(
        error.code, error.message,
        remedy:
          "give this user write permission for \(folder), or use a file elsewhere with --config")
    }
    return true
  }
}
