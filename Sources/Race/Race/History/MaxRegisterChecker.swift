/// One operation on a max-register, in whatever unit of time its recorder used.
package struct RegisterOperation: Hashable, Sendable {
  /// What was done.
  package enum Kind: Hashable, Sendable {
    /// Raise the register to at least the value.
    case write
    /// The value read; zero where the register was empty.
    case read
  }

  package var kind: Kind
  /// Positive, or zero for a read of the empty register.
  package var value: Int
  /// When it was invoked.
  package var from: Int
  /// When it returned; `open` for a write that never did.
  package var to: Int

  /// The return of a write whose outcome nobody learned: it may take effect at any time, or never.
  package static let open = Int.max

  package init(_ kind: Kind, _ value: Int, from: Int, to: Int = Self.open) {
    (self.kind, self.value, self.from, self.to) = (kind, value, from, to)
  }
}

/// Decides whether a history is linearizable as a max-register, in O(n log n); sound and complete.
///
/// Operation a precedes b where a returned before b was invoked (touching intervals overlap). For
/// each value x that was read, in ascending order, let P be the earliest moment at which the
/// register can have come to exactly x: no earlier than the first invocation of a write of any
/// value read up to x, nor than the invocation of any read of less. And let Q be the earliest moment
/// at which it can have left x. The history is refuted where something of at least x had returned
/// before P, or something greater before Q.
package enum MaxRegisterChecker {
  /// Why a history is not linearizable: two operations, by index, that cannot both stand.
  package struct Refutation: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
      /// `read` returned a value that nobody wrote.
      case neverWritten
      /// `late` shows that the register was below `read`'s value when `early` had already returned.
      case tooLow
    }
    package let reason: Reason
    /// The read whose value could not be.
    package let read: Int
    /// What had returned before; equal to `read` where there is no other.
    package let early: Int
    /// What was invoked after that.
    package let late: Int
  }

  /// A moment, and the operation that it belongs to.
  private struct Mark {
    var time: Int
    var index: Int
  }

  private struct Entry {
    var value: Int
    var index: Int
  }

  /// Nil where the history is linearizable.
  package static func refute(_ history: [RegisterOperation]) -> Refutation? {
    var reads: [Entry] = []
    var writes: [Entry] = []
    for (index, operation) in history.enumerated() {
      let entry = Entry(value: operation.value, index: index)
      if operation.kind == .read { reads.append(entry) } else { writes.append(entry) }
    }
    reads.sort { $0.value < $1.value }
    writes.sort { $0.value < $1.value }
    let readReturns = suffixMinima(reads, history)
    let writeReturns = suffixMinima(writes, history)

    var bound = Mark(time: .min, index: -1)
    var write = 0
    var start = 0
    while start < reads.count {
      let value = reads[start].value
      var end = start
      var lastInvocation = bound
      while end < reads.count, reads[end].value == value {
        raise(&lastInvocation, history[reads[end].index].from, reads[end].index)
        end += 1
      }
      while write < writes.count, writes[write].value < value { write += 1 }
      let firstWrite = write
      if value > 0 {
        guard firstWrite < writes.count, writes[firstWrite].value == value else {
          let read = reads[start].index
          return Refutation(reason: .neverWritten, read: read, early: read, late: read)
        }
        var earliest = Mark(time: .max, index: -1)
        while write < writes.count, writes[write].value == value {
          let from = history[writes[write].index].from
          if from < earliest.time { earliest = Mark(time: from, index: writes[write].index) }
          write += 1
        }
        raise(&bound, earliest.time, earliest.index)
        raise(&lastInvocation, earliest.time, earliest.index)
      }
      let reached = [readReturns[start], value > 0 ? writeReturns[firstWrite] : nil]
      let passed = [readReturns[end], writeReturns[write]]
      for (limit, returns) in [(bound, reached), (lastInvocation, passed)] {
        for case .some(let early) in returns where limit.time > early.time {
          return Refutation(
            reason: .tooLow, read: reads[start].index, early: early.index, late: limit.index)
        }
      }
      bound = lastInvocation
      start = end
    }
    return nil
  }

  private static func raise(_ mark: inout Mark, _ time: Int, _ index: Int) {
    if time > mark.time { mark = Mark(time: time, index: index) }
  }

  /// For each place, the earliest return among the entries from it on; one more than entries.
  private static func suffixMinima(
    _ entries: [Entry], _ history: [RegisterOperation]
  ) -> [Mark?] {
    var minima = [Mark?](repeating: nil, count: entries.count + 1)
    var least: Mark?
    for place in entries.indices.reversed() {
      let to = history[entries[place].index].to
      if to != RegisterOperation.open, to < (least?.time ?? .max) {
        least = Mark(time: to, index: entries[place].index)
      }
      minima[place] = least
    }
    return minima
  }
}
