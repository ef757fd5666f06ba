/// Works on inputs concurrently and delivers the outputs in the inputs' order.
///
/// At most `width` inputs are worked on at once, and at most four times as many outputs wait, so
/// memory is bounded for inputs of any length. The first error thrown by `work` or `deliver` ends
/// everything.
func concurrentMap<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int,
  work: @escaping @Sendable (Input) async throws(LedgerError) -> Output,
  deliver: (Input, Output) async throws(LedgerError) -> Void
) async throws(LedgerError) {
  let width = max(1, min(width, inputs.count))
  do {
    try await withThrowingTaskGroup(of: (Int, Result<Output, LedgerError>).self) { group in
      var started = 0
      var delivered = 0
      var waiting: [Int: Output] = [:]
      func startNext() {
        guard started < inputs.count, started - delivered < width * 4 else { return }
        let index = started
        started += 1
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
      }
      for _ in 0..<min(width, inputs.count) { startNext() }
      var running = started
      while running > 0, let (index, result) = try await group.next() {
        running -= 1
        waiting[index] = try result.get()
        while let output = waiting.removeValue(forKey: delivered) {
          let input = inputs[delivered]
          delivered += 1
          try await deliver(input, output)
        }
        while running < width {
          let before = started
          startNext()
          guard started > before else { break }
          running += 1
        }
      }
    }
  } catch let error as LedgerError {
    throw error
  } catch {
    throw LedgerError(.internal, "interrupted: \(error)")
  }
}
