import HealthModel
import HealthStreams
import Outbox

/// The outbox as a value: what its transactions do, without SQLite (R47).
///
/// Its choices are those of the production rules. The tests of `Outbox` hold SQLite's outbox to a model
/// that has these and more.
struct OutboxTable: Hashable {
  enum RowState: Hashable {
    case waiting
    case sealed(String)
    case uploaded
    /// The receiver refuses it for good.
    case refused
    /// Dropped for space, with its gap recorded.
    case dropped
    /// It was queued again, and the later one was sent.
    case replaced
  }

  struct Row: Hashable {
    let entry: Int
    var state = RowState.waiting
  }

  struct Batch: Hashable {
    var state: BatchState
    var rows: [Int]
    var isGivenUp = false
  }

  var rows: [Row] = []
  var batches: [Batch] = []
  var sealed = 0
  /// How many samples of the source the anchor covers.
  var anchor = 0
  /// Entries whose loss is recorded.
  var gaps: Set<Int> = []

  /// What a batch holds; the id says it too.
  func entries(of batch: Batch) -> [Int] { batch.rows.map { rows[$0].entry } }

  /// Queues the samples between two anchors, or does nothing if the anchor has moved.
  mutating func enqueue(from old: Int, to new: Int) -> Bool {
    guard anchor == old else { return false }
    rows += (old..<new).map { Row(entry: $0) }
    anchor = new
    return true
  }

  /// The batch that a sync takes; sealed if none is due.
  mutating func take(now: Timestamp) -> BatchState? {
    let due = batches.filter {
      !$0.isGivenUp && RetryRule.isDue($0.state.nextAttempt, now: now)
    }
    if let batch = due.min(by: { $0.state.attempts < $1.state.attempts }) {
      removeReplaced(by: batch)
      return batch.state
    }
    let waiting = rows.indices.filter { rows[$0].state == .waiting }
    let count = SealingRule.count(
      of: waiting.map { _ in 100 }, overhead: 100, maximumRecords: 2)
    guard !waiting.isEmpty else { return nil }
    let batch = seal(Array(waiting.prefix(count)), attempts: 0)
    removeReplaced(by: batch)
    return batch.state
  }

  @discardableResult
  private mutating func seal(_ members: [Int], attempts: Int) -> Batch {
    let batch = Batch(state: sealedState(members, attempts, next: nil), rows: members)
    batches.append(batch)
    return batch
  }

  private mutating func sealedState(
    _ members: [Int], _ attempts: Int, next: Timestamp?
  ) -> BatchState {
    sealed += 1
    let names = members.map { "\(rows[$0].entry)" }.joined(separator: "+")
    let state = BatchState(
      id: "\(sealed):\(names)", stream: .healthKit, entries: members.count, attempts: attempts,
      nextAttempt: next)
    for row in members { rows[row].state = .sealed(state.id) }
    return state
  }

  /// Takes out of the older batches what the batch takes the place of. What is left of one is sealed
  /// anew in its place.
  private mutating func removeReplaced(by batch: Batch) {
    let own = Set(entries(of: batch))
    for place in batches.indices where batches[place].state.id != batch.state.id {
      let old = batches[place].rows.filter { row in
        row < batch.rows[0] && own.contains(rows[row].entry)
      }
      guard !old.isEmpty else { continue }
      for row in old { rows[row].state = .replaced }
      batches[place].rows.removeAll { old.contains($0) }
      let state = batches[place].state
      batches[place].state = sealedState(
        batches[place].rows, state.attempts, next: state.nextAttempt)
    }
    batches.removeAll(where: \.rows.isEmpty)
  }

  mutating func apply(_ change: OutboxChange) {
    switch change {
    case .confirm(let id, _, _):
      guard let batch = remove(id) else { return }
      for row in batch.rows { rows[row].state = .uploaded }
    case .keep: break
    case .retry(let id, let attempts, let nextAttempt, _, _):
      guard let place = place(of: id), batches[place].state.attempts == attempts - 1 else { return }
      batches[place].state.attempts = attempts
      batches[place].state.nextAttempt = nextAttempt
    case .giveUp(let id, let attempts, _, _):
      guard let place = place(of: id), batches[place].state.attempts == attempts - 1 else { return }
      batches[place].state.attempts = attempts
      batches[place].isGivenUp = true
    case .split(let id, _, _):
      guard let batch = remove(id), let halves = SealingRule.halves(of: batch.rows.count) else {
        return
      }
      seal(Array(batch.rows.prefix(halves.first)), attempts: batch.state.attempts)
      removeReplaced(
        by: seal(Array(batch.rows.suffix(halves.second)), attempts: batch.state.attempts))
    case .quarantine(let id, _, _):
      guard let batch = remove(id) else { return }
      for row in batch.rows { rows[row].state = .refused }
    case .reviveGivenUp:
      for place in batches.indices where batches[place].isGivenUp {
        batches[place].isGivenUp = false
        batches[place].state.attempts = 0
        batches[place].state.nextAttempt = nil
      }
    }
  }

  /// Drops the oldest that is not confirmed, records the gap, and resets the anchor: one
  /// transaction (R47).
  mutating func dropOldest(recordsGap: Bool) {
    let place = rows.firstIndex { $0.state == .waiting }
    guard let place else { return }
    rows[place].state = .dropped
    guard recordsGap else { return }
    gaps.insert(rows[place].entry)
    anchor = 0
  }

  private func place(of id: String) -> Int? { batches.firstIndex { $0.state.id == id } }

  private mutating func remove(_ id: String) -> Batch? {
    place(of: id).map { batches.remove(at: $0) }
  }
}
