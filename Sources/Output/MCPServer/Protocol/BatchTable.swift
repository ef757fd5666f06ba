import HealthModel

/// Where an answer is sent.
enum Destination: Hashable {
  /// On its own line.
  case line
  /// Into the array that answers a batch.
  case batch(Int)
}

/// The answers of batches that are not complete yet.
struct BatchTable {
  private struct Batch {
    var answers: [JSONValue] = []
    /// The size of the answers in bytes.
    var bytes = 0
    /// How many answers are missing, plus one while the batch is being read.
    var owed = 1
  }

  /// The limit on the bytes of kept answers of all batches. Beyond it, only errors are kept and no
  /// further batch begins.
  let maximumBytes: Int
  private var keptBytes = 0
  private var batches: [Int: Batch] = [:]
  private var nextNumber = 1

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Begins a batch. Call `settle` after its last message was read. Nil if too much is kept.
  mutating func begin() -> Int? {
    guard keptBytes < maximumBytes else { return nil }
    defer { nextNumber += 1 }
    batches[nextNumber] = Batch()
    return nextNumber
  }

  /// The batch waits for one more answer.
  mutating func owe(_ number: Int) { batches[number]?.owed += 1 }

  /// Keeps an answer, or the error instead if too much would be kept.
  mutating func add(_ answer: JSONValue, to number: Int, orElse error: JSONValue) {
    guard batches[number] != nil else { return }
    var (answer, bytes) = (answer, answer.canonicalBytes.count)
    if keptBytes + bytes > maximumBytes { (answer, bytes) = (error, error.canonicalBytes.count) }
    batches[number]?.answers.append(answer)
    batches[number]?.bytes += bytes
    keptBytes += bytes
  }

  /// The batch waits for one answer less. Returns the line to send, if this was the last and there
  /// are answers.
  mutating func settle(_ number: Int) -> JSONValue? {
    batches[number]?.owed -= 1
    guard let batch = batches[number], batch.owed == 0 else { return nil }
    batches[number] = nil
    keptBytes -= batch.bytes
    return batch.answers.isEmpty ? nil : .array(batch.answers)
  }
}
