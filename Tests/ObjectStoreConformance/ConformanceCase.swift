package import ObjectStore

/// One promise of `ObjectStore`, as a procedure that throws where a store breaks it.
///
/// Throws instead of recording issues so that any target may run it, on any store.
package struct ConformanceCase: Sendable, CustomStringConvertible {
  /// What a store must be able to do for the case to apply.
  package enum Need: Hashable, Sendable {
    /// `Precondition.absent` is atomic.
    case create
    /// `Precondition.matches` is atomic too.
    case compareAndSwap
    /// Keys that differ only in case or Unicode normalisation are different (not so on Apple's
    /// disks).
    case exactNames
  }

  /// The promise, as a sentence.
  package let name: String
  package let needs: Set<Need>
  private let body: @Sendable (Bench) async throws -> Void

  init(
    _ name: String, needs: Set<Need> = [.create],
    _ body: @escaping @Sendable (Bench) async throws -> Void
  ) {
    (self.name, self.needs, self.body) = (name, needs, body)
  }

  package var description: String { name }

  /// Runs the case below `prefix`, which no object may begin with yet.
  ///
  /// - Parameter prefix: empty, or ending in a slash. Objects are left behind below it.
  package func run(on store: any ObjectStore, prefix: String) async throws {
    do {
      try await body(Bench(store: store, prefix: prefix))
    } catch let failure as ConformanceFailure {
      throw ConformanceFailure("\(name): \(failure.description)")
    } catch {
      throw ConformanceFailure("\(name): unexpected error: \(error)")
    }
  }
}

/// How a store broke a promise.
package struct ConformanceFailure: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

/// The cases that every store must pass.
package enum ConformanceSuite {
  package static let cases =
    readingCases + writingCases + listingCases + keyCases + concurrencyCases

  /// The cases that apply to a store with these guarantees.
  package static func cases(
    for writes: ConditionalWrites, exactNames: Bool = true
  ) -> [ConformanceCase] {
    var offers: Set<ConformanceCase.Need> = exactNames ? [.exactNames] : []
    switch writes {
    case .compareAndSwap: offers.formUnion([.create, .compareAndSwap])
    case .createOnly: offers.insert(.create)
    case .unsafe: break
    }
    return cases.filter { $0.needs.isSubset(of: offers) }
  }
}
