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
    /// Answers still owed, and one more while the batch is being read.
    var owed = 1
  }

  private var batches: [Int: Batch] = [:]
  private var nextNumber = 1

  /// Begins a batch; `settle` it once its last message was read.
  mutating func begin() -> Int {
    defer { nextNumber += 1 }
    batches[nextNumber] = Batch()
    return nextNumber
  }

  /// The batch owes one answer more.
  mutating func owe(_ number: Int) { batches[number]?.owed += 1 }

  /// Keeps an answer.
  mutating func add(_ answer: JSONValue, to number: Int) { batches[number]?.answers.append(answer) }

  /// The batch owes one answer less: the line to send, if that was the last and there are answers.
  mutating func settle(_ number: Int) -> JSONValue? {
    batches[number]?.owed -= 1
    guard let batch = batches[number], batch.owed == 0 else { return nil }
    batches[number] = nil
    return batch.answers.isEmpty ? nil : .array(batch.answers)
  }
}
