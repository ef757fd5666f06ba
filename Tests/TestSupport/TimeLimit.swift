/// A limit for what a test waits for that is not its own: a program, a browser.
///
/// Something that never ends would otherwise hold up the whole run, until `scripts/test` ends it
/// without a word of what it was. The limit is far above what a slow machine needs, and below that of
/// `scripts/test`.
package enum TimeLimit {
  package struct Exceeded: Error, CustomStringConvertible {
    package let description: String
  }

  /// Runs `body`. After the limit it is cancelled, and the error names `what` was run.
  package static func run<Result: Sendable>(
    _ what: String, for limit: Duration = .seconds(480),
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      guard let result = try await group.next(), let result else {
        throw Exceeded(description: "\(what) was still running after \(limit)")
      }
      return result
    }
  }
}
