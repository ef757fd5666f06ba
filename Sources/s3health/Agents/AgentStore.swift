import HealthLedger
import MCPServer
import StoreAccess

/// The store of a server that may run for weeks: opened when it is first needed, and tried again
/// where that failed, as for a disk that is mounted later.
actor AgentStore {
  private let settings: Settings
  private var opened: OpenedStore?

  init(_ settings: Settings) { self.settings = settings }

  /// The store.
  ///
  /// - Throws: `LedgerError`, INVALID_ARGUMENTS where no later try could succeed.
  func open() throws(LedgerError) -> OpenedStore {
    if let opened { return opened }
    let store = try OpenedStore(settings)
    opened = store
    return store
  }

  /// Runs a call; a store that can't be opened is an answer too (R52).
  nonisolated func answer(_ call: ToolCall) async -> ToolAnswer {
    do throws(LedgerError) {
      let store = try await open()
      return try await store.run { ledger async throws(LedgerError) in
        await HealthTools(
          ledger, timeZoneName: settings.timeZoneName, now: LedgerEnvironment.system.now
        ).answer(call)
      }
    } catch {
      return ToolFault(error).answer
    }
  }
}
