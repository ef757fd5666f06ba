package import HealthLedger
package import MCPServer

/// The store of a server that may run for weeks. It is opened when it is first needed. If that
/// fails, it is tried again later, because a disk may be mounted later.
package actor AgentStore {
  private let settings: Settings
  private var opened: OpenedStore?

  package init(_ settings: Settings) { self.settings = settings }

  /// The store.
  ///
  /// - Throws: `LedgerError`; INVALID_ARGUMENTS if no later attempt could succeed.
  package func open() throws(LedgerError) -> OpenedStore {
    if let opened { return opened }
    let store = try OpenedStore(settings)
    opened = store
    return store
  }

  /// Runs a call. If the store can't be opened, that is an answer too (R52).
  ///
  /// - Parameter progress: how many of how many dates are read.
  package nonisolated func answer(
    _ call: ToolCall, progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async -> ToolAnswer {
    do throws(LedgerError) {
      let store = try await open()
      return try await store.run { ledger async throws(LedgerError) in
        await HealthTools(
          ledger, timeZoneName: settings.timeZoneName, now: LedgerEnvironment.system.now,
          progress: progress
        ).answer(call)
      }
    } catch {
      return ToolFault(error).answer
    }
  }
}
