/// Work that may take only so long.
enum TimeLimit {
  /// The result; nil if the work took too long. Then it was cancelled, and has ended.
  static func run<Value: Sendable>(
    _ seconds: Int, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask { await work() }
      group.addTask {
        try? await Task.sleep(for: .seconds(seconds))
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }
}
