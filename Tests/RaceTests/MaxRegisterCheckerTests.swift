import StoreTesting
import Testing

@testable import Race

/// The checker against the definition: a history is linearizable if some order of its operations
/// respects real time and answers every read with the greatest value written before it.
@Suite(.unit, .slow) struct MaxRegisterCheckerTests {
  private func isLinearizable(_ history: [RegisterOperation]) -> Bool {
    MaxRegisterChecker.refute(history) == nil
  }

  /// The obvious three rules (read values were written, not below finished writes, reads grow)
  /// all hold here.
  @Test func `the smallest bad history that the obvious rules miss is refuted`() {
    let history = [
      RegisterOperation(.read, 1, from: 0, to: 4), RegisterOperation(.write, 2, from: 1, to: 2),
      RegisterOperation(.write, 1, from: 3),
    ]
    let refutation = MaxRegisterChecker.refute(history)
    #expect(refutation == .init(reason: .tooLow, read: 0, early: 1, late: 2))
    #expect(!BruteForce.isLinearizable(history))
  }

  @Test func `a read below a finished write is refuted, one beside it is not`() {
    let write = RegisterOperation(.write, 1, from: 0, to: 1)
    #expect(!isLinearizable([write, .init(.read, 0, from: 2, to: 3)]))
    #expect(isLinearizable([write, .init(.read, 0, from: 1, to: 3)]))
  }

  @Test func `a read of a value that was never written is refuted`() {
    let refutation = MaxRegisterChecker.refute([.init(.read, 1, from: 0, to: 1)])
    #expect(refutation?.reason == .neverWritten)
  }

  @Test func `a write whose outcome is open may be seen, late or never`() {
    let open = RegisterOperation(.write, 1, from: 0)
    #expect(
      isLinearizable([open, .init(.read, 0, from: 5, to: 6), .init(.read, 1, from: 8, to: 9)]))
    #expect(
      !isLinearizable([open, .init(.read, 1, from: 5, to: 6), .init(.read, 0, from: 8, to: 9)]))
    #expect(isLinearizable([open, .init(.read, 0, from: 5, to: 6)]))
  }

  @Test(.nightly) func `the checker and brute force agree on 120,000 random histories`() {
    var random = SplitMix64(seed: 20_260_310)
    var bad = 0
    for _ in 0..<120_000 {
      let history = BruteForce.randomHistory(&random)
      let expected = BruteForce.isLinearizable(history)
      if !expected { bad += 1 }
      if isLinearizable(history) != expected {
        Issue.record("brute force says \(expected) of \(history)")
        return
      }
    }
    // Both kinds must be common, or agreement says little.
    #expect((20_000...100_000).contains(bad), "\(bad) bad")
  }
}

/// Tries every order.
enum BruteForce {
  static func isLinearizable(_ history: [RegisterOperation]) -> Bool {
    search(history, remaining: (1 << history.count) - 1, register: 0)
  }

  private static func search(
    _ history: [RegisterOperation], remaining: Int, register: Int
  ) -> Bool {
    var earliestReturn = RegisterOperation.open
    for index in 0..<history.count where remaining & (1 << index) != 0 {
      earliestReturn = min(earliestReturn, history[index].to)
    }
    // Only writes are left whose outcome is open: none of them need take effect.
    if earliestReturn == RegisterOperation.open { return true }
    for index in 0..<history.count where remaining & (1 << index) != 0 {
      let operation = history[index]
      guard operation.from <= earliestReturn else { continue }
      if operation.kind == .read, operation.value != register { continue }
      let next = operation.kind == .write ? max(register, operation.value) : register
      if search(history, remaining: remaining & ~(1 << index), register: next) { return true }
    }
    return false
  }

  static func randomHistory(_ random: inout SplitMix64) -> [RegisterOperation] {
    let writes = 1 + random.below(3)
    let reads = 1 + random.below(3)
    var history: [RegisterOperation] = []
    for index in 0..<(writes + reads) {
      let from = random.below(9)
      let to = from + random.below(5)
      if index < writes {
        let isOpen = random.below(4) == 0
        history.append(
          .init(.write, 1 + random.below(3), from: from, to: isOpen ? RegisterOperation.open : to))
      } else {
        history.append(.init(.read, random.below(4), from: from, to: to))
      }
    }
    return history
  }
}
