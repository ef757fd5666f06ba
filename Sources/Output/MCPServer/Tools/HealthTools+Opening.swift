package import HealthLedger

extension HealthTools {
  /// Answers a call on a ledger that may have to be opened first. If that fails, that is an answer too
  /// (R52).
  ///
  /// - Parameters:
  ///   - progress: how many of how many dates are read.
  ///   - ledger: runs its argument on the ledger.
  package static func answer(
    _ call: ToolCall, timeZoneName: String, progress: (@Sendable (Int, Int) -> Void)? = nil,
    on ledger: (_ work: (HealthLedger) async throws(LedgerError) -> ToolAnswer)
      async throws(LedgerError) -> ToolAnswer
  ) async -> ToolAnswer {
    do throws(LedgerError) {
      return try await ledger { ledger async throws(LedgerError) in
        await HealthTools(
          ledger, timeZoneName: timeZoneName, now: LedgerEnvironment.system.now, progress: progress
        ).answer(call)
      }
    } catch {
      return ToolAnswer(error)
    }
  }
}
