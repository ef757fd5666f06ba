import HealthModel

/// Where an answer goes.
enum Destination: Hashable {
  /// On a line of its own.
  case line
  /// Into the array that answers a batch.
  case batch(Int)
}

/// The answers of batches that are not complete yet.
struct BatchTable {
  private struct Batch {
    var answers: [JSONValue] = []
    /// Bytes of the answers.
    var bytes = 0
    /// Answers still owed, and one more while the batch is being read.
    var owed = 1
  }

  /// Bytes of kept answers, of all batches, beyond which only errors are kept, and no other batch
  /// begins.
  let maximumBytes: Int
  private var keptBytes = 0
  private var batches: [Int: Batch] = [:]
  private var nextNumber = 1

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Begins a batch; `settle` it once its last message was read. Nil where too much is kept.
  mutating func begin() -> Int? {
    guard keptBytes < maximumBytes else { return nil }
    defer { nextNumber += 1 }
    batches[nextNumber] = Batch()
    return nextNumber
  }

  /// The batch owes one answer more.
  mutating func owe(_ number: Int) { batches[number]?.owed += 1 }

  /// Keeps an answer, or the error instead where too much would be kept.
  mutating func add(_ answer: JSONValue, to number: Int, orElse error: JSONValue) {
    guard batches[number] != nil else { return }
    var (answer, bytes) = (answer, answer.canonicalBytes.count)
    if keptBytes + bytes > maximumBytes { (answer, bytes) = (error, error.canonicalBytes.count) }
    batches[number]?.answers.append(answer)
    batches[number]?.bytes += bytes
    keptBytes += bytes
  }

  /// The batch owes one answer less: the line to send, if that was the last and there are answers.
  mutating func settle(_ number: Int) -> JSONValue? {
    batches[number]?.owed -= 1
    guard let batch = batches[number], batch.owed == 0 else { return nil }
    batches[number] = nil
    keptBytes -= batch.bytes
    return batch.answers.isEmpty ? nil : .array(batch.answers)
  }
}
