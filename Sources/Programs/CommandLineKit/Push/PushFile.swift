import ContentDigests
import Foundation
package import HealthExports
import HealthLedger
import ObjectStore

/// What pushes keep in the user's private folder, and the locks that let one push happen at a time to
/// each gateway: of two that race it keeps the last to arrive, which need not be the newer.
package struct PushFile: Sendable {
  private let folder: String

  package init(_ settings: StoreSettings) { folder = settings.directories.data }

  var path: String { folder + "/" + PushMemory.fileName }

  /// What was kept, and whether the file is damaged and was passed over.
  package func load() -> (memory: PushMemory, isDamaged: Bool) {
    switch PrivateFile.contents(of: path, maximumBytes: PushMemory.maximumBytes) {
    case .none: (PushMemory(), false)
    case .unusable: (PushMemory(), true)
    case .bytes(let bytes):
      (try? PushMemory(parsing: bytes)).map { ($0, false) } ?? (PushMemory(), true)
    }
  }

  /// Changes what is kept. Several pushes do so at a time, each for its own gateway.
  func update(_ change: (inout PushMemory) -> Void) async throws(LedgerError) {
    try await alone(at: "push.lock") { () async throws(LedgerError) in
      var memory = load().memory
      change(&memory)
      guard let bytes = try? memory.bytes() else {
        throw LedgerError(
          .internal, "the state of pushes has a number that is not finite", key: path)
      }
      try PrivateFile(path, for: "the state of pushes").replace(with: bytes)
    }
  }

  /// Runs work while no other push of this user to the same group runs: one that hangs holds up no
  /// push to another gateway.
  func alone<Value>(
    with address: GatewayAddress, _ work: () async throws(LedgerError) -> Value
  ) async throws(LedgerError) -> Value {
    let name = ContentDigest.hex(of: Array(address.group.utf8)).prefix(16)
    return try await alone(at: "push-\(name).lock", work)
  }

  /// How long a push waits for another one.
  private static let patience = Duration.seconds(120)

  private func alone<Value>(
    at file: String, _ work: () async throws(LedgerError) -> Value
  ) async throws(LedgerError) -> Value {
    try PrivateFile.makeFolder(folder)
    let name = folder + "/" + file
    let lock = try Self.asked(name) { () throws(SystemFailure) in try LockFile(name) }
    defer { lock.release() }
    let end = ContinuousClock.now + Self.patience
    while try Self.asked(name, { () throws(SystemFailure) in try !lock.take() }) {
      let isCancelled: Bool
      do {
        try await Task.sleep(for: .milliseconds(50))
        isCancelled = false
      } catch { isCancelled = true }
      guard !isCancelled, ContinuousClock.now < end else {
        throw LedgerError(
          .storageUnavailable, "another push to the gateway has been running for two minutes",
          key: name,
          remedy: "wait until it has ended", isRetryable: true)
      }
    }
    return try await work()
  }

  /// The answer of the system to a question about a lock.
  private static func asked<Value>(
    _ name: String, _ question: () throws(SystemFailure) -> Value
  ) throws(LedgerError) -> Value {
    do throws(SystemFailure) {
      return try question()
    } catch {
      throw LedgerError(
        .storageUnavailable, "the lock of pushes can't be used: \(error.reason)",
        key: name, remedy: "make the folder writable")
    }
  }
}
