import CommandLineKit
import Foundation
import HealthLedger
import MetricsPush
import ObjectStore
import StoreAccess

/// What pushes keep in the user's private folder, and the lock that lets one push happen at a time:
/// of two that race the gateway keeps the last to arrive, which need not be the newer.
struct PushFile: Sendable {
  private let folder: String

  init(_ settings: StoreSettings) { folder = settings.directories.data }

  var path: String { folder + "/push.json" }

  /// The largest file that is read, in bytes.
  private static let maximumBytes = 8 << 20

  /// What was kept; nothing if there is no file.
  ///
  /// - Returns: also whether the file is damaged, and was passed over.
  func load() -> (memory: PushMemory, isDamaged: Bool) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return (PushMemory(), errno != ENOENT && errno != ENOTDIR) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= Self.maximumBytes {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { break }
    }
    guard bytes.count <= Self.maximumBytes,
      let memory = try? JSONDecoder().decode(PushMemory.self, from: Data(bytes))
    else { return (PushMemory(), true) }
    return (memory, false)
  }

  func save(_ memory: PushMemory) throws(LedgerError) {
    try makeFolder()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(memory) else {
      throw LedgerError(.internal, "what pushes keep can't be written as JSON")
    }
    try PrivateFile(path, for: "the state of pushes").replace(with: Array(data))
  }

  private func makeFolder() throws(LedgerError) {
    do throws(SystemFailure) {
      try PrivateFolder.create(folder)
    } catch {
      throw LedgerError(
        .storageUnavailable, "the private folder can't be created: \(error.reason)",
        key: folder, remedy: "make its parent folder writable")
    }
  }

  /// How long a push waits for another one.
  private static let patience = Duration.seconds(120)

  /// Runs work while no other push of this user runs.
  func alone<Value>(
    _ work: () async throws(LedgerError) -> Value
  ) async throws(LedgerError) -> Value {
    try makeFolder()
    let name = folder + "/push.lock"
    let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw LedgerError(
        .storageUnavailable,
        "the lock of pushes can't be opened: \(String(cString: strerror(errno)))",
        key: name, remedy: "make the folder writable")
    }
    defer { close(descriptor) }
    let end = ContinuousClock.now + Self.patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let isCancelled: Bool
      do {
        try await Task.sleep(for: .milliseconds(50))
        isCancelled = false
      } catch { isCancelled = true }
      guard !isCancelled, ContinuousClock.now < end else {
        throw LedgerError(
          .storageUnavailable, "another push has been running for two minutes", key: name,
          remedy: "wait until it has ended", isRetryable: true)
      }
    }
    return try await work()
  }
}
