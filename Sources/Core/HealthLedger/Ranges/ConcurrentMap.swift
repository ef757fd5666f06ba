/// Works on inputs concurrently and delivers the outputs in the inputs' order.
///
/// At most `width` inputs are worked on at once, and at most four times as many outputs wait, so
/// memory is bounded for inputs of any length. The first error thrown by `work` or `deliver` ends
/// everything.
///
/// - Parameters:
///   - widthNow: how many inputs may be worked on now, up to `width`; nil for all of them.
///   - isShuffled: whether to take the next input at random instead of in order. Then at most sixteen
///     times `width` outputs wait.
nonisolated(nonsending) func concurrentMap<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int,
  widthNow: (() -> Int)? = nil, isShuffled: () -> Bool = { false },
  work: @escaping @Sendable (Input) async throws(LedgerError) -> Output,
  deliver: (Input, Output) async throws(LedgerError) -> Void
) async throws(LedgerError) {
  let width = max(1, min(width, inputs.count))
  do {
    try await withThrowingTaskGroup(of: (Int, Result<Output, LedgerError>).self) { group in
      var upcoming = Array(inputs.indices)[...]
      var startable: [Int] = []
      var running = 0
      var delivered = 0
      var waiting: [Int: Output] = [:]
      /// - Returns: false if all have been started, or too many outputs wait.
      func startNext() -> Bool {
        let isShuffled = isShuffled()
        let end = delivered + width * (isShuffled ? 16 : 4)
        while let next = upcoming.first, next < end { startable.append(upcoming.removeFirst()) }
        let chosen = isShuffled ? startable.indices.randomElement() : startable.indices.first
        guard let chosen else { return false }
        let index = startable.remove(at: chosen)
        running += 1
        group.addTask {
          // The result comes first: a tuple that was begun before an await lost its number to the
          // optimiser in another place (Swift 6.3).
          let result: Result<Output, LedgerError>
          do throws(LedgerError) {
            result = .success(try await work(inputs[index]))
          } catch {
            result = .failure(error)
          }
          return (index, result)
        }
        return true
      }
      func startAll() {
        let width = max(1, min(width, widthNow?() ?? width))
        while running < width, startNext() {}
      }
      startAll()
      while running > 0, let (index, result) = try await group.next() {
        running -= 1
        waiting[index] = try result.get()
        while let output = waiting.removeValue(forKey: delivered) {
          let input = inputs[delivered]
          delivered += 1
          try await deliver(input, output)
        }
        startAll()
      }
    }
  } catch let error as LedgerError {
    throw error
  } catch {
    throw LedgerError(.internal, "interrupted: \(error)")
  }
}
