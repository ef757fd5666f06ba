public import Foundation
public import HealthModel
import ObjectStore

/// The two ids of an installation (R12), created once and kept in a folder of the user.
///
/// The file is JSON, `{"collector_id": UUID, "device_id": UUID}`. Only its owner can read it.
public enum CollectorIdentity {
  /// The file's name within the folder.
  public static let fileName = "collector.json"

  /// The most bytes that the file may have.
  static let maximumBytes = 4096

  /// The ids kept in `folder`. If there are none, they are created, and the folder as well.
  ///
  /// Any number of processes may call this at the same time. All get the same ids, because the file
  /// appears as a whole and is never replaced.
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if the file is damaged (it stays unchanged);
  ///   STORAGE_UNAVAILABLE if it can't be read or written.
  public static func loadOrCreate(in folder: URL) throws(LedgerError) -> Collector {
    let file = folder.appending(path: fileName)
    if let collector = try load(from: file) { return collector }
    do {
      try FolderOwner.check(folder.path)
    } catch {
      throw LedgerError(error)
    }
    let failure = create(Collector(collectorID: UUID(), deviceID: UUID()), at: file)
    // Read the file even after success: what it contains counts, not what this process wrote.
    if let collector = try load(from: file) { return collector }
    throw LedgerError(
      .storageUnavailable,
      "the collector's ids can't be saved: \(failure?.reason ?? "the file is gone")",
      key: file.path, rule: "R12", remedy: "make the folder writable, or set both ids explicitly")
  }

  /// The ids in `file`; nil if there is no such file.
  ///
  /// - Throws: the same as `loadOrCreate`.
  public static func load(from file: URL) throws(LedgerError) -> Collector? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let bytes: [UInt8]
    do throws(SystemFailure) {
      bytes = try SmallFile.read(file.path, maximumBytes: maximumBytes)
    } catch {
      throw LedgerError(
        .storageUnavailable, "the collector's ids can't be read: \(error.reason)", key: file.path,
        rule: "R12", remedy: "give this user read permission for the file")
    }
    guard bytes.count <= maximumBytes, let value = try? JSONValue(parsing: bytes),
      let collectorID = uuid("collector_id", in: value),
      let deviceID = uuid("device_id", in: value)
    else {
      throw LedgerError(
        .invalidArguments, "the file of the collector's ids is damaged", key: file.path,
        rule: "R12",
        remedy: "restore it from a backup, or delete it to become a new collector")
    }
    return Collector(collectorID: collectorID, deviceID: deviceID)
  }

  private static func uuid(_ key: String, in value: JSONValue) -> UUID? {
    guard let text = value[key]?.stringValue, text.utf8.count == 36 else { return nil }
    return UUID(uuidString: text)
  }

  /// Creates the file, unless another process was first. Returns the reason if it failed.
  private static func create(_ collector: Collector, at file: URL) -> SystemFailure? {
    let folder = file.deletingLastPathComponent().path
    let document = JSONValue.object([
      "collector_id": .string(collector.collectorID.uuidString),
      "device_id": .string(collector.deviceID.uuidString),
    ])
    do throws(SystemFailure) {
      try PrivateFolder.create(folder)
      try SmallFile.create(file.path, document.canonicalBytes)
      return nil
    } catch {
      return error
    }
  }
}
