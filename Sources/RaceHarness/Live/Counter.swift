import Synchronization

/// A number that several tasks count on.
final class Counter: Sendable {
  private let value = Atomic(0)

  /// The next number, from 0.
  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// Sets the number; returns what it was.
  func exchange(_ new: Int) -> Int { value.exchange(new, ordering: .relaxed) }

  var current: Int { value.load(ordering: .relaxed) }
}
